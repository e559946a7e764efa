// Tests of fingers, buttons and lists.

import assert from "node:assert/strict";

export const tests = (open, shows) => ({
  async "lets a finger scroll the page past the picture, and the picture after a tap"() {
    const page = await open("", { hasTouch: true, viewport: { width: 390, height: 844 } });
    const action = () => page.evaluate(() => getComputedStyle(document.querySelector("#map")).touchAction);
    assert.equal(await action(), "pan-y pinch-zoom");
    await page.locator("#map").tap();
    await page.waitForFunction(() => document.activeElement.id === "map");
    assert.equal(await action(), "pinch-zoom");
    return page;
  },

  async "selects a row in the picture by a click on the numbers of columns"() {
    const page = await open();
    const first = Number(await page.getAttribute("#map", "data-first"));
    await page.locator("#map").click({ position: { x: 300, y: 3 } });
    await shows(page, "#selected", `position ${first}, `);
    return page;
  },

  async "draws charts again for another width of the window, and not for another height"() {
    const page = await open("#kind=rotary&preset=llama3_1&rows=64&columns=128&dtype=f32");
    await page.locator("#wavelengths-section").scrollIntoViewIfNeeded();
    await page.waitForSelector("#wavelengths svg");
    await page.evaluate(() => (document.querySelector("#wavelengths svg").id = "old"));
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.waitForTimeout(300); // another drawing would come later
    assert.equal(await page.locator("#wavelengths svg").getAttribute("id"), "old");
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.waitForFunction(() => document.querySelector("#wavelengths svg").id === "", null, { timeout: 5000 });
    return page;
  },

  async "says whether a text is copied"() {
    const page = await open();
    const button = page.locator("[data-copy=rust]");
    const says = (text) => page.waitForFunction((text) => document.querySelector("[data-copy=rust]").textContent === text, text, { timeout: 5000 });
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined }));
    await button.click();
    await says("Not copied");
    await says("Copy");
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } }));
    await button.click();
    await says("Copied");
    return page;
  },

  async "switches presets and kinds"() {
    const page = await open();
    await page.fill("#preset", "mae");
    await page.keyboard.press("Tab");
    await shows(page, "#rust", "grid_table!((14, 14), 768, first = (w, h))");
    assert.equal(await page.inputValue("#kind"), "grid");
    await page.locator("#columns-section").scrollIntoViewIfNeeded();
    await shows(page, "#columns-sentence", "axis 0: h, 384 columns; axis 1: w, 384 columns.");
    await page.selectOption("#kind", "rotary");
    await shows(page, "#rust", "rotary_table!(");
    return page;
  },

  async "takes a preset once it is picked from the list"() {
    const page = await open();
    await page.evaluate(() => {
      const field = document.querySelector("#preset");
      field.value = "mae";
      field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertReplacementText" }));
    });
    await shows(page, "#rust", "grid_table!(");
    return page;
  },
});
