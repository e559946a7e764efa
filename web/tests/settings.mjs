// Tests of the settings: what is wrong with them, and what they show of presets and configs.

import assert from "node:assert/strict";

const LLAMA = "#kind=rotary&preset=llama3_1&rows=64&columns=128&dtype=f32";

/** Takes a text, as somebody who types it and leaves the field. */
async function type(page, field, text) {
  await page.fill(field, text);
  await page.locator(field).blur();
}

export const tests = (open, shows) => ({
  async "shows a problem beside its field, and saves nothing then"() {
    const page = await open(LLAMA);
    const marked = () => page.evaluate(() => [...document.querySelectorAll("form [aria-invalid=true]")].map(({ id }) => id));
    for (const [field, text, sentence] of [
      ["columns", "abc", "`head_dim`: `abc` is not a number"], ["rows", "-1", "`seq_len`"],
      ["key-attention_factor", "zz", "`attention_factor`: `zz` is not a number"], ["key-scaling", "linaer(8)", "did you mean `linear`?"],
    ]) {
      await page.evaluate(() => (document.querySelector("#keys-field").open = true));
      const before = await page.inputValue(`#${field}`);
      await type(page, `#${field}`, text);
      await shows(page, "#problem", sentence);
      assert.deepEqual(await marked(), [field]);
      assert.ok(await page.evaluate((field) => document.getElementById(field).closest(".field").contains(document.querySelector("#problem")), field));
      assert.equal(await page.locator("#stale").isVisible(), true);
      assert.equal(await page.evaluate(() => document.querySelector("#away-section").inert), true);
      await type(page, `#${field}`, before);
      await page.waitForFunction(() => document.querySelector("#problem").textContent === "");
      assert.deepEqual(await marked(), []);
      assert.equal(await page.locator("#stale").isVisible(), false);
      assert.equal(await page.evaluate(() => document.querySelector("#away-section").inert), false);
    }
    return page;
  },

  async "finds presets by the names of models, of any kind"() {
    const page = await open();
    for (const [text, preset, kind] of [["Llama 3.1", "llama3_1", "rotary"], ["Whisper", "whisper", "sinusoidal"], ["Qwen 3", "qwen3", "rotary"], ["MAE", "mae", "grid"], ["vision tower of Llama 4", "llama4_vision", "rotary_grid"]]) {
      await type(page, "#preset", text);
      await page.waitForFunction((preset) => document.querySelector("#preset").value === preset, preset);
      assert.equal(await page.inputValue("#kind"), kind);
    }
    await type(page, "#preset", "no such model");
    await shows(page, "#problem", "unknown preset `no such model`");
    return page;
  },

  async "shows the values that a preset or a config has"() {
    const page = await open(LLAMA);
    const hint = (key) => page.getAttribute(`#key-${key}`, "placeholder");
    await page.waitForFunction(() => document.querySelector("#key-base").placeholder === "500000.0");
    assert.match(await hint("scaling"), /^llama3\(factor = 8\.0, /);
    await page.evaluate(() => (document.querySelector("#config-field").open = true));
    await type(page, "#config", `{"model_type": "qwen2", "hidden_size": 896, "num_attention_heads": 14, "rope_theta": 1000000, "max_position_embeddings": 32768}`);
    await page.waitForFunction(() => document.querySelector("#rows").placeholder === "32768");
    assert.equal(await page.getAttribute("#columns", "placeholder"), "64");
    await page.waitForFunction(() => document.querySelector("#key-base").placeholder === "1000000.0");
    await type(page, "#config", "");
    await page.waitForFunction(() => document.querySelector("#preset").value === "llama3_1");
    return page;
  },

  async "says what is wrong with a config, and which layers there are"() {
    const page = await open(LLAMA);
    await page.evaluate(() => (document.querySelector("#config-field").open = true));
    for (const [config, sentence] of [
      ["{'a': 1}", "`config` is not JSON: "], ["[1, 2]", "`config` is not the config of a model: "], [`{"model_type": "bert"}`, "learned positions"],
      [`{"head_dim": 64, "rope_theta": 10000}`, "the config has no `max_position_embeddings`"],
    ]) {
      await type(page, "#config", config);
      await shows(page, "#problem", sentence);
    }
    const rope = `{"sliding_attention": {"rope_theta": 10000}, "full_attention": {"rope_theta": 1000000}}`;
    await type(page, "#config", `{"model_type": "gemma3_text", "head_dim": 64, "max_position_embeddings": 64, "rope_parameters": ${rope}, "layer_types": ["sliding_attention", "full_attention", "sliding_attention"]}`);
    await type(page, "#layers", "full_attention");
    await shows(page, "#rust", "base = 1000000.0");
    assert.equal(await page.locator("#layer-types option").count(), 2);
    return page;
  },

  async "moves by a position at least with each step of the slider"() {
    const page = await open("#kind=sinusoidal&preset=paper&rows=64&columns=64&dtype=f32&position=0&column=0");
    await page.locator("#jump").focus();
    for (const position of ["1", "2", "3"]) {
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction((position) => document.querySelector("#position").value === position, position);
    }
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => document.querySelector("#position").value === "2");
    await type(page, "#position", "9007199254740993");
    await shows(page, "#position-about", "An integer from");
    return page;
  },

  async "has the strongest colours for the largest entry of any table"() {
    const page = await open("#kind=rotary&preset=qwen2_5_yarn&rows=64&columns=128&dtype=f32&position=0&column=0");
    await shows(page, "#greatest", "1.14");
    assert.equal(await page.textContent("#least"), "\u22121.14");
    const colour = (text) => page.evaluate((text) => [...document.querySelectorAll("#around td[data-row]")].find((cell) => cell.textContent === text).style.background, text);
    assert.equal(await colour("1.1386"), "rgb(103, 0, 31)");
    return page;
  },
});
