// Line charts with logarithmic axes. Each line has its own dashes, which its name repeats.

import { element, short, svg } from "./dom.js";

const DASHES = ["", "7 3", "2 3", "9 3 2 3", "14 4"];
const TEXT = 15;
const NARROW = 500;

/**
 * Draws lines of points `[x, y]`, each with a name.
 *
 * `options`: `label` of the picture, `x` and `y` with `name`, `log` and `format`, and `level`, a horizontal line.
 */
export function chart(box, lines, { label, x, y, level }) {
  const width = Math.max(300, Math.floor(box.clientWidth));
  const isNarrow = width < NARROW; // names are below the lines then, and not beside them
  const margin = { top: 28, right: isNarrow ? 14 : 172, bottom: 44 + (isNarrow ? 8 + TEXT * 1.3 * lines.length : 0), left: 58 };
  const height = isNarrow ? 256 + margin.bottom : 380;
  const points = lines.flatMap((line) => line.points);
  if (level) points.push([points[0]?.[0] ?? 1, level.y]);
  const across = scale(range(points.map(([at]) => at), x), x, margin.left, width - margin.right);
  const up = scale(whole(range(points.map(([, at]) => at), y), y), y, height - margin.bottom, margin.top);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label });
  axis(drawing, across, up, { width, height, margin }, x, y);
  if (level) levelLine(drawing, level, up, width, margin);
  const names = lines.map((line, i) => draw(drawing, line, i, across, up)).filter(Boolean);
  const placed = isNarrow
    ? names.map((name, i) => ({ ...name, at: height - TEXT * 1.3 * (names.length - i - 0.5) }))
    : apart(names, margin.top, height - margin.bottom);
  for (const each of placed) drawName(drawing, each, isNarrow ? margin.left : width - margin.right + 8);
  box.replaceChildren(drawing);
}

const measure = ({ log }) => (log ? Math.log10 : (value) => value);

/** Returns the least and the largest of values, or of their logarithms. */
function range(values, axis) {
  const all = values.map(measure(axis));
  const [low, high] = all.length ? [Math.min(...all), Math.max(...all)] : [0, 1];
  return [low, low === high ? high + 1 : high];
}

/** Extends a logarithmic range to powers of ten. */
function whole([low, high], { log }) {
  return log ? [Math.floor(low + 1e-9), Math.ceil(high - 1e-9)] : [low, high];
}

function scale([low, high], axis, from, to) {
  const { log } = axis;
  const of = measure(axis);
  const place = (value) => from + ((of(value) - low) / (high - low)) * (to - from);
  return { place, low, high, log };
}

function ticks({ low, high, log }, most) {
  const steps = log ? [1, 2, 3, 4, 5, 10] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
  const step = steps.find((step) => (high - low) / step <= most) ?? steps.at(-1);
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(log ? 10 ** at : at);
  return found;
}

function axis(drawing, across, up, { width, height, margin }, x, y) {
  const [right, bottom] = [width - margin.right, height - margin.bottom];
  for (const at of ticks(up, 8)) {
    const place = up.place(at);
    drawing.append(svg("line", { x1: margin.left, x2: right, y1: place, y2: place, class: "grid" }));
    drawing.append(svg("text", { x: margin.left - 8, y: place + 4, class: "tick end" }, power(at, y)));
  }
  for (const at of ticks(across, width < NARROW ? 4 : 8)) {
    const place = across.place(at);
    drawing.append(svg("line", { x1: place, x2: place, y1: bottom, y2: bottom + 5, class: "axis" }));
    drawing.append(svg("text", { x: place, y: bottom + 19, class: "tick middle" }, power(at, x)));
  }
  drawing.append(svg("line", { x1: margin.left, x2: right, y1: bottom, y2: bottom, class: "axis" }));
  drawing.append(svg("text", { x: (margin.left + right) / 2, y: bottom + 38, class: "title middle" }, x.name));
  drawing.append(svg("text", { x: 4, y: 14, class: "title" }, y.name));
}

function power(value, { log }) {
  if (!log) return short(value, 4);
  const exponent = Math.round(Math.log10(value));
  return exponent >= 0 && exponent < 4 ? String(10 ** exponent) : `1e${exponent}`.replace("-", "\u2212");
}

function levelLine(drawing, { y, name }, up, width, margin) {
  const place = up.place(y);
  drawing.append(svg("line", { x1: margin.left, x2: width - margin.right, y1: place, y2: place, class: "level" }));
  drawing.append(svg("text", { x: margin.left + 8, y: place - 6, class: "name" }, name));
}

function draw(drawing, { name, points, emphasised }, i, across, up) {
  if (points.length === 0) return null;
  const path = points.map(([x, y], k) => `${k ? "L" : "M"}${across.place(x).toFixed(1)} ${up.place(y).toFixed(1)}`);
  const kind = `line line${i % DASHES.length}${emphasised ? " emphasised" : ""}`;
  const dashes = DASHES[i % DASHES.length];
  drawing.append(svg("path", { d: path.join(""), class: kind, "stroke-dasharray": dashes }));
  return { name, kind, dashes, at: up.place(points.at(-1)[1]) };
}

/** Writes the name of a line after a piece of it. */
function drawName(drawing, { name, kind, dashes, at }, x) {
  drawing.append(svg("path", { d: `M${x} ${at}h26`, class: kind.replace("line ", "sample "), "stroke-dasharray": dashes }));
  drawing.append(svg("text", { x: x + 33, y: at + 4, class: "name" }, name));
}

/** Moves names apart that would overlap. */
function apart(names, top, bottom) {
  const sorted = names.toSorted((a, b) => a.at - b.at);
  sorted.forEach((name, i) => {
    if (i > 0) name.at = Math.max(name.at, sorted[i - 1].at + TEXT);
  });
  const over = Math.max(0, (sorted.at(-1)?.at ?? 0) - bottom);
  sorted.toReversed().forEach((name, i, all) => {
    if (over > 0) name.at = Math.min(name.at, i === 0 ? bottom : all[i - 1].at - TEXT);
    name.at = Math.max(name.at, top);
  });
  return sorted;
}

/** Makes a table from a header and rows of texts. */
export function numbers(header, rows) {
  const cells = (name, texts) => texts.map((text, i) => element(i ? name : "th", { scope: i ? "" : "row" }, text));
  const head = element("tr", {}, ...header.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((row) => element("tr", {}, ...cells("td", row)));
  return element("table", { class: "numbers" }, element("thead", {}, head), element("tbody", {}, ...body));
}
