// The page: keeps the state, and shows it in all parts.

import { showAround } from "./around.js";
import { Client, Replaced, unlessReplaced } from "./client.js";
import { GRADIENT } from "./colours.js";
import { askErrors, showErrors } from "./errors.js";
import { askWavelengths, showWavelengths } from "./wavelengths.js";
import { showColumns } from "./columns.js";
import { $, copy, element, grouped, set, short } from "./dom.js";
import { RECIPES, showEntry } from "./entry.js";
import { command, fromCommand, python, save } from "./files.js";
import { Form } from "./form.js";
import { identifyFiles } from "./identify.js";
import { showProblem } from "./problem.js";
import { Sections } from "./sections.js";
import { FIRST, KINDS, fromHash, hasAxes, isSame, table, toHash } from "./state.js";
import { aboutRow, extent, shownRow } from "./rows.js";
import { HeatMap } from "./table.js";

const client = new Client();
let charts; // another worker, which does not keep the picture waiting
let [form, keys, presets, state] = []; // the state is as in the form
let view = null; // the last table without errors, and what is shown of it
let isPending = false; // whether the next table begins an entry of the history
const map = new HeatMap($("map"), client, (position, column, isClick) => select({ position, column }, isClick));
const sections = new Sections();

async function start() {
  const [list, ...all] = await Promise.all([client.ask("presets", {}), ...KINDS.map((kind) => client.ask("keys", { kind }))]);
  presets = list;
  keys = Object.fromEntries(KINDS.map((kind, i) => [kind, all[i]]));
  form = new Form(presets, keys, change);
  $("recipe").replaceChildren(...RECIPES.map(([value, , about]) => element("option", { value }, about)));
  $("legend").style.background = GRADIENT;
  listen();
  await showAddress();
}

function showAddress() {
  state = fromHash(location.hash) ?? FIRST;
  isPending = false;
  form.forget();
  return show();
}

/** Takes a change of the form. */
async function change(patch, isNewTable = false) {
  state = { ...state, ...patch };
  isPending ||= isNewTable;
  if (!(await show())) return;
  remember(isPending);
  isPending = false;
}

/** Takes a change of what is shown of the table. */
function select(patch, isNew = false) {
  state = { ...state, ...patch };
  if (!view) return;
  view = { ...view, ...patch };
  showView();
  remember(isNew);
}

/** Shows the state, and returns whether it has a table and is still the state. */
async function show() {
  form.show(state);
  const wanted = table(state);
  const isStale = () => !isSame(wanted, table(state));
  let description;
  try {
    description = await unlessReplaced(client.ask("describe", wanted, "describe"));
  } catch (error) {
    if (!isStale()) say(error.message);
    return false;
  }
  if (!description || isStale()) return false;
  say("");
  $("main").classList.remove("empty");
  const isOther = !isSame(wanted, view?.table);
  const { column, height, width } = state;
  view = { ...description, table: isOther ? wanted : view.table, axes: hasAxes(state), column, height, width };
  view.position = shownRow(view, state.position ?? view.start);
  view.column = Math.min(view.column, Math.max(0, view.columns - 1));
  state = { ...state, position: view.position, column: view.column };
  form.describe(view);
  if (isOther) showTable();
  showView(isOther);
  return true;
}

function say(sentence) {
  showProblem(sentence);
  if (!view) $("empty").textContent = "There is no table to show yet. The settings say why.";
}

/** Shows what depends on the table alone. */
function showTable() {
  const { rows, columns, bytes } = view;
  $("sizes").textContent = `${grouped(rows)} × ${grouped(columns)} entries, ${grouped(bytes)} bytes`;
  $("rust").textContent = view.macro;
  $("command").textContent = command(view.table);
  $("python").textContent = python(view.table, keys[view.table.kind]);
  $("errors-section").hidden = view.axes;
  $("wavelengths-section").hidden = view.axes;
  $("columns-section").hidden = !view.axes;
  const others = presets.filter(({ kind }) => kind === view.table.kind);
  $("overlay").replaceChildren(element("option", { value: "" }, "none"), ...others.map(({ name }) => element("option", { value: name }, name)));
  const isHalf = view.table.dtype.startsWith("bf16");
  $("npy").disabled = isHalf;
  $("npy-about").textContent = isHalf ? "NumPy has no bf16; save it as .safetensors, or as .h, which has the bits." : "";
  const [low, high] = view.largest === 1 ? ["\u22121", "1"] : [-view.largest, view.largest].map((entry) => short(entry));
  [$("least").textContent, $("greatest").textContent] = [low, high];
  $("range").textContent = `Blue is ${low}, white 0 and red ${high}.`;
  sections.stale("errors", "wavelengths", "columns");
}

/** Shows what depends on the selected entry. */
function showView(isOther = false) {
  $("recipe").value = state.recipe;
  $("measure").value = state.measure;
  $("overlay").value = state.overlay;
  $("height").value = String(view.height);
  $("width").value = String(view.width);
  if (set($("position"), String(view.position))) askPosition(true);
  $("jump").min = view.axes ? 0 : -JUMPS;
  $("jump").value = String(toJump(view.position));
  const name = view.axes ? "Row" : "Position";
  $("jump").setAttribute("aria-valuetext", `${name} ${grouped(view.position)}`);
  $("position-label").textContent = name;
  $("position").inputMode = view.axes ? "numeric" : "text"; // numeric keyboards of phones have no minus
  $("jump-label").textContent = view.axes ? "Jump" : "Jump, with 0 in the middle";
  map.show(view, isOther);
  around();
  explain();
}

async function around() {
  const shown = view;
  if (view.axes && view.rows === 0) return showNone("The table has no rows.");
  let entry;
  try {
    entry = await unlessReplaced(showAround($("around"), client, shown, () => shown === view));
  } catch ({ message }) {
    if (shown === view) showNone(message);
  }
  if (entry === undefined || shown !== view) return;
  const place = `${view.axes ? "row" : "position"} ${grouped(view.position)}, column ${view.column}`;
  const about = view.axes ? "" : aboutRow(view, view.position);
  $("selected").textContent = `Selected: ${place}, value ${short(entry, 7)}. ${about}`.trim();
  $("to-table").hidden = !about.startsWith("Outside");
}

/** Says why there are no entries around the selected one. */
function showNone(sentence) {
  $("around").replaceChildren();
  $("selected").textContent = sentence[0].toUpperCase() + sentence.slice(1);
  $("to-table").hidden = true;
}

async function explain() {
  const shown = view;
  const { table: wanted, axes, position, column } = shown;
  const { recipe } = state;
  try {
    const row = axes ? await client.ask("row", { table: wanted, row: position }, "row") : { holds: "point", position: [position] };
    if (shown !== view) return;
    if (row.holds === "zeros") return note("This is a row of zeros, which no formula makes.");
    const explained = await client.ask("explain", { table: wanted, position: row.position, column, recipe }, "explain");
    if (shown !== view) return;
    $("recipe-box").hidden = false;
    const at = axes ? `position (${row.position.join(", ")})` : `position ${grouped(position)}`;
    $("recipe-found").textContent = showEntry($("entry"), explained, wanted.dtype || "f32", `column ${column} at ${at}`);
  } catch (error) {
    if (shown === view && !(error instanceof Replaced)) note(error.message);
  }
}

function note(sentence) {
  $("entry").replaceChildren(element("p", { class: "note" }, sentence[0].toUpperCase() + sentence.slice(1)));
  $("recipe-box").hidden = true;
}

let timer = 0;

/** Puts what is shown into the address: a new table or a click as a new entry of the history. */
function remember(isNew) {
  clearTimeout(timer);
  const write = () => {
    const hash = toHash({ ...state, ...view.table });
    if (hash === location.hash) return;
    if (isNew) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  };
  if (isNew) write();
  else timer = setTimeout(write, 250);
}

const JUMPS = 1000;

/** The slider is logarithmic in both directions: positions are up to 2^53. */
function toJump(position) {
  const most = Math.log2(extent(view)[1] + 1);
  return most > 0 ? Math.sign(position) * Math.round((JUMPS * Math.log2(Math.abs(position) + 1)) / most) : 0;
}

function fromJump(share) {
  const most = Math.log2(extent(view)[1] + 1);
  return shownRow(view, Math.sign(share) * (Math.round(2 ** ((Math.abs(share) / JUMPS) * most)) - 1));
}

/** Returns the position for a place of the slider. Each step of it moves by a position at least. */
function jumped(share) {
  const position = fromJump(share);
  const way = Math.sign(share - toJump(view.position));
  return position === view.position ? shownRow(view, position + way) : position;
}

/** Says which positions there are, unless the one in the field is one of them. */
function askPosition(isIn) {
  const [first, last] = extent(view);
  $("position").setAttribute("aria-invalid", String(!isIn));
  $("position-about").textContent = isIn ? "" : `An integer from ${grouped(first)} to ${grouped(last)}`;
}

function listen() {
  addEventListener("hashchange", showAddress);
  $("skip").addEventListener("click", (event) => {
    event.preventDefault(); // the address has the state
    $("map").focus();
  });
  $("position").addEventListener("input", () => {
    const text = $("position").value.replaceAll(/[\s_,]/g, "").replace("\u2212", "-");
    const position = Number(text);
    const isIn = /^-?\d+$/.test(text) && BigInt(text) === BigInt(position) && position === shownRow(view, position);
    askPosition(isIn);
    if (isIn) select({ position });
  });
  $("jump").addEventListener("input", () => select({ position: jumped(Number($("jump").value)) }));
  for (const name of ["height", "width"]) $(name).addEventListener("change", () => select({ [name]: Number($(name).value) }));
  $("to-table").addEventListener("click", () => {
    select({ position: view.start }, true);
    $("map").focus();
  });
  $("recipe").addEventListener("change", () => {
    select({ recipe: $("recipe").value });
    sections.stale("errors");
  });
  $("measure").addEventListener("change", () => {
    select({ measure: $("measure").value });
    sections.stale("errors");
  });
  $("overlay").addEventListener("change", () => {
    select({ overlay: $("overlay").value });
    sections.stale("wavelengths");
  });
  $("around").addEventListener("click", ({ target }) => {
    const cell = target.closest("td[data-row]");
    if (cell) select({ position: Number(cell.dataset.row), column: Number(cell.dataset.column) }, true);
  });
  for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button, $(button.dataset.copy).textContent));
  for (const format of ["npy", "safetensors", "h"]) $(format).addEventListener("click", () => download(`pe.${format}`));
  identifyFiles(showCommand);
  let width = innerWidth;
  addEventListener("resize", () => {
    map.draw(); // a pixel may have another size
    if (innerWidth === width) return; // phones hide and show the address
    width = innerWidth;
    sections.stale("errors", "wavelengths", "columns");
  });
  sections.add("errors", $("errors-section"), drawErrors);
  sections.add("wavelengths", $("wavelengths-section"), drawWavelengths);
  sections.add("columns", $("columns-section"), drawColumns);
}

/** Shows the table of a command, which is the answer about a file. */
async function showCommand(text) {
  await change(fromCommand(text), true);
  $("map").focus();
}

async function download(file) {
  const own = new Client(); // a large table does not keep the page waiting, and its memory is freed
  $("saved").textContent = `Making ${file} \u2026`;
  try {
    const bytes = await own.ask("save", { table: view.table, file });
    save(file, [bytes]);
    $("saved").textContent = `${file}: ${grouped(bytes.length)} bytes`;
  } catch (error) {
    $("saved").textContent = error.message;
  }
  own.stop();
}

/** Returns the worker of the charts. It does not finish calls for another table. */
function chartsOf(wanted) {
  if (charts?.table === wanted) return charts;
  if (charts?.worker.isBusy) charts.worker.stop();
  const worker = charts && !charts.worker.isStopped ? charts.worker : new Client();
  charts = { table: wanted, worker, answers: new Map() };
  return charts;
}

/** Asks once for each table. */
function once(name, wanted, ask) {
  const { worker, answers } = chartsOf(wanted);
  if (!answers.has(name)) {
    const answer = ask(worker);
    answer.catch(() => answers.delete(name)); // it is asked for again
    answers.set(name, answer);
  }
  return answers.get(name);
}

async function drawErrors() {
  const wanted = view.table;
  const errors = await once("errors", wanted, (worker) => askErrors(worker, wanted));
  if (wanted !== view.table) return;
  showErrors($("errors"), $("errors-first"), $("errors-numbers"), errors, state.measure, state.recipe);
}

async function drawWavelengths() {
  const { table: wanted } = view;
  const { overlay } = state;
  const preset = presets.find(({ kind, name }) => kind === wanted.kind && name === overlay);
  const other = preset && { kind: preset.kind, preset: overlay, rows: "1", columns: String(preset.columns), keys: {} };
  const found = await askWavelengths(chartsOf(wanted).worker, wanted, other);
  if (wanted === view.table) showWavelengths($("wavelengths"), $("wavelengths-sentence"), found, overlay);
}

async function drawColumns() {
  const wanted = view.table;
  const columns = await once("columns", wanted, (worker) => worker.ask("columns", wanted, "columns"));
  if (wanted !== view.table) return;
  const preset = presets.find(({ kind, name }) => kind === wanted.kind && name === wanted.preset);
  const names = preset?.table.match(/^axes (.*)$/)?.[1].split(" or ").map((axes) => axes.split(", ")) ?? [];
  const count = wanted.shape.split(/[xX×,]/).length;
  showColumns($("columns-strip"), $("columns-sentence"), columns, names.find((axes) => axes.length === count) ?? []);
}

start().catch((error) => say(error.message));
