// Tests of the state: what is in the address, and what the page shows when the state changes quickly.

import assert from "node:assert/strict";

const WHISPER = "#kind=sinusoidal&preset=whisper&rows=30&columns=64&dtype=f32";
const text = (page, selector) => page.locator(selector).textContent();

/** Makes the answers of workers late, and counts the calls without an answer. */
const slowAnswers = () => {
  window.calls = 0;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...message) {
    window.calls++;
    postMessage.apply(this, message);
  };
  const { set } = Object.getOwnPropertyDescriptor(Worker.prototype, "onmessage");
  const late = (take) => (event) => setTimeout(() => {
    window.calls--;
    take(event);
  }, 60);
  Object.defineProperty(Worker.prototype, "onmessage", { set(take) {
    set.call(this, late(take));
  } });
};
const isIdle = () => window.calls === 0;

export const tests = (open, shows) => ({
  async "selects an entry with the mouse, and goes back"() {
    const page = await open("#kind=rotary_grid&preset=wan&shape=4x14x14&columns=128&dtype=f32&position=300&column=0");
    await shows(page, "#selected", "row 300, column 0");
    await page.locator("#map").click({ position: { x: 400, y: 200 } });
    await page.waitForFunction(() => !document.querySelector("#selected").textContent.includes("row 300, column 0"));
    await page.goBack();
    await shows(page, "#selected", "row 300, column 0");
    return page;
  },

  async "restores the state of an address"() {
    const hash = "#kind=sinusoidal&preset=adm&rows=300&columns=320&dtype=f16&recipe=f64&measure=mean&position=77&column=5&height=4&.scale=0.5";
    const page = await open(hash);
    await shows(page, "#rust", "sinusoidal_table!(300, 320, layout = halves, order = cos_sin, odd = zero, scale = 0.5, dtype = f16)");
    await shows(page, "#selected", "position 77, column 5");
    assert.equal(await page.inputValue("#recipe"), "f64");
    assert.equal(await page.inputValue("#height"), "4");
    assert.equal(await page.inputValue("#key-scale"), "0.5");
    await page.fill("#position", "78");
    await page.waitForFunction((hash) => location.hash === hash, hash.replace("=77", "=78"));
    return page;
  },

  async "shows a table for every address"() {
    const page = await open(WHISPER);
    await page.locator("#errors-section").scrollIntoViewIfNeeded();
    for (const [hash, selected] of [
      ["#kind=foo", "position 963, column 45"], ["#kind=__proto__", "position 963, column 45"], ["#%E0%A4%A", "position 963, column 45"],
      [`${WHISPER}&position=1e300&column=1e300`, "position 9,007,199,254,740,992, column 63"],
      [`${WHISPER}&position=NaN&column=-1&height=7&width=1e9`, "position 0, column 0"],
      [`${WHISPER}&recipe=foo&measure=constructor&overlay=%3Cb%3E`, "position 0, column 0"],
      ["#kind=sinusoidal&preset=whisper&rows=31&columns=64&dtype=&.__proto__=1", "position 0, column 0"],
    ]) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await shows(page, "#selected", selected);
      await shows(page, "#recipe-found", "The recipe gives");
      await shows(page, "#errors-first", "Recipe \u201cf32\u201d");
      assert.equal(await page.inputValue("#dtype"), "f32");
      assert.deepEqual(await page.locator("main section .problem").allTextContents(), ["", "", ""]);
    }
    assert.equal(await page.locator("#dtype option").count(), 10);
    for (const [hash, selected] of [
      ["#kind=grid&preset=mae&shape=0x4&columns=64", "The table has no rows."],
      ["#kind=sinusoidal&preset=paper&rows=10&columns=4000000", "There are too many entries to draw"],
    ]) {
      await page.evaluate((hash) => (location.hash = hash), hash);
      await shows(page, "#selected", selected);
      assert.equal(await page.locator("#around tr").count(), 0);
    }
    return page;
  },

  async "goes back to the first view, and shows it in fields with the focus"() {
    const page = await open();
    await page.fill("#preset", "mae");
    await page.keyboard.press("Enter");
    await shows(page, "#rust", "grid_table!(");
    await page.fill("#columns", "96");
    await shows(page, "#rust", "(14, 14), 96");
    await page.goBack();
    await shows(page, "#rust", "sinusoidal_table!(1500, 384");
    await shows(page, "#selected", "position 963, column 45");
    assert.deepEqual(await Promise.all(["#preset", "#columns"].map((field) => page.inputValue(field))), ["whisper", "384"]);
    await page.fill("#position", "7");
    await page.evaluate((hash) => (location.hash = hash), `${WHISPER}&position=9`);
    await shows(page, "#selected", "position 9, column 0");
    assert.equal(await page.inputValue("#position"), "9");
    return page;
  },

  async "keeps the address when the link to the table is followed"() {
    const page = await open(`${WHISPER}&position=9`);
    await page.locator("a.skip").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.id), "map");
    assert.ok((await page.evaluate(() => location.hash)).includes("position=9"));
    return page;
  },

  async "has the table that is shown in the address, and not one with a problem"() {
    const page = await open(WHISPER);
    await page.fill("#preset", "wisper");
    await page.keyboard.press("Tab");
    await shows(page, "#problem", "did you mean `whisper`?");
    await page.fill("#position", "5");
    await page.waitForFunction(() => location.hash.includes("position=5"));
    assert.ok((await page.evaluate(() => location.hash)).includes("preset=whisper&"));
    return page;
  },

  async "shows the last of states that change quickly"() {
    const page = await open();
    await page.addInitScript(slowAnswers);
    await page.reload();
    await shows(page, "#entry", "at position 963:");
    const grid = "#kind=grid&preset=mae&shape=14x14&columns=64&dtype=f32&position=100";
    for (const [first, second, selected, place] of [
      [WHISPER, grid, "row 100, column 0", "at position (7, 2):"], [`${grid}&column=1`, `${WHISPER}&position=5000`, "position 5,000, column 0", "at position 5,000:"],
    ]) {
      await page.waitForFunction(isIdle);
      await page.evaluate(async (states) => {
        for (const hash of states) {
          location.hash = hash;
          await new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
        }
      }, [first, second]);
      await shows(page, "#selected", selected);
      await shows(page, "#entry", place);
    }
    // A new table whose answer is overtaken still has an entry of the history of its own.
    const length = () => page.evaluate(() => history.length);
    const before = await length();
    await page.evaluate(() => {
      const give = (id, text) => {
        const field = document.querySelector(id);
        field.value = text;
        for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
      };
      give("#preset", "paper");
      give("#rows", "77");
    });
    await shows(page, "#rust", "sinusoidal_table!(77, 512");
    assert.equal(await length(), before + 1);
    return page;
  },

  async "draws charts that are begun when another position is shown"() {
    const page = await open("#kind=sinusoidal&preset=whisper&rows=300&columns=2048&dtype=f32&position=1");
    await page.locator("#errors-section").scrollIntoViewIfNeeded();
    await page.waitForSelector("#errors-section[aria-busy]");
    await page.evaluate(() => (location.hash = location.hash.replace(/position=\d+/, "position=2")));
    await page.waitForSelector("#errors-section:not([aria-busy])");
    await shows(page, "#selected", "position 2, column 0");
    assert.equal(await page.locator("#errors path.line").count(), 5);
    return page;
  },
});
