// The errors of recipes by position.

import { chart, numbers } from "./chart.js";
import { grouped, short } from "./dom.js";
import { RECIPES } from "./entry.js";

const COUNT = 61;

/** Positions from 1 to 2^20, about equally spaced on a logarithmic scale. */
const POSITIONS = [...new Set(Array.from({ length: COUNT }, (_, i) => Math.round(2 ** ((20 * i) / (COUNT - 1)))))];

/** Asks for the errors of all recipes. */
export function askErrors(client, table) {
  return client.ask("errors", { table, recipes: RECIPES.map(([name]) => name), positions: POSITIONS }, "errors");
}

/** Draws the errors: the `largest` of each row, or the `mean`. */
export function showErrors(box, sentence, summary, errors, measure, chosen) {
  const lines = RECIPES.map(([key, name], i) => ({
    name, emphasised: key === chosen,
    points: POSITIONS.map((position, k) => [position, errors[i][measure][k]]).filter(([, error]) => error > 0),
  }));
  chart(box, lines, {
    label: `The ${measure} error of five recipes at positions 1 to 2^20, on logarithmic scales; the numbers are below`,
    x: { name: "position", log: true }, y: { name: `${measure} error of a row`, log: true },
  });
  const index = RECIPES.findIndex(([key]) => key === chosen);
  sentence.textContent = sentenceOf(RECIPES[index][1], errors[index]);
  const row = ([, name], i) => {
    const { first, searched } = errors[i];
    const above = first === null ? `none to ${grouped(searched)}` : grouped(first);
    return [name, ...[1000, 1e6].map((position) => short(nearest(errors[i][measure], position))), above];
  };
  summary.replaceChildren(numbers(["recipe", "near 1000", "near 1e6", "first above 1e\u22123"], RECIPES.map(row)));
}

function nearest(errors, position) {
  const distance = (k) => Math.abs(Math.log(POSITIONS[k] / position));
  return errors[POSITIONS.map((_, k) => k).reduce((best, k) => (distance(k) < distance(best) ? k : best))];
}

function sentenceOf(name, { first, searched }) {
  const where = first === null ? `does not exceed 1e\u22123 at any position from 1 to ${grouped(searched)}` : `first exceeds 1e\u22123 at position ${grouped(first)}`;
  return `Recipe \u201c${name}\u201d: the largest error in a row ${where}.`;
}
