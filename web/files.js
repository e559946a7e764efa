// Files to save, and texts that make a table elsewhere.

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

/** Returns the state that shows the table of a command. */
export function fromCommand(command) {
  const written = command.matchAll(/--([\w-]+)[ =]('[^']*'|\S+)/g);
  const given = new Map([...written].map(([, option, text]) => [option, text.replaceAll("'", "")]));
  const take = (option) => {
    const text = given.get(option) ?? "";
    given.delete(option);
    return text;
  };
  const shape = take("shape");
  const kind = { table: "sinusoidal", grid: "grid", rope: shape ? "rotary_grid" : "rotary" }[command.split(" ")[1]];
  const columns = take(kind.startsWith("rotary") ? "head-dim" : "d-model");
  const state = { kind, preset: take("preset"), config: "", layers: "", rows: take("seq-len"), columns, shape, dtype: take("dtype") || "f32" };
  const keys = Object.fromEntries([...given].map(([option, text]) => [option.replaceAll("-", "_"), text]));
  return { ...state, keys, position: null, column: 0, overlay: "" };
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
