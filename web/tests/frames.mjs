// Measures frames while the page scrolls: node frames.mjs SITE MODULES
//
// For each table it prints the frame times of two seconds, and the number of frames with blank blocks.

import { browser, serve } from "./server.mjs";

const [site, modules] = process.argv.slice(2);
const { address, stop } = await serve(site);
const chromium = await browser(modules);

/** Scrolls by the wheel for two seconds, and returns the times of the frames and the number of those with blank blocks. */
const scroll = ([across, down]) => {
  const canvas = document.querySelector("#map");
  canvas.focus();
  return new Promise((resolve) => {
    const times = [];
    let blank = 0;
    const frame = (time) => {
      times.push(time);
      if (canvas.dataset.missing !== "0") blank++;
      if (time - times[0] > 2000) return resolve({ blank, frames: times.slice(1).map((time, i) => time - times[i]).sort((a, b) => a - b) });
      canvas.dispatchEvent(new WheelEvent("wheel", { deltaX: across, deltaY: down, cancelable: true }));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
};

const TABLES = [
  ["1500 x 384, down", "rows=1500&columns=384", [0, 24]],
  ["1500 x 384, down, fast", "rows=1500&columns=384", [0, 120]],
  ["1500 x 4096, fit, down", "rows=1500&columns=4096", [0, 24]],
  ["1500 x 4096, fit, down, fast", "rows=1500&columns=4096", [0, 120]],
  ["1500 x 4096, fit, up", "rows=1500&columns=4096&position=4000", [0, -24]],
  ["1500 x 4096, 2 px, down and across", "rows=1500&columns=4096&width=2", [12, 24]],
];
console.log("table: median, worst and number of frames; frames with a blank block");
for (const [name, sizes, by] of TABLES) {
  const page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${address}#kind=sinusoidal&preset=whisper&dtype=f32&height=2&${sizes}`);
  await page.waitForFunction(() => document.querySelector("#map").dataset.missing === "0");
  await page.waitForTimeout(1500);
  const { blank, frames } = await page.evaluate(scroll, by);
  console.log(`${name}: ${frames[frames.length >> 1].toFixed(1)} ms, ${frames.at(-1).toFixed(1)} ms, ${frames.length}; ${blank}`);
  await page.close();
}
await chromium.close();
stop();
