// What is drawn around and over the picture: numbers of rows and columns, the ends of the table and the selected entry.

import { grouped } from "./dom.js";
import { ends } from "./rows.js";

const FAR = 1e7;
const ROUND = 1e4;

/** The space for the numbers. */
export const LEFT = 82;
export const TOP = 24;

/**
 * Draws the numbers. `at` has the `first` row, the pixels of it `above` the picture, the pixels of columns `left` of it, the
 * width of a column as `wide`, that of all columns in the picture as `across`, and the `room` of the picture.
 */
export function drawNumbers(context, view, at, colours) {
  context.fillStyle = colours.soft;
  context.font = `12px ${colours.font}`;
  context.textBaseline = "middle";
  // Numbers of far rows would be too long.
  const base = Math.abs(at.first) > FAR ? Math.floor(at.first / ROUND) * ROUND : 0;
  drawRows(context, view, at, base);
  drawColumns(context, view, at);
  context.textAlign = base ? "left" : "right";
  const corner = base ? `${grouped(base)} +` : "column";
  context.clearRect(0, 0, base ? context.measureText(corner).width + 16 : LEFT, TOP - 7);
  context.fillText(corner, base ? 0 : LEFT - 12, 9);
}

function drawRows(context, { height, lastRow }, { first, above, room }, base) {
  context.textAlign = "right";
  const step = nice(44 / height);
  for (let row = Math.ceil(first / step) * step; row <= lastRow; row += step) {
    const y = TOP + (row - first + 0.5) * height - above;
    if (y > TOP + room.height - 4) break;
    if (y < TOP + 4) continue;
    context.fillText(base ? `+${grouped(row - base)}` : grouped(row), LEFT - 12, y);
    context.fillRect(LEFT - 9, y - 0.5, 4, 1);
  }
}

function drawColumns(context, { columns }, { left, wide, room }) {
  context.textAlign = "center";
  const step = nice(64 / wide);
  for (let column = Math.ceil(left / wide / step) * step; column < columns; column += step) {
    const x = LEFT + (column + 0.5) * wide - left;
    if (x > LEFT + room.width - 14 && column) break;
    if (x < LEFT) continue;
    context.fillText(String(column), Math.max(x, LEFT + 4), 9);
    context.fillRect(x - 0.5, TOP - 6, 1, 4);
  }
}

/** Draws a bar beside the rows of the table, and lines outside its first and its last row. */
export function drawEnds(context, view, { first, above, across, room }, colours) {
  if (view.rows === 0) return;
  const [low, high] = ends(view);
  const [top, bottom] = [TOP, TOP + room.height];
  const [from, to] = [low, high + 1].map((row) => TOP + (row - first) * view.height - above);
  const names = view.step < 0 ? ["last row", "first row"] : ["first row", "last row"];
  context.fillStyle = colours.ink;
  if (to > top && from < bottom) context.fillRect(LEFT - 4, Math.max(top, from), 2, Math.min(bottom, to) - Math.max(top, from));
  if (from >= top && from <= bottom) drawLine(context, names[0], from - 3, from - 12, { across, room }, colours);
  if (to >= top && to <= bottom) drawLine(context, names[1], to, to + 12, { across, room }, colours);
}

/** Draws a line from `y` down, and its name around `middle` if there is space. */
function drawLine(context, name, y, middle, { across, room }, colours) {
  context.fillStyle = colours.paper;
  context.fillRect(LEFT - 4, y, across + 4, 3);
  context.fillStyle = colours.ink;
  context.fillRect(LEFT - 4, y + 0.5, across + 4, 2);
  if (middle < TOP + 9 || middle > TOP + room.height - 9) return;
  context.textAlign = "right";
  const wide = context.measureText(name).width + 14;
  context.fillRect(LEFT + across - wide, middle - 9, wide, 18);
  context.fillStyle = colours.paper;
  context.fillText(name, LEFT + across - 7, middle);
}

/** Draws a frame around the selected entry. */
export function drawSelection(context, { height, position, column }, { first, above, left, wide, room }) {
  const [x, y] = [LEFT + (column + 0.5) * wide - left, TOP + (position - first + 0.5) * height - above];
  if (y < TOP || y > TOP + room.height || x < LEFT || x > LEFT + room.width) return;
  const [across, down] = [Math.max(wide, 11), Math.max(height, 11)];
  for (const [grow, colour] of [[1.5, "#fff"], [0, "#111"]]) {
    context.lineWidth = 1.5;
    context.strokeStyle = colour;
    context.strokeRect(x - across / 2 - grow, y - down / 2 - grow, across + 2 * grow, down + 2 * grow);
  }
}

/** Returns the number of 1, 2 or 5 times a power of ten that is not below a number. */
function nice(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least - 1e-9);
}
