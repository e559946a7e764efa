// Files with a table, and texts that make it elsewhere.

const NUMPY = { f32: "<f4", f64: "<f8", f16: "<f2", q7: "|i1", q15: "<i2", q31: "<i4", i8: "|i1", i16: "<i2", u8: "|u1" };
const TENSOR = { f32: "F32", f64: "F64", f16: "F16", bf16: "BF16", q7: "I8", q15: "I16", q31: "I32", i8: "I8", i16: "I16", u8: "U8" };

/** Returns a type without its scale: `i8` of `i8(1/127)`. */
function plain(dtype) {
  return dtype.split("(")[0].trim() || "f32";
}

/** Returns the header of a .npy file, or `null` for a type that NumPy does not have. */
export function npyHeader(dtype, rows, columns) {
  const descr = NUMPY[plain(dtype)];
  if (!descr) return null;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64;
  const bytes = new Uint8Array(length);
  bytes[0] = 0x93;
  bytes.set(new TextEncoder().encode(`NUMPY\x01\0  ${text.padEnd(length - 11)}\n`), 1);
  new DataView(bytes.buffer).setUint16(8, length - 10, true);
  return bytes;
}

/** Returns the header of a .safetensors file, with the macro call in its metadata. */
export function safetensorsHeader(dtype, rows, columns, size, macro) {
  const tensor = { dtype: TENSOR[plain(dtype)], shape: [rows, columns], data_offsets: [0, size] };
  const text = new TextEncoder().encode(JSON.stringify({ __metadata__: { posenc: macro }, pe: tensor }));
  const length = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(0x20, 8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(text, 8);
  return bytes;
}

/** Offers a file to save. */
export function save(name, parts) {
  const address = URL.createObjectURL(new Blob(parts, { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

const used = (keys) => Object.entries(keys).filter(([, text]) => text.trim() !== "").map(([key, text]) => [key, text.trim()]);
const unbracketed = (text) => text.replace(/^\[|\]$/g, "");

/** Returns the command that writes the table. */
export function command({ kind, preset, config, layers, rows, columns, shape, dtype, keys }) {
  const isOneAxis = kind === "sinusoidal" || kind === "rotary";
  const program = { sinusoidal: "table", rotary: "rope", grid: "grid", rotary_grid: "rope" }[kind];
  const width = kind.startsWith("rotary") ? "head-dim" : "d-model";
  const options = [
    ...(config ? [["config", "config.json"], ["layers", layers]] : [["preset", preset]]),
    isOneAxis ? ["seq-len", rows] : ["shape", shape.replaceAll(/\s*[xX×,]\s*/g, "x")], [width, config && kind === "rotary_grid" ? "" : columns],
    ["dtype", dtype === "f32" ? "" : dtype],
    ...used(keys).map(([key, text]) => [key.replaceAll("_", "-"), unbracketed(text)]),
  ];
  const words = options.filter(([, text]) => text !== "").map(([name, text]) => (text.startsWith("-") ? `--${name}=${quoted(text)}` : `--${name} ${quoted(text)}`));
  return ["posenc", program, ...words, "-o", dtype === "bf16" ? "pe.safetensors" : "pe.npy"].join(" ");
}

function quoted(text) {
  return /^[\w.,/:=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the call in Python. `all` describes the keys. */
export function python({ kind, preset, config, layers, rows, columns, shape, dtype, keys }, all) {
  const isOneAxis = kind === "sinusoidal" || kind === "rotary";
  const isRotary = kind.startsWith("rotary");
  const sizes = isOneAxis ? [rows, columns] : [`(${shape.split(/[xX×,]/).map((size) => size.trim()).join(", ")},)`.replace(/(, \d+),\)/, "$1)"), columns];
  const named = [];
  if (config) named.push(["config", `"config.json"`]);
  if (config && layers) named.push(["layers", text(layers)]);
  if (!config && preset) named.push(["preset", text(preset)]);
  if (isRotary && !keys.packing?.trim()) named.push(["packing", text("cos_sin")]);
  if (dtype !== "f32") named.push(["dtype", text(dtype)]);
  for (const [key, value] of used(keys)) named.push([key, argument(value, all.find((each) => each.key === key))]);
  const placed = config && kind === "rotary_grid" ? sizes.slice(0, 1) : sizes;
  const names = ["seq_len", "head_dim"];
  const given = placed.map((size, i) => (i && placed[0] === "" ? `${names[i]}=${size}` : size)).filter((size) => !/(^|=)$/.test(size));
  return `posenc.${kind}(${[...given, ...named.map(([name, value]) => `${name}=${value}`)].join(", ")})`;
}

const text = (value) => JSON.stringify(value);

function argument(value, key) {
  const isList = key?.placeholder === "LIST" || (key?.by_axis && value.includes(",") && !value.includes("("));
  if (!isList) return number(value) ?? text(value);
  const all = unbracketed(value).split(",").map((part) => number(part.trim()) ?? text(part.trim()));
  return key.by_axis && key.placeholder !== "LIST" ? `(${all.join(", ")})` : `[${all.join(", ")}]`;
}

function number(value) {
  return /^-?(\d[\d_]*)(\.\d*)?(e[+-]?\d+)?$/i.test(value) ? value : null;
}
