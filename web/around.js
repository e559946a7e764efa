// The entries around the selected one, as numbers.

import { cell } from "./colours.js";
import { element, grouped, short } from "./dom.js";
import { ends, extent } from "./rows.js";

const AROUND = 5;
const SIZE = 2 * AROUND + 1;

/** Returns the rows and columns around the selected entry. */
function windowOf(view) {
  const clamp = (at, first, last) => Math.max(first, Math.min(at - AROUND, last - (SIZE - 1)));
  const [first, last] = extent(view);
  return {
    first: clamp(view.position, first, last),
    count: Math.min(SIZE, last - first + 1),
    left: clamp(view.column, 0, view.columns - 1),
    width: Math.min(SIZE, view.columns),
  };
}

/** Writes an entry in a width that fits a cell. */
function decimals(value) {
  return value !== 0 && Math.abs(value) < 1e-3 ? short(value) : value.toFixed(4).replace("-", "\u2212");
}

/** Fills the table, and returns the selected entry, or `undefined` if it is no longer shown. */
export async function showAround(box, client, view, isShown) {
  const { first, count, left, width } = windowOf(view);
  const bytes = await client.ask("entries", { table: view.table, first, count }, "around");
  if (!isShown()) return undefined;
  const entries = new Float32Array(bytes.buffer);
  const of = (row, column) => entries[(row - first) * view.columns + column];
  const columns = Array.from({ length: width }, (_, i) => left + i);
  const rows = Array.from({ length: count }, (_, i) => first + i);
  const corner = element("td", {}, view.axes ? "row" : "position");
  const head = element("tr", {}, corner, ...columns.map((column) => element("th", { scope: "col", "aria-label": `column ${column}` }, String(column))));
  const [low, high] = ends(view);
  const body = rows.map((row) => {
    const cells = columns.map((column) => entry(of(row, column), row, column, view));
    const isOutside = row < low || row > high;
    const name = `${grouped(row)}${isOutside ? ", outside the table" : ""}`;
    return element("tr", isOutside ? { class: "outside" } : {}, element("th", { scope: "row", "aria-label": name }, label(row)), ...cells);
  });
  box.classList.toggle("few", width < SIZE);
  box.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  const scroller = box.parentElement;
  const selected = box.querySelector("[aria-current]");
  scroller.scrollLeft = selected.offsetLeft - (scroller.clientWidth - selected.offsetWidth) / 2;
  return of(view.position, view.column);
}

/** Writes a row, or the end of a long one. */
function label(row) {
  const text = grouped(row);
  return text.length > 11 ? `\u2026${text.slice(-7)}` : text;
}

function entry(value, row, column, view) {
  const made = element("td", {}, decimals(value));
  const { background, text } = cell(value, view.largest);
  made.style.background = background;
  made.style.color = text;
  made.dataset.row = row;
  made.dataset.column = column;
  if (row === view.position && column === view.column) made.setAttribute("aria-current", "true");
  return made;
}
