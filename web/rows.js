// Which rows can be shown, and which of them the table has.

import { grouped } from "./dom.js";

const FURTHEST = 2 ** 53;

/** Returns the first and the last row that can be shown: positions of a 1-D table have no end but the library's. */
export function extent({ axes, rows }) {
  return axes ? [0, rows - 1] : [-FURTHEST, FURTHEST];
}

/** Returns the least and the greatest position of the rows of the table. */
export function ends({ rows, start, step }) {
  if (rows === 0) return [start, start - 1];
  const last = start + step * (rows - 1);
  return [Math.min(start, last), Math.max(start, last)];
}

/** Returns the row of the table at a position, or `null`. */
export function rowAt({ rows, start, step }, position) {
  const row = step === 0 ? 0 : (position - start) / step + 0; // and not -0
  const isIn = Number.isInteger(row) && row >= 0 && row < rows && start + step * row === position;
  return isIn ? row : null;
}

/** Returns a position that can be shown. */
export function shownRow(view, position) {
  const [first, last] = extent(view);
  return Math.max(first, Math.min(last, position));
}

/** Says which row of the table is at a position, unless its number is the position. */
export function aboutRow(view, position) {
  const row = rowAt(view, position);
  const { rows, start, step, zero_row: zeros } = view;
  if (row !== null && row === zeros) return `In the table, row ${grouped(row)} holds zeros instead.`;
  if (row !== null) return start === 0 && step === 1 ? "" : `It is row ${grouped(row)} of the table.`;
  if (rows === 0) return "The table has no rows.";
  const last = start + step * (rows - 1);
  const steps = Math.abs(step) === 1 ? "" : `, in steps of ${grouped(step)}`;
  return `Outside the table, which has positions ${grouped(start)} to ${grouped(last)}${steps}.`;
}
