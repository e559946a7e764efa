// The form that describes the table.

import { $, element, set } from "./dom.js";
import { fromCommand } from "./files.js";
import { hasAxes } from "./state.js";

const WIDE = matchMedia("(min-width: 961px)");
const SIZES = ["rows", "columns", "shape", "dtype"];

export class Form {
  #presets; #keys; #onChange;
  #shown = null;
  #before = ""; // the preset before a config
  #timers = new Map(); // of fields whose text is not yet taken

  /** `keys` are the keys of each kind. `onChange` is called with what has changed in the state. */
  constructor(presets, keys, onChange) {
    [this.#presets, this.#keys, this.#onChange] = [presets, keys, onChange];
    const option = ({ name, models, kind }) => element("option", { value: name, label: `${models} (${kind.replace("_", " ")})` });
    $("presets").replaceChildren(...presets.map(option));
    $("kind").addEventListener("change", () => this.#kind($("kind").value));
    $("preset").addEventListener("change", () => this.#preset($("preset").value.trim()));
    $("preset").addEventListener("input", ({ inputType = "insertReplacementText" }) => this.#pick(inputType));
    $("preset").addEventListener("focus", () => $("preset").select());
    for (const name of SIZES) this.#input($(name), () => onChange({ [name]: ungrouped($(name).value) }));
    this.#input($("layers"), () => onChange({ layers: $("layers").value.trim() }));
    this.#input($("config"), () => this.#config($("config").value.trim()));
    $("form").addEventListener("submit", (event) => event.preventDefault());
  }

  /** Takes the text of a field once the user stops typing, or leaves the field. */
  #input(field, take) {
    const takeNow = () => {
      this.#forget(field);
      take();
    };
    field.addEventListener("input", () => {
      this.#forget(field);
      this.#timers.set(field, setTimeout(takeNow, 180));
    });
    field.addEventListener("change", () => this.#timers.has(field) && takeNow());
  }

  #forget(field) {
    clearTimeout(this.#timers.get(field));
    this.#timers.delete(field);
  }

  /** Forgets texts that are not yet taken. */
  forget() {
    for (const field of this.#timers.keys()) this.#forget(field);
  }

  /** Shows a state in the fields, except in one that is being edited. */
  show(state) {
    for (const name of ["kind", "preset", "config", "layers", "rows", "columns", "shape"]) set($(name), state[name]);
    if (![...$("dtype").options].some(({ value }) => value === state.dtype)) {
      $("dtype").append(element("option", { value: state.dtype }, state.dtype));
    }
    $("dtype").value = state.dtype || "f32";
    $("rows-field").hidden = hasAxes(state);
    $("shape-field").hidden = !hasAxes(state);
    const [label, key] = state.kind.startsWith("rotary") ? ["Head size", "head_dim"] : ["Columns", "d_model"];
    $("columns-label").replaceChildren(label, element("code", {}, key));
    if (state.config) $("config-field").open = true;
    this.#showKeys(state);
    this.#showPreset(state);
  }

  #showKeys(state) {
    const given = Object.values(state.keys).filter((text) => text.trim() !== "").length;
    $("keys-count").textContent = given ? `${given} set` : "";
    if (this.#shown !== state.kind) {
      this.#shown = state.kind;
      $("keys").replaceChildren(...this.#keys[state.kind].map((key) => this.#field(key)));
    }
    for (const field of $("keys").querySelectorAll("[data-key]")) {
      set(field, state.keys[field.dataset.key] ?? "");
    }
    if (given && WIDE.matches) $("keys-field").open = true;
  }

  #field({ key, about, placeholder, names, by_axis: byAxis }) {
    const id = `key-${key}`;
    const options = ["", ...names].map((name) => element("option", { value: name }, name || "default"));
    const attributes = { id, "data-key": key, "aria-describedby": `${id}-about` };
    const field = names.length
      ? element("select", attributes, ...options)
      : element("input", { ...attributes, placeholder, autocomplete: "off", spellcheck: "false" });
    // Other rows begin with the first one.
    const moved = key === "start" || key === "step" ? { position: null } : {};
    this.#input(field, () => this.#onChange({ keys: this.#given(), ...moved }));
    const more = byAxis ? ". One value, or one for each axis" : "";
    return element(
      "div", { class: "field" }, element("label", { for: id }, element("code", {}, key)), field,
      element("small", { id: `${id}-about` }, about.replaceAll("`", "") + more),
    );
  }

  /** Shows what a table has where nothing is set. */
  describe({ table, rows, macro, values }) {
    $("rows").placeholder = table.rows === "" ? String(rows) : "";
    const columns = macro.match(/!\((?:\([^)]*\)|[^,]*), (\d+)/)?.[1] ?? "";
    $("columns").placeholder = table.columns === "" ? columns : "";
    const all = new Map(values);
    for (const field of $("keys").querySelectorAll("[data-key]")) {
      const { key, placeholder } = this.#keys[this.#shown].find((each) => each.key === field.dataset.key);
      const value = all.get(key);
      if (field.tagName === "SELECT") field.options[0].textContent = value ? `default (${value})` : "default";
      else field.placeholder = value ?? placeholder;
    }
  }

  #given() {
    return Object.fromEntries([...$("keys").querySelectorAll("[data-key]")].map((field) => [field.dataset.key, field.value]));
  }

  #showPreset({ kind, preset, config }) {
    const found = this.#presets.find((each) => each.kind === kind && each.name === preset);
    const source = found?.source ? ` Source: ${found.source.replaceAll("`", "")}.` : "";
    $("preset-about").textContent = config
      ? "The config below replaces the preset."
      : found ? `${found.models[0].toUpperCase()}${found.models.slice(1)}: ${found.table.replace(/\.*$/, ".")}${source}` : `${this.#presets.length} tables of models.`;
  }

  /** Another kind begins with its first preset. */
  #kind(kind) {
    this.#onChange(begun(this.#presets.find((preset) => preset.kind === kind)), true);
  }

  /** Takes a preset that is picked from the list: some browsers tell of a change only once the field loses the focus. */
  #pick(inputType) {
    const name = $("preset").value;
    if (inputType === "insertReplacementText" && this.#presets.some((preset) => preset.name === name)) this.#preset(name);
  }

  #preset(name) {
    const found = this.#find(name);
    this.#onChange(found ? begun(found) : { preset: name, config: "" }, true);
  }

  /** Returns the preset of a name, of another name, or of a model. One of the kind that is shown comes first. */
  #find(name) {
    const wanted = plain(name);
    const ways = [
      (preset) => preset.name === name, (preset) => preset.see_also.includes(name), (preset) => plain(preset.name) === wanted,
      (preset) => preset.models.split(/, | and /).some((model) => plain(model) === wanted),
      (preset) => wanted.length > 3 && plain(preset.models).startsWith(wanted),
    ];
    const own = this.#presets.filter(({ kind }) => kind === $("kind").value);
    const tried = ways.flatMap((way) => [own.find(way), this.#presets.find(way)]);
    return wanted === "" ? undefined : tried.find((preset) => preset);
  }

  /** A config that says how many positions and columns there are replaces the sizes. */
  #config(config) {
    $("layer-types").replaceChildren(...layerTypes(config).map((value) => element("option", { value })));
    if (config === "") return this.#onChange(begun(this.#find(this.#before) ?? this.#presets[0]), true);
    this.#before = $("preset").value.trim() || this.#before;
    const kind = $("kind").value === "rotary_grid" ? "rotary_grid" : "rotary";
    this.#onChange({ kind, config, preset: "", rows: "", columns: "", layers: "", keys: {} }, true);
  }
}

/** Returns a name as it is compared with others. */
function plain(name) {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "");
}

/** Returns a number without the commas between its groups of digits. */
function ungrouped(text) {
  return /^\d{1,3}(,\d{3})+$/.test(text.trim()) ? text.replaceAll(",", "") : text;
}

/** Returns the types of layers in the text of a config. */
function layerTypes(text) {
  try {
    const config = JSON.parse(text);
    return [...new Set((config.text_config ?? config).layer_types)];
  } catch {
    return [];
  }
}

/** Returns the state that a preset begins with: the sizes and the keys of its example. The element type stays. */
function begun({ kind, name, rows, columns, shape, example }) {
  const { dtype, ...state } = fromCommand(example);
  const sizes = hasAxes({ kind }) ? { rows: "", shape: state.shape || shape } : { rows: state.rows || String(rows), shape: "" };
  return { ...state, ...sizes, kind, preset: name, columns: state.columns || String(columns) };
}
