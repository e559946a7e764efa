// Tests of files: those that the page saves, and those whose table it identifies.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

const WHISPER = "#kind=sinusoidal&preset=whisper&rows=3&columns=6&dtype=f32&position=0&column=0";
const FORMATS = ["npy", "safetensors", "h"];

/** Saves the table of a page, and returns the bytes of the file. */
async function saved(page, format) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`#${format}`)]);
  assert.equal(download.suggestedFilename(), `pe.${format}`);
  return readFile(await download.path());
}

/** Returns a .safetensors file: tensors by name, with their type, shape and bytes. */
function checkpoint(tensors) {
  let end = 0;
  const header = Object.fromEntries(Object.entries(tensors).map(([name, { dtype = "F32", shape, bytes }]) => {
    const start = end;
    end += bytes.length;
    return [name, { dtype, shape, data_offsets: [start, end] }];
  }));
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...Object.values(tensors).map(({ bytes }) => bytes)]);
}

const floats = (numbers) => Buffer.from(new Float32Array(numbers).buffer);

/** Returns numbers that are no table. */
function noise(count) {
  let bits = 1;
  const next = () => (bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0) / 2 ** 32 - 0.5;
  return floats(Array.from({ length: count }, next));
}

/** Chooses files, and waits for the answer. */
async function choose(page, ...files) {
  await page.setInputFiles("#file", files.map(({ name, bytes }) => ({ name, mimeType: "application/octet-stream", buffer: bytes })));
  return answered(page);
}

async function answered(page) {
  await page.waitForFunction(() => document.querySelector("#scan").hidden && document.querySelector("#found").textContent !== "");
  return page.locator("#found").innerText();
}

/** Dispatches an event of dragging with a file that the function in the page makes. */
const drag = (page, type, make) => page.evaluate(([type, make]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new Function(`return ${make}`)()());
  document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
}, [type, String(make)]);

export const tests = (open) => ({
  async "saves .npy, .safetensors and .h files"() {
    const page = await open(WHISPER);
    const [npy, tensors, c] = [await saved(page, "npy"), await saved(page, "safetensors"), String(await saved(page, "h"))];
    assert.equal(npy.length, 128 + 72);
    assert.equal(npy.subarray(0, 8).toString("latin1"), "\x93NUMPY\x01\x00");
    assert.match(npy.subarray(10, 128).toString(), /^\{'descr': '<f4', 'fortran_order': False, 'shape': \(3, 6, \), \} *\n$/);
    assert.equal(npy.readFloatLE(128 + 6 * 4), Math.fround(Math.sin(1)));
    const length = Number(tensors.readBigUInt64LE(0));
    const header = JSON.parse(tensors.subarray(8, 8 + length));
    assert.deepEqual(header.pe, { dtype: "F32", shape: [3, 6], data_offsets: [0, 72] });
    assert.ok(header.__metadata__.posenc.startsWith("sinusoidal_table!(3, 6"));
    assert.deepEqual(tensors.subarray(8 + length), npy.subarray(128));
    assert.match(c, /PE_ATTRIBUTE static const float PE\[PE_ROWS\]\[PE_COLUMNS\] = \{\n {4}\{0x0p\+0f, /);
    assert.equal(await page.locator("#saved").textContent(), `pe.h: ${c.length.toLocaleString("en-US")} bytes`);
    return page;
  },

  async "saves the bytes that the command writes"() {
    const page = await open(WHISPER);
    if (!process.env.POSENC) {
      console.log("     POSENC does not name the command: no files compared");
      return page;
    }
    const folder = await mkdtemp(path.join(os.tmpdir(), "posenc-page-"));
    for (const hash of [
      WHISPER, "#kind=rotary&preset=llama3_1&rows=40&columns=128&dtype=f64", "#kind=grid&preset=mae&shape=3x4&columns=48&dtype=i8(1/127)",
      "#kind=rotary_grid&preset=qwen2_vl_vision&shape=4x6&columns=80&dtype=f32&.merge=2", "#kind=sinusoidal&preset=&rows=4&columns=8&dtype=q15&.base=500",
      "#kind=sinusoidal&preset=fairseq&rows=9&columns=8&dtype=bf16",
    ]) {
      const shown = await open(hash);
      const written = (await shown.locator("#command").textContent()).replaceAll("'", "").split(" ").slice(1, -1);
      for (const format of FORMATS.filter((format) => format !== "npy" || !hash.includes("bf16"))) {
        const file = path.join(folder, `pe.${format}`);
        // The command of the page makes the default of the page, cosines and sines.
        const packing = hash.includes("rotary") ? ["--packing", "cos_sin"] : [];
        execFileSync(process.env.POSENC, [...written, file, ...packing, "--quiet"]);
        assert.ok((await saved(shown, format)).equals(await readFile(file)), `${hash}, ${format}`);
      }
      await shown.context().close();
    }
    await rm(folder, { recursive: true });
    return page;
  },

  async "loads the module for files only when it is needed"() {
    const page = await open(WHISPER);
    const asked = [];
    page.on("request", (request) => asked.push(path.basename(request.url())));
    await page.fill("#position", "2");
    await page.locator("#columns-section, #wavelengths-section").first().scrollIntoViewIfNeeded();
    assert.ok(!asked.includes("posenc_web_files.wasm"), String(asked));
    await saved(page, "npy");
    assert.ok(asked.includes("posenc_web_files.wasm"));
    return page;
  },

  async "shows other positions while it saves"() {
    const page = await open(WHISPER);
    let release;
    const released = new Promise((resolve) => (release = resolve));
    await page.route("**/posenc_web_files.wasm", async (route) => {
      await released;
      await route.continue();
    });
    const download = page.waitForEvent("download");
    await page.click("#npy");
    await page.fill("#position", "2");
    await page.waitForFunction(() => document.querySelector("#selected").textContent.includes("position 2, "), null, { timeout: 5000 });
    assert.equal(await page.locator("#saved").textContent(), "Making pe.npy \u2026");
    release();
    assert.equal((await readFile(await (await download).path())).length, 128 + 72);
    return page;
  },

  async "says that a worker does not start, and goes on with the next one"() {
    const page = await open(WHISPER);
    await page.route("**/worker.js", (route) => route.abort());
    const sentence = "The worker did not start.";
    await page.click("#npy");
    await page.waitForFunction((sentence) => document.querySelector("#saved").textContent === sentence, sentence, { timeout: 5000 });
    assert.match(await choose(page, { name: "x.npy", bytes: Buffer.alloc(0) }, { name: "y.npy", bytes: Buffer.alloc(0) }), /^x\.npy\s+The worker did not start\.$/);
    await page.unroute("**/worker.js");
    assert.equal((await saved(page, "npy")).length, 128 + 72);
    page.problems = page.problems.filter((problem) => !problem.includes("ERR_FAILED"));
    return page;
  },

  async "identifies the table in a chosen file, and shows it"() {
    const page = await open("#kind=sinusoidal&preset=whisper&rows=300&columns=64&dtype=f32&.scale=0.5");
    const npy = await saved(page, "npy");
    await page.selectOption("#kind", "grid");
    const found = await choose(page, { name: "x.npy", bytes: npy });
    assert.match(found, /^x\.npy\s+sinusoidal_table!\(300, 64, freq_shift = 1\.0, layout = halves, scale = 0\.5\)\n {2}table {4}300 x 64 f32, bitwise identical/);
    assert.match(found, /\n {2}command {2}posenc table --preset tensor2tensor --scale=0\.5 --seq-len 300 --d-model 64 -o exact\.safetensors\n/);
    assert.equal(await page.getAttribute("#found", "aria-live"), "polite");
    await page.getByRole("button", { name: "Show this table" }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("#rust").textContent.startsWith("sinusoidal_table!(300, 64, freq_shift = 1.0, layout = halves"));
    assert.equal(await page.inputValue("#kind"), "sinusoidal");
    assert.equal(await page.inputValue("#key-scale"), "0.5");
    assert.ok((await saved(page, "npy")).equals(npy));
    return page;
  },

  async "shows what it identifies, of every kind"() {
    const page = await open(WHISPER);
    for (const hash of [
      "#kind=rotary&preset=llama3_1&rows=512&columns=128&dtype=f32", "#kind=rotary&preset=phi3_5_mini_long&rows=300&columns=96&dtype=f32",
      "#kind=grid&preset=mae&shape=14x14&columns=128&dtype=f32&.zero_rows=1", "#kind=rotary_grid&preset=qwen2_vl_vision&shape=12x20&columns=80&dtype=f32&.merge=2",
      "#kind=sinusoidal&preset=whisper&rows=300&columns=64&dtype=q15", "#kind=sinusoidal&preset=fairseq&rows=300&columns=64&dtype=bf16",
    ]) {
      const made = await open(hash);
      const bytes = await saved(made, "safetensors");
      const found = await choose(page, { name: "x.safetensors", bytes });
      await page.getByRole("button", { name: "Show this table" }).click({ timeout: 2000 }).catch(() => assert.fail(`${hash}\n${found}`));
      const [, sizes] = (await made.locator("#rust").textContent()).match(/!(\(.*?\d), (?!\d)/);
      await page.waitForFunction((sizes) => document.querySelector("#rust").textContent.includes(sizes), sizes, { timeout: 5000 });
      const data = (file) => file.subarray(8 + Number(file.readBigUInt64LE(0)));
      assert.ok(data(await saved(page, "safetensors")).equals(data(bytes)), hash);
      await made.context().close();
    }
    return page;
  },

  async "needs the shape of a grid with three axes"() {
    const page = await open("#kind=rotary_grid&preset=wan&shape=3x8x10&columns=128&dtype=f32");
    const bytes = await saved(page, "safetensors");
    assert.match(await choose(page, { name: "video.safetensors", bytes }), /nothing fits this table of 240 x 128 f32 entries/);
    await page.fill("#file-shape", "3 x 8 x 10");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.querySelector("#found").textContent.includes("rotary_table!((3, 8, 10), 128, "));
    await answered(page);
    await page.selectOption("#kind", "grid");
    await page.getByRole("button", { name: "Show this table" }).click();
    await page.waitForFunction(() => document.querySelector("#rust").textContent.startsWith("rotary_table!((3, 8, 10), 128, "));
    await page.fill("#file-shape", "1x2x3x4x5");
    await page.keyboard.press("Tab");
    await page.waitForFunction(() => document.querySelector("#found").textContent.includes("but must be at most 4 sizes"));
    return page;
  },

  async "takes a dropped file, with a sign while it is dragged"() {
    const page = await open(WHISPER);
    const empty = () => new File([], "empty.npy");
    const isMarked = () => page.evaluate(() => getComputedStyle(document.body, "::after").content.includes("Drop a file"));
    assert.equal(await isMarked(), false);
    await drag(page, "dragover", empty);
    assert.equal(await isMarked(), true);
    await drag(page, "dragleave", empty);
    assert.equal(await isMarked(), false);
    await drag(page, "dragover", empty);
    await drag(page, "drop", () => new File([new Float32Array(64)], "zeros.bin"));
    assert.equal(await isMarked(), false);
    assert.match(await answered(page), /`zeros\.bin` is neither a \.npy, a \.npz nor a \.safetensors file; save the tensor with/);
    assert.ok(await page.evaluate(() => document.querySelector("#found p").getBoundingClientRect().bottom < innerHeight));
    return page;
  },

  async "tells of each tensor of a checkpoint"() {
    const page = await open("#kind=sinusoidal&preset=whisper&rows=64&columns=32&dtype=f32");
    const table = (await saved(page, "npy")).subarray(128);
    const frequencies = floats(Array.from({ length: 64 }, (_, i) => 10_000 ** (-i / 64)));
    const bytes = checkpoint({
      "layers.0.weight": { shape: [64, 32], bytes: noise(64 * 32) },
      "model.embed_positions": { shape: [64, 32], bytes: table },
      "rotary.inv_freq": { shape: [64], bytes: frequencies },
      steps: { dtype: "I64", shape: [1], bytes: Buffer.alloc(8) },
    });
    const found = await choose(page, { name: "model.safetensors", bytes }, { name: "empty.npy", bytes: Buffer.alloc(0) });
    assert.match(found, /\nmodel\.embed_positions: 64 x 32 f32, .*whisper.*, bitwise identical to the exact table\n/);
    assert.match(found, /\nrotary\.inv_freq: 64 f32, inv_freq of /);
    assert.ok(!found.includes("layers.0.weight"), found);
    assert.match(found, /\ntables: 1 of 2 matrices in 1 file, and 1 vector of frequencies, beside 1 other tensor\n/);
    assert.match(found, /`empty\.npy` is empty; /);
    await page.locator("#found summary").first().click();
    assert.equal(await page.locator("#found details[open] button").count(), 2);
    await page.locator("#found summary").nth(1).click();
    assert.equal(await page.locator("#found .line").nth(1).locator("button").count(), 0);
    await page.getByRole("button", { name: "Show the table of model.embed_positions" }).click();
    await page.waitForFunction(() => document.querySelector("#rust").textContent.startsWith("sinusoidal_table!(64, 32"));
    return page;
  },

  async "can be stopped, and keeps what it has found"() {
    const page = await open("#kind=sinusoidal&preset=whisper&rows=64&columns=32&dtype=f32");
    const table = { shape: [64, 32], bytes: (await saved(page, "npy")).subarray(128) };
    const others = Array.from({ length: 5000 }, (_, i) => [`layers.${i}`, { shape: [64, 32], bytes: noise(64 * 32) }]);
    const bytes = checkpoint({ table, ...Object.fromEntries(others) });
    await page.setInputFiles("#file", { name: "large.safetensors", mimeType: "application/octet-stream", buffer: bytes });
    await page.waitForFunction(() => /^tensor [\d,]{2,} of 5,001$/.test(document.querySelector("#scan-about").textContent));
    await page.click("#scan-stop");
    const found = await answered(page);
    assert.match(found, /^large\.safetensors\s+table: 64 x 32 f32, .*\s+Show this table\s+Stopped\.$/);
    assert.match(await choose(page, { name: "empty.npy", bytes: Buffer.alloc(0) }), /^empty\.npy\s+`empty\.npy` is empty/);
    return page;
  },

  async "says what is wrong with a file"() {
    const page = await open(WHISPER);
    const tensors = await saved(page, "safetensors");
    const npy = await saved(page, "npy");
    const damaged = Buffer.from(tensors);
    damaged.writeBigUInt64LE(2n ** 60n);
    for (const [name, bytes, sentence] of [
      ["short.safetensors", tensors.subarray(0, -1), "is damaged: the size of its data is 71 bytes, but its tensors take 72"],
      ["huge.safetensors", damaged, "is damaged: the length of its header is 1152921504606846976, but the length of the file is "],
      ["short.npy", npy.subarray(0, -1), "is damaged: the size of its data is 71 bytes, which does not fit 3 x 6 f32 entries"],
      ["model.pt", Buffer.from("\x80\x02}q\x00.", "latin1"), "is a Python pickle, which could run code; "],
      ["model.gguf", Buffer.from("GGUF\x03\0\0\0\0"), "is a GGUF file, which is not read; "],
      ["archive.npz", Buffer.from("PK\x03\x04 and so on"), "is damaged: "],
      ["noise.npy", Buffer.concat([npy.subarray(0, 128), noise(18)]), "nothing fits this table of 3 x 6 f32 entries"],
    ]) {
      const found = await choose(page, { name, bytes });
      assert.ok(found.includes(sentence), found);
      assert.equal(await page.locator("#found button").count(), 0, name);
    }
    return page;
  },

  async "reads a file of more than 4 GiB in parts"() {
    const page = await open(WHISPER);
    await drag(page, "drop", () => {
      const block = new Blob([new Uint8Array(2 ** 26)]);
      const before = 68 * 2 ** 26; // 4.25 GiB
      const table = Float32Array.from({ length: 64 * 32 }, (_, k) => {
        const [row, column] = [Math.floor(k / 32), k % 32];
        const angle = row * 10_000 ** (-(column % 16) / 15);
        return column < 16 ? Math.sin(angle) : Math.cos(angle);
      });
      const header = new TextEncoder().encode(JSON.stringify({
        filler: { dtype: "U8", shape: [68, 2 ** 26], data_offsets: [0, before] },
        table: { dtype: "F32", shape: [64, 32], data_offsets: [before, before + table.byteLength] },
      }));
      const length = new BigUint64Array([BigInt(header.length)]);
      return new File([length, header, ...Array(68).fill(block), table], "large.safetensors");
    });
    assert.match(await answered(page), /^large\.safetensors\s+sinusoidal_table!\(64, 32, freq_shift = 1\.0, layout = halves\)\s+table +64 x 32 f32, /);
    return page;
  },
});
