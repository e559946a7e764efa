// Where the columns of each axis are.

import { element, grouped, svg } from "./dom.js";

const [ROW, LEFT] = [34, 84];
const NAMES = { sine: "sine, in the upper half", cosine: "cosine, in the lower half", constant: "constant" };

/** Draws a line for each axis, with its columns. */
export function showColumns(box, sentence, columns, names) {
  const width = Math.max(300, Math.floor(box.clientWidth));
  const lines = [...new Set(columns.map(({ axis }) => axis))].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
  const height = lines.length * ROW + 26;
  const x = (column) => LEFT + (column * (width - LEFT - 1)) / columns.length;
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": described(columns, names) });
  lines.forEach((axis, line) => {
    const y = line * ROW;
    drawing.append(svg("text", { x: 0, y: y + 18, class: "name" }, name(axis, names)));
    drawing.append(svg("rect", { x: LEFT, y, width: width - LEFT - 1, height: ROW - 8, class: "track" }));
    for (const { from, to, kind } of runs(columns, axis)) {
      const wide = Math.max(x(to) - x(from), 0.5);
      // Half of the height for each function, so that it shows without colours.
      const [above, high] = { sine: [0, 0.5], cosine: [0.5, 0.5] }[kind] ?? [0, 1];
      drawing.append(svg("rect", { x: x(from), y: y + above * (ROW - 8), width: wide, height: high * (ROW - 8), class: `run ${kind}` }));
    }
  });
  const step = Math.max(1, 2 ** Math.ceil(Math.log2((columns.length * 56) / (width - LEFT))));
  for (let column = 0; column < columns.length; column += step) {
    drawing.append(svg("text", { x: x(column), y: height - 6, class: "tick" }, String(column)));
  }
  box.replaceChildren(drawing, legend(columns));
  sentence.textContent = described(columns, names);
}

function name(axis, names) {
  if (axis === null) return "no axis";
  return names[axis] ? `axis ${axis}: ${names[axis]}` : `axis ${axis}`;
}

/** Returns the runs of columns of an axis that hold the same function. */
function runs(columns, axis) {
  const found = [];
  columns.forEach((column, at) => {
    if (column.axis !== axis) return;
    const kind = column.function ?? "constant";
    const last = found.at(-1);
    if (last && last.to === at && last.kind === kind) last.to++;
    else found.push({ from: at, to: at + 1, kind });
  });
  return found;
}

function legend(columns) {
  const kinds = [...new Set(columns.map((column) => column.function ?? "constant"))];
  return element("p", { class: "legend" }, ...kinds.map((kind) => element("span", { class: kind }, NAMES[kind])));
}

function described(columns, names) {
  const counts = new Map();
  for (const { axis } of columns) counts.set(axis, (counts.get(axis) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => (a ?? Infinity) - (b ?? Infinity));
  const parts = sorted.map(([axis, count]) => `${name(axis, names)}, ${grouped(count)} columns`);
  return `${parts.join("; ")}.`;
}
