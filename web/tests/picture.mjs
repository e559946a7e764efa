// Draws the README's picture of the page: node picture.mjs SITE MODULES FILE

import { browser, serve } from "./server.mjs";

const [site, modules, path] = process.argv.slice(2);
const { address, stop } = await serve(site);
const chromium = await browser(modules);
const page = await chromium.newPage({ viewport: { width: 1200, height: 790 } });
await page.goto(`${address}#kind=rotary&preset=llama3_1&rows=8192&columns=128&dtype=f32&recipe=f32&position=40&column=20&height=8`);
await page.waitForFunction(() => document.querySelector("#map").dataset.missing === "0" && document.querySelector("#exact"));
await page.screenshot({ path });
await chromium.close();
stop();
