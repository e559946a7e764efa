// Tests of the page in Chromium: node browser.mjs SITE MODULES [PART]
//
// SITE is the folder with the page and its modules, and MODULES the one in which npm installed Playwright. If POSENC is
// the path of the command, the files that the page saves are compared with those that it writes. Only tests with PART in
// their names are run.

import assert from "node:assert/strict";

import { tests as ofAddresses } from "./addresses.mjs";
import { tests as ofControls } from "./controls.mjs";
import { tests as ofFiles } from "./files.mjs";
import { bar, colourOf, colours, contrasts, pixelsOf } from "./looks.mjs";
import { browser, serve } from "./server.mjs";
import { tests as ofSettings } from "./settings.mjs";

const [site, modules, part = ""] = process.argv.slice(2);
const { address, stop } = await serve(site);
const chromium = await browser(modules);

/** Whether all blocks in view are drawn. */
const drawn = () => document.querySelector("#map").dataset.missing === "0";

async function open(hash = "", options = {}, hasTable = true) {
  const context = await chromium.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.problems.push(message.text()));
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) page.problems.push(`a request to ${request.url()}`);
  });
  const start = performance.now();
  await page.goto(address + hash);
  if (hasTable) await page.waitForFunction(drawn);
  page.time = performance.now() - start;
  return page;
}

const text = (page, selector) => page.locator(selector).textContent();
const shows = (page, selector, part) => page.waitForFunction(
  ([selector, part]) => document.querySelector(selector)?.textContent.includes(part), [selector, part], { timeout: 5000 },
);

const tests = {
  async "draws the table, with a content security policy"() {
    const page = await open();
    const policy = await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content");
    for (const part of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "connect-src 'self'"]) assert.ok(policy.includes(part), policy);
    assert.ok((await colours(page)) > 200);
    assert.equal(await text(page, "#rust"), "sinusoidal_table!(1500, 384, freq_shift = 1.0, layout = halves, odd = reject)");
    assert.equal(await text(page, "#command"), "posenc table --preset whisper --seq-len 1500 --d-model 384 -o pe.npy");
    assert.equal(await text(page, "#python"), 'posenc.sinusoidal(1500, 384, preset="whisper")');
    console.log(`     first drawing: ${Math.round(page.time)} ms`);
    return page;
  },

  async "explains an entry"() {
    const page = await open();
    await shows(page, "#exact", "1.742711978473291126827684576398543249499e-6");
    await shows(page, "#entry", "0x35e9e721");
    await shows(page, "#recipe-found", "6,591,735 ulps");
    await shows(page, "#selected", "position 963, column 45, value 1.742712e\u22126");
    assert.equal(await page.locator("#around tbody tr").count(), 11);
    assert.equal(await page.locator("#around td[data-row]").count(), 121);
    return page;
  },

  async "scrolls to 2^52, and by keys and the wheel"() {
    const page = await open();
    await page.fill("#position", String(2 ** 52));
    await shows(page, "#selected", "position 4,503,599,627,370,496, column 45");
    await page.waitForFunction(() => Number(document.querySelector("#map").dataset.first) > 2 ** 52 - 1000);
    await page.waitForFunction(drawn);
    assert.ok((await colours(page)) > 200);
    await page.locator("#map").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await shows(page, "#selected", "position 4,503,599,627,370,497, column 46");
    await page.keyboard.press("End");
    await shows(page, "#selected", "position 9,007,199,254,740,992, column 46");
    await page.waitForFunction(drawn);
    assert.ok((await colours(page)) > 200);
    await page.keyboard.press("Home");
    await shows(page, "#selected", "position 0, column 46");
    await page.locator("#map").hover();
    await page.mouse.wheel(0, 4000);
    await page.waitForFunction(() => document.querySelector("#map").dataset.first === "2000");
    return page;
  },

  async "has the next rows before they come into view"() {
    const page = await open();
    for (let i = 0; i < 12; i++) {
      await page.waitForFunction(() => document.querySelector("#map").dataset.waiting === "0");
      // 50 rows are less than a block.
      const missing = await page.evaluate(async () => {
        const canvas = document.querySelector("#map");
        canvas.focus();
        canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, cancelable: true }));
        await new Promise(requestAnimationFrame);
        return canvas.dataset.missing;
      });
      assert.equal(missing, "0");
    }
    assert.ok(Number(await page.getAttribute("#map", "data-first")) > 1200);
    return page;
  },

  async "shows the rows of the table, and the positions around it"() {
    const page = await open("#kind=sinusoidal&preset=paper&rows=60&columns=64&dtype=f32&height=2&column=1&.start=-10");
    await shows(page, "#selected", "position \u221210, column 1, value \u22120.8390715. It is row 0 of the table.");
    assert.equal(await page.getAttribute("#map", "data-first"), "-10");
    assert.deepEqual(await bar(page), [24, 146]); // 60 rows of 2 pixels, and a line
    await page.fill("#position", "-20");
    await shows(page, "#selected", "position \u221220, column 1, value 0.4080821. Outside the table, which has positions \u221210 to 49.");
    await shows(page, "#entry", "column 1 at position \u221220: the cosine of frequency 0");
    await page.waitForFunction(() => location.hash.includes("position=-20"));
    assert.equal(await page.getAttribute("#around tbody tr:first-child th", "aria-label"), "\u221225, outside the table");
    await page.click("#to-table");
    await shows(page, "#selected", "position \u221210");
    assert.equal(await page.locator("#to-table").isVisible(), false);
    await page.keyboard.press("End");
    await shows(page, "#selected", "position 49, column 1");
    for (const _ of [1, 2]) await page.keyboard.press("Home");
    await shows(page, "#selected", "position \u22129,007,199,254,740,992");
    await page.waitForFunction(drawn);
    assert.equal(await page.inputValue("#jump"), "-1000");
    await page.fill("#jump", "0");
    await shows(page, "#selected", "position 0, column 1");
    await page.fill("#position", "1.5");
    await shows(page, "#position-about", "An integer from \u22129,007,199,254,740,992 to 9,007,199,254,740,992");
    return page;
  },

  async "begins with the first row, and says which rows hold something else"() {
    const page = await open();
    await page.fill("#preset", "transformer_xl");
    await page.keyboard.press("Tab");
    await shows(page, "#selected", "position 511, column 0");
    await page.fill("#key-start", "700");
    await shows(page, "#selected", "position 700, column 0");
    await shows(page, "#selected", "It is row 0 of the table.");
    await page.goto(`${address}#kind=sinusoidal&preset=paper&rows=300&columns=64&dtype=f32&position=200&height=1&.zero_row=200`);
    await shows(page, "#selected", "In the table, row 200 holds zeros instead.");
    await page.waitForFunction(drawn);
    assert.ok((await colours(page)) > 200);
    await page.goto(`${address}#kind=sinusoidal&preset=paper&rows=30&columns=64&dtype=f32&position=4&.step=3`);
    await shows(page, "#selected", "Outside the table, which has positions 0 to 87, in steps of 3.");
    return page;
  },

  async "widens columns, and scrolls across"() {
    const page = await open("#kind=sinusoidal&preset=whisper&rows=1500&columns=4096&dtype=f32&position=963&column=2000");
    const left = () => page.evaluate(() => Number(document.querySelector("#map").dataset.left));
    const scrolled = (from) => page.waitForFunction((from) => document.querySelector("#map").dataset.left !== String(from), from, { timeout: 5000 });
    assert.equal(await left(), 0);
    await page.selectOption("#width", "4");
    await page.waitForFunction(() => location.hash.includes("width=4"));
    await scrolled(0);
    const { width } = await page.locator("#map").boundingBox();
    assert.equal(await left(), 2000.5 * 4 - (width - 82) / 2); // the selected column is in the middle
    await page.locator("#map").click({ position: { x: 82 + 40, y: 200 } });
    const column = Math.floor((await left() + 40) / 4);
    await shows(page, "#selected", `column ${column}, value`);
    await page.keyboard.down("Shift");
    const [before, first] = [await left(), await page.getAttribute("#map", "data-first")];
    await page.mouse.wheel(0, 100);
    await scrolled(before);
    await page.keyboard.up("Shift");
    assert.equal(await left(), before + 100);
    assert.equal(await page.getAttribute("#map", "data-first"), first);
    await page.keyboard.press("ArrowLeft"); // it is left of the picture now
    await scrolled(before + 100);
    assert.equal(await left(), (column - 1) * 4);
    const box = await page.locator("#map").boundingBox();
    await page.mouse.move(box.x + 400, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 240, { steps: 5 });
    await page.mouse.up();
    await scrolled((column - 1) * 4);
    assert.equal(await left(), (column - 1) * 4 + 100);
    assert.equal(Number(await page.getAttribute("#map", "data-first")), Number(first) + 30);
    await page.reload();
    await page.waitForFunction(drawn);
    assert.equal(await page.inputValue("#width"), "4");
    return page;
  },

  async "shows the means of columns that are narrower than a pixel"() {
    const page = await open("#kind=sinusoidal&preset=paper&rows=60&columns=4096&dtype=f32&height=4");
    // Row 0 alternates between 0 and 1.
    const row = async () => [...new Set(await pixelsOf(page, 100, 26, 700, 1))]; // without the edges
    assert.deepEqual(await row(), [await colourOf(page, 0.5)]);
    assert.equal(await page.locator("#means-about").isVisible(), true);
    await page.selectOption("#width", "1");
    await page.waitForFunction(drawn);
    await page.waitForFunction(() => document.querySelector("#map").dataset.means === "false");
    await page.waitForTimeout(200);
    assert.equal((await row()).length, 2);
    assert.equal(await page.locator("#means-about").isVisible(), false);
    return page;
  },

  async "shows that infinite angles have no error that is finite"() {
    const page = await open("#kind=sinusoidal&preset=paper&rows=9&columns=64&dtype=f32&recipe=f16_angles&measure=mean&position=70000&column=0");
    await shows(page, "#recipe-found", "no finite number, but 0xffc00000.");
    await page.locator("#errors-section").scrollIntoViewIfNeeded();
    await shows(page, "#errors-numbers", "not finite");
    return page;
  },

  async "every preset gives a table, and its row is explained"() {
    const page = await open();
    const presets = await page.evaluate(() => [...document.querySelectorAll("#presets option")].map(({ value, label }) => [value, label]));
    assert.equal(presets.length, 115);
    for (const [name] of presets) {
      await page.evaluate(() => document.querySelector("#entry").replaceChildren());
      await page.fill("#preset", name);
      await page.keyboard.press("Tab");
      await page.waitForFunction((name) => new URLSearchParams(location.hash.slice(1)).get("preset") === name, name, { timeout: 5000 })
        .catch(async () => assert.fail(`${name}: ${await text(page, "#problem")}`));
      await page.waitForSelector("#entry > *");
      assert.match(await text(page, "#entry"), /^(-?\d.*The exact value of |This is a row of zeros)/, name);
    }
    return page;
  },

  async "shows the library's sentence for a wrong value, and keeps the table"() {
    const page = await open();
    await page.locator("#keys-field summary").click();
    await page.fill("#key-base", "-3");
    await shows(page, "#problem", "`base` is -3.0, but must be finite and greater than 0");
    assert.equal(await page.getAttribute("#problem", "aria-live"), "polite");
    assert.ok((await colours(page)) > 200);
    assert.ok((await text(page, "#rust")).startsWith("sinusoidal_table!(1500, 384"));
    await page.fill("#key-base", "500000");
    await shows(page, "#rust", "base = 500000.0");
    assert.equal(await page.locator("#problem").isVisible(), false);
    await page.fill("#preset", "wisper");
    await page.keyboard.press("Tab");
    await shows(page, "#problem", "did you mean `whisper`?");
    return page;
  },

  async "shows only the problem if the first table has one"() {
    const page = await open("#kind=sinusoidal&preset=wisper&rows=10&columns=8", {}, false);
    await shows(page, "#problem", "did you mean `whisper`?");
    await shows(page, "#empty", "There is no table to show yet.");
    assert.equal(await page.locator("main > section:visible").count(), 0);
    await page.fill("#preset", "whisper");
    await page.keyboard.press("Tab");
    await page.waitForFunction(drawn);
    await shows(page, "#selected", "position 0, column 0");
    assert.equal(await page.locator("#empty").isVisible(), false);
    await page.locator("#wavelengths-section").scrollIntoViewIfNeeded();
    await shows(page, "#wavelengths-sentence", "wavelengths, from 6.28");
    return page;
  },

  async "texts have the contrast of WCAG AA, in both themes"() {
    let page;
    for (const colorScheme of ["light", "dark"]) {
      page = await open("", { colorScheme });
      await page.locator("#errors-section").scrollIntoViewIfNeeded();
      await shows(page, "#errors-first", "exceeds");
      await page.waitForTimeout(300);
      const { texts, low } = await page.evaluate(contrasts);
      assert.ok(texts > 150, `${texts} texts`);
      assert.deepEqual(low, []);
    }
    return page;
  },

  async "reads the config of Llama 3.1"() {
    const page = await open("#kind=rotary&preset=yi&rows=4096&columns=128&dtype=f32");
    const config = {
      model_type: "llama", hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 131072, rope_theta: 500000.0,
      rope_scaling: { factor: 8.0, low_freq_factor: 1.0, high_freq_factor: 4.0, original_max_position_embeddings: 8192, rope_type: "llama3" },
    };
    await page.locator("#config-field summary").click();
    await page.fill("#config", JSON.stringify(config));
    const scaling = "scaling = llama3(factor = 8.0, original_max_position_embeddings = 8192)";
    await shows(page, "#rust", `rotary_table!(131072, 128, base = 500000.0, ${scaling}, packing = cos_sin)`);
    await shows(page, "#command", "posenc rope --config config.json");
    await shows(page, "#python", 'config="config.json"');
    await page.locator("#wavelengths-section").scrollIntoViewIfNeeded();
    await shows(page, "#wavelengths", "8,192 positions, the original context");
    return page;
  },

  async "says that entries of integers are not explained"() {
    const page = await open("#kind=grid&preset=sd3&shape=24x24&columns=1536&dtype=q15&position=30&column=800");
    await shows(page, "#entry", "The page explains only entries of floats");
    assert.equal(await page.locator("#recipe-box").isVisible(), false);
    const [inner, full] = await page.evaluate(() => [document.querySelector("#form").clientWidth, document.querySelector("#form").scrollWidth]);
    assert.equal(full, inner);
    return page;
  },

  async "draws the errors of the recipes"() {
    const page = await open();
    await page.locator("#errors-section").scrollIntoViewIfNeeded();
    await shows(page, "#errors-first", "first exceeds 1e\u22123 at position 18,047.");
    await shows(page, "#errors-numbers", "none to 1,048,576");
    assert.equal(await page.locator("#errors path.line").count(), 5);
    const dashes = await page.locator("#errors path.line").evaluateAll((lines) => lines.map((line) => line.getAttribute("stroke-dasharray")));
    assert.equal(new Set(dashes).size, 5);
    return page;
  },

  ...ofAddresses(open, shows),
  ...ofControls(open, shows),
  ...ofFiles(open),
  ...ofSettings(open, shows),

  async "fits every width, in both themes"() {
    let page;
    for (const [width, colorScheme] of [[1280, "light"], [800, "dark"], [390, "light"]]) {
      page = await open("#kind=rotary&preset=llama3_1&rows=4096&columns=128&dtype=f64&position=4503599627370496&column=20&recipe=f32", { viewport: { width, height: 844 }, colorScheme });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await shows(page, "#wavelengths", "the original context");
      const [inner, full] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
      assert.equal(full, inner);
      const names = await page.evaluate(() => [...document.querySelectorAll("input, select, textarea")].filter(({ labels }) => labels.length === 0).map(({ id }) => id));
      assert.deepEqual(names, []);
      assert.deepEqual(page.problems, []);
    }
    return page;
  },
};

let failed = 0;
const chosen = Object.entries(tests).filter(([name]) => name.includes(part));
for (const [name, test] of chosen) {
  try {
    const page = await test();
    assert.deepEqual(page.problems, []);
    await page.context().close();
    console.log(`ok   ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}
await chromium.close();
stop();
console.log(`${chosen.length - failed} of ${chosen.length} tests passed`);
process.exitCode = failed || chosen.length === 0 ? 1 : 0;
