// What the page shows, and the same in the address.

import { RECIPES } from "./entry.js";

export const KINDS = ["sinusoidal", "rotary", "grid", "rotary_grid"];
const MEASURES = ["largest", "mean"];
const TEXTS = ["kind", "preset", "config", "layers", "rows", "columns", "shape", "dtype", "recipe", "measure", "overlay"];
const PIXELS = [1, 2, 4, 8, 16];
const NUMBERS = ["position", "column", "height", "width"];

/**
 * The first view: the entry of Whisper's table with the largest error in ulps.
 *
 * A position of `null` is the first row of the table, and a width of 0 fits all columns into the picture.
 */
export const FIRST = {
  kind: "sinusoidal", preset: "whisper", config: "", layers: "", rows: "1500", columns: "384", shape: "", dtype: "f32",
  recipe: "f32", measure: "largest", overlay: "", position: 963, column: 45, height: 2, width: 0, keys: {},
};

/** Returns the hash of a state. Keys of the table begin with a dot. */
export function toHash(state) {
  const hash = new URLSearchParams();
  for (const name of TEXTS) if (state[name] !== "") hash.set(name, state[name]);
  for (const name of NUMBERS) if (name !== "width" || state.width) hash.set(name, String(state[name]));
  for (const [key, text] of Object.entries(state.keys)) if (text.trim() !== "") hash.set(`.${key}`, text);
  return `#${hash}`;
}

/** Reads the state of a hash, or returns `null` if it has none of the kinds. */
export function fromHash(text) {
  const hash = new URLSearchParams(text.replace(/^#/, ""));
  if (!KINDS.includes(hash.get("kind"))) return null;
  const state = { ...FIRST, keys: {} };
  for (const name of TEXTS) state[name] = hash.get(name) ?? "";
  state.dtype ||= FIRST.dtype;
  if (!RECIPES.some(([recipe]) => recipe === state.recipe)) state.recipe = FIRST.recipe;
  if (!MEASURES.includes(state.measure)) state.measure = FIRST.measure;
  for (const name of NUMBERS) {
    const number = Math.floor(Number(hash.get(name)));
    state[name] = Number.isFinite(number) && (number >= 0 || name === "position") ? number : 0;
  }
  if (!hash.has("position")) state.position = null;
  if (!PIXELS.includes(state.height)) state.height = FIRST.height;
  if (!PIXELS.includes(state.width)) state.width = FIRST.width;
  for (const [key, value] of hash) if (key.startsWith(".")) state.keys[key.slice(1)] = value;
  return state;
}

/** Returns the part of a state that determines the table, as the module takes it. */
export function table({ kind, preset, config, layers, rows, columns, shape, dtype, keys }) {
  return { kind, preset, config, layers, rows, columns, shape, dtype, keys };
}

/** Whether two tables are the same. */
export function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether the table has several axes. */
export function hasAxes({ kind }) {
  return kind === "grid" || kind === "rotary_grid";
}
