// Tests of the modules in Node, without the page: node wasm.mjs SITE
//
// Tables have the recorded hashes. What is said of rows and columns agrees with the entries and with how they are
// explained, and the first large error with the errors at all positions before it.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";

const [site] = process.argv.slice(2);

let opened; // the file that is read

async function load(name) {
  let own;
  const read = (start, length, place) => {
    new Uint8Array(own.memory.buffer, place, length).set(opened.subarray(start, start + length));
    return true;
  };
  own = (await WebAssembly.instantiate(await readFile(path.join(site, name)), { page: { read } })).instance.exports;
  return own;
}

const drawing = await load("posenc_web.wasm");
const files = await load("posenc_web_files.wasm");

function call(name, argument, module = drawing) {
  const bytes = new TextEncoder().encode(`${name}\n${JSON.stringify(argument)}`);
  const start = module.room(bytes.length);
  new Uint8Array(module.memory.buffer, start, bytes.length).set(bytes);
  const kind = module.call();
  const answer = new Uint8Array(module.memory.buffer, module.answer_start(), module.answer_length()).slice();
  const text = () => new TextDecoder().decode(answer);
  if (kind === 2) throw new Error(`${text()}: ${JSON.stringify(argument)}`);
  return kind === 1 ? answer : JSON.parse(text());
}

/** Returns the bytes of the entries. */
const bytes = (table) => call("save", { table, file: "pe.bin" }, files);

/** What is recorded as a subject, for tables of one axis, by the entry point `table`. */
const SUBJECTS = {
  "base 1e9": { keys: { base: "1e9" } },
  "base 0.1, far and backwards": { keys: { base: "0.1", start: "9007199254740992", step: "-1000000007" } },
  "scale 0.3 from -100": { keys: { scale: "0.3", start: "-100" } },
  "unit 8/15": { keys: { unit: "8/15" } },
  frequencies: { keys: { frequencies: "1.0,-0.0625,1e-9" } },
  "fixed point": {},
  "1/100, -3": { dtype: "i8(1/100, -3)" },
  "1/32767": { dtype: "i16(1/32767)" },
  "0.007843138, 127": { dtype: "u8(0.007843138, 127)" },
  "linear(factor = 8.0)": { keys: { scaling: "linear(8)" } },
  "ntk(alpha = 4.0)": { keys: { scaling: "ntk(4)" } },
  "yarn(factor = 40.0, original_max_position_embeddings = 4096)": { keys: { scaling: "yarn(40, 4096)" } },
  "llama3(factor = 8.0, original_max_position_embeddings = 8192)": { keys: { base: "500000", scaling: "llama3(8, 8192)" } },
};
const SCALED = /\(factor|\(alpha/;

/** Tables of several axes, with their entry point. */
const GRIDS = {
  "grid|mae, 14 x 16 and a row of zeros": { kind: "grid", preset: "mae", shape: "14x16", columns: "512", keys: { zero_rows: "1" } },
  "grid|detr_normalized, 28 x 40": { kind: "grid", preset: "detr_normalized", shape: "28x40", columns: "128" },
  "grid, par_table|timm, 31 x 17": { kind: "grid", preset: "timm", shape: "31x17", columns: "64" },
  "axial, cos|qwen2_vl_vision, 12 x 20 in blocks": { kind: "rotary_grid", preset: "qwen2_vl_vision", shape: "12x20", columns: "80", keys: { merge: "2", repeat: "halves", packing: "cos" } },
  "axial, par_table|wan, 5 x 15 x 26": { kind: "rotary_grid", preset: "wan", shape: "5x15x26", columns: "128", keys: { packing: "cos_sin" } },
};

/** Returns the table of a recorded line, or `null` for what the page does not have. */
function wish(door, dtype, rows, columns, subject) {
  const type = dtype.replace("_bits", "");
  const grid = GRIDS[`${door}|${subject}`];
  if (grid) return { keys: {}, dtype: type, ...grid };
  if (door !== "table") return null;
  const preset = /^[a-z0-9_]+$/.test(subject) && subject !== "frequencies" ? subject : "";
  if (!preset && !SUBJECTS[subject]) return null;
  const { keys = {}, dtype: scaled } = SUBJECTS[subject] ?? {};
  const factor = SCALED.test(subject) ? { amplitude: "attention_factor" } : {};
  const from = ["transformer_xl", "conformer_rel"].includes(preset) ? { start: "127" } : {};
  return { kind: "sinusoidal", preset: preset || "paper", rows, columns, dtype: scaled ?? type, keys: { ...keys, ...factor, ...from } };
}

const recorded = await readFile(new URL("../../tests/hashes/recorded.txt", import.meta.url), "utf8");
const LINE = /^([0-9a-f]{64}) (.+?) (f32|f64|f16_bits|bf16_bits|q7|q15|q31|i8|i16|u8) (\d+)x(\d+) (.+)$/;
let compared = 0;
for (const line of recorded.trim().split("\n")) {
  const [, hash, door, dtype, rows, columns, subject] = line.match(LINE);
  const table = wish(door, dtype, rows, columns, subject);
  if (!table) continue;
  const found = createHash("sha256").update(bytes(table)).digest("hex");
  assert.equal(found, hash, line);
  compared++;
}
assert.ok(compared >= 20, `${compared}`);
console.log(`${compared} of ${recorded.trim().split("\n").length} recorded tables have the same hash`);

const ROWS = [
  { kind: "grid", preset: "mae", shape: "4x6", columns: "32", dtype: "f64", keys: { zero_rows: "2" } },
  { kind: "grid", preset: "sd3", shape: "4x6", columns: "32", dtype: "f64", keys: { identity_rows: "1" } },
  { kind: "grid", preset: "deformable_detr", shape: "5x7", columns: "32", dtype: "f64", keys: {} },
  { kind: "rotary_grid", preset: "qwen2_vl_vision", shape: "4x6", columns: "32", dtype: "f64", keys: { merge: "2" } },
  { kind: "rotary_grid", preset: "llama4_vision", shape: "4x6", columns: "32", dtype: "f64", keys: {} },
  { kind: "rotary_grid", preset: "qwen_image", shape: "3x4x6", columns: "128", dtype: "f64", keys: { merge: "2" } },
];
let explained = 0;
for (const table of ROWS) {
  const { rows, columns } = call("describe", table);
  const entries = new Float64Array(bytes(table).buffer);
  for (let row = 0; row < rows; row++) {
    const { holds, position } = call("row", { table, row });
    for (const column of [0, 1, columns / 4, columns / 2, columns - 1]) {
      const entry = entries[row * columns + column];
      const value = holds === "zeros" ? 0 : call("explain", { table, position, column, recipe: "f64" }).result.value;
      assert.equal(value, entry, `${table.preset}, row ${row}, column ${column}`);
      explained++;
    }
  }
}
console.log(`${explained} entries of grids are those that are explained`);

const COLUMNS = [
  { kind: "sinusoidal", preset: "whisper", rows: "4", columns: "20", keys: {} },
  { kind: "sinusoidal", preset: "paper", rows: "4", columns: "21", keys: { odd: "zero", amplitude: "-2.5" } },
  { kind: "sinusoidal", preset: "paper", rows: "4", columns: "16", keys: { columns: "cos", repeat: "pairs" } },
  { kind: "rotary", preset: "llama3_1", rows: "4", columns: "32", keys: { packing: "cos_sin", repeat: "pairs" } },
  { kind: "rotary", preset: "yi", rows: "4", columns: "16", keys: { packing: "sin_cos", repeat: "halves" } },
  { kind: "rotary", preset: "deepseek_v3", rows: "4", columns: "64", keys: { packing: "complex" } },
  { kind: "grid", preset: "mae", shape: "4x6", columns: "32", keys: {} },
];
let described = 0;
for (const table of COLUMNS) {
  const axes = table.shape ? [0, 0] : [0];
  for (const [column, { function: name, index, axis, frequency }] of call("columns", table).entries()) {
    const explained = call("explain", { table: { ...table, dtype: "f64" }, position: axes, column, recipe: "f64" });
    const found = [explained.function, explained.frequency_index ?? 0, explained.axis, Number(explained.frequency ?? 0)];
    assert.deepEqual([name, index, axis, frequency], found, `${JSON.stringify(table)}, column ${column}`);
    described++;
  }
}
console.log(`${described} columns are those that are explained`);

const FIRST = { kind: "sinusoidal", preset: "paper", rows: "4", columns: "64", keys: {} };
for (const recipe of ["f32", "bf16_angles", "f16_angles"]) {
  const { first } = call("errors", { table: FIRST, recipes: [recipe], positions: [1] })[0];
  const positions = Array.from({ length: first }, (_, i) => i + 1);
  const { largest } = call("errors", { table: FIRST, recipes: [recipe], positions })[0];
  assert.equal(largest.findIndex((error) => error > 1e-3) + 1, first, recipe);
  console.log(`${recipe}: the first error above 1e-3 is at position ${first}`);
}

// Angles above 65,504 are infinite in f16, and an infinite angle has no sine and no cosine.
const INFINITE = { kind: "sinusoidal", preset: "paper", rows: "4", columns: "2", keys: { frequencies: "32" } };
const [infinite] = call("errors", { table: INFINITE, recipes: ["f16_angles"], positions: [2047, 2048] });
assert.ok(infinite.largest[0] < 1e-6 && infinite.mean[0] < 1e-6);
assert.deepEqual([infinite.largest[1], infinite.mean[1], infinite.first], [null, null, 2048]);
console.log("f16_angles: infinite angles are errors");

// A size of a tensor beside the table may have more than 32 bits.
const header = JSON.stringify({
  large: { dtype: "F32", shape: [0, 2 ** 40], data_offsets: [0, 0] },
  pe: { dtype: "F32", shape: [8, 16], data_offsets: [0, 512] },
});
const entries = bytes({ kind: "sinusoidal", preset: "paper", rows: "8", columns: "16", keys: {} });
const start = new Uint8Array(8 + header.length);
new DataView(start.buffer).setUint32(0, header.length, true);
new TextEncoder().encodeInto(header, start.subarray(8));
opened = Buffer.concat([start, entries]);
call("open", { name: "large.safetensors", size: opened.length, shape: "" }, files);
assert.equal(call("one", null, files).call, "sinusoidal_table!(8, 16)");
console.log("a file with a size of 40 bits is read");
