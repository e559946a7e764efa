// The entries around the selected one, as numbers.

import { cell } from "./colours.js";
import { element, grouped, short } from "./dom.js";
import { lastRow } from "./table.js";

const AROUND = 5;
const SIZE = 2 * AROUND + 1;

/** Returns the rows and columns around the selected entry. */
function windowOf(view) {
  const clamp = (at, count) => Math.max(0, Math.min(at - AROUND, count - SIZE));
  return {
    first: clamp(view.position, lastRow(view) + 1),
    count: Math.min(SIZE, lastRow(view) + 1),
    left: clamp(view.column, view.columns),
    width: Math.min(SIZE, view.columns),
  };
}

/** Fills the table, and returns the selected entry. */
export async function showAround(box, client, view) {
  const { first, count, left, width } = windowOf(view);
  const bytes = await client.ask("entries", { table: view.table, first, step: 1, count }, "around");
  const entries = new Float32Array(bytes.buffer);
  const of = (row, column) => entries[(row - first) * view.columns + column];
  const columns = Array.from({ length: width }, (_, i) => left + i);
  const rows = Array.from({ length: count }, (_, i) => first + i);
  const corner = element("td", {}, view.axes ? "row" : "position");
  const head = element("tr", {}, corner, ...columns.map((column) => element("th", { scope: "col" }, String(column))));
  const body = rows.map((row) => {
    const cells = columns.map((column) => entry(of(row, column), row, column, view));
    return element("tr", {}, element("th", { scope: "row" }, grouped(row)), ...cells);
  });
  box.replaceChildren(element("thead", {}, head), element("tbody", {}, ...body));
  return of(view.position, view.column);
}

function entry(value, row, column, view) {
  const made = element("td", {}, short(value, 3));
  const { background, text } = cell(value);
  made.style.background = background;
  made.style.color = text;
  made.dataset.row = row;
  made.dataset.column = column;
  if (row === view.position && column === view.column) made.setAttribute("aria-current", "true");
  return made;
}
