// An entry, digit by digit.

import { element, grouped, short, svg } from "./dom.js";

const FIELDS = { f32: [8, 23], f64: [11, 52], f16: [5, 10], bf16: [8, 7] };

/** The recipes that an entry is compared with. */
export const RECIPES = [
  ["f32", "f32", "f32, each step rounded once"],
  ["bf16_angles", "bf16 angles", "f32 with angles in bf16"],
  ["f16_angles", "f16 angles", "f32 with angles in f16"],
  ["bf16_frequencies", "bf16 frequencies", "f32 with frequencies in bf16"],
  ["f64", "f64", "f64, each step rounded once"],
];

/** Shows an explanation from the module. */
export function showEntry(box, explained, dtype, place) {
  box.replaceChildren(
    element("p", { class: "value", id: "exact" }, ...digits(explained)),
    element("p", { class: "note" }, sentence(explained, dtype, place)),
    bits(explained.result, dtype),
    ...(explained.rounded === "exact" ? [] : [gap(explained, Math.min(720, box.clientWidth))]),
    stages(explained),
  );
  return recipe(explained, dtype);
}

/** Splits the exact value into the digits that the result shares, and the others. */
function digits({ value, result, below, above }) {
  const rounded = (result.bits === below.bits ? below : above).decimal;
  const isSame = exponent(rounded) === exponent(value);
  const shared = isSame ? [...value].findIndex((digit, i) => digit !== rounded[i]) : 0;
  const tail = value.indexOf("e") < 0 ? value.length : value.indexOf("e");
  const end = Math.min(shared < 0 ? tail : shared, tail);
  return [element("strong", {}, value.slice(0, end)), value.slice(end)];
}

function exponent(decimal) {
  return decimal.split("e")[1] ?? "";
}

function sentence({ function: name, frequency_index: index, axis, rounded }, dtype, place) {
  const of = axis === null ? "" : `, on axis ${axis}`;
  const what = name ? `the ${name} of frequency ${index}${of}` : "a constant";
  const how = rounded === "exact"
    ? `It is exactly representable in ${dtype}, so nothing is rounded.`
    : `Rounded ${rounded} to ${dtype}. The digits in bold are the same after rounding.`;
  return `The exact value of ${place}: ${what}. ${how}`;
}

/** Draws the bits of a float in their three fields. */
function bits({ bits: hex, width, value }, dtype) {
  const text = BigInt(`0x${hex}`).toString(2).padStart(width, "0");
  const [exponent] = FIELDS[dtype.startsWith("b") ? "bf16" : `f${width}`];
  const field = (name, from, to) => {
    const all = [...text.slice(from, to)].map((bit) => element("i", {}, bit));
    return element("span", { class: `field ${name}` }, element("span", { class: "cells" }, ...all), element("small", {}, name));
  };
  const fields = [field("sign", 0, 1), field("exponent", 1, 1 + exponent), field("fraction", 1 + exponent, width)];
  const label = `Bits of the result: sign ${text[0]}, exponent ${text.slice(1, 1 + exponent)}, fraction ${text.slice(1 + exponent)}`;
  const drawn = element("div", { class: "bits", role: "img", "aria-label": label }, ...fields);
  return element("div", { class: "result" }, element("p", {}, element("b", {}, String(value)), ` = ${dtype} 0x${hex}`), drawn);
}

/** Draws where the exact value lies between its neighbours. */
function gap({ below, above, result, from_middle: middle }, width) {
  const [left, right] = [10, width - 10];
  const at = left + Number(below.distance) * (right - left);
  const end = (x, number) => svg("circle", { cx: x, cy: 30, r: 7, class: number.bits === result.bits ? "end chosen" : "end" });
  const drawing = svg(
    "svg", { viewBox: `0 0 ${width} 50`, width, height: 50, class: "gap", role: "img", "aria-label": `The exact value is ${below.distance} of the gap above the lower neighbour` },
    svg("line", { x1: left, x2: right, y1: 30, y2: 30, class: "axis" }),
    svg("line", { x1: width / 2, x2: width / 2, y1: 22, y2: 38, class: "axis" }),
    end(left, below), end(right, above),
    svg("path", { d: `M${at} 24 l-7 -14 h14 z`, class: "exact" }),
  );
  const side = (name, number) => element(
    "div", {}, element("small", {}, number.bits === result.bits ? `${name}, the result` : name),
    element("span", { class: "decimal" }, number.decimal), element("small", {}, `0x${number.bits}, ${number.distance} of the gap away`),
  );
  const middleText = element("p", { class: "note" }, `Distance from the middle of the gap: ${middle} of the gap.`);
  return element("div", { class: "neighbours" }, drawing, element("div", { class: "sides" }, side("below", below), side("above", above)), middleText);
}

function stages(explained) {
  const lines = [
    ["formula", explained.formula], ["rule", explained.rule], ["frequency", explained.frequency, "radians per position"],
    ["wavelength", explained.wavelength, "positions"], ["angle", explained.angle, "radians"],
    ["whole turns", explained.whole_turns], ["phase", explained.phase, `turns, quadrant ${explained.quadrant}`],
  ];
  const shown = lines.filter(([, text]) => text !== null && text !== undefined);
  return element("dl", { class: "stages" }, ...shown.flatMap(([name, text, unit]) => [
    element("dt", {}, name), element("dd", {}, element("code", {}, text), unit ? ` ${unit}` : ""),
  ]));
}

const signed = (number) => String(number).replace(/^-/, "\u2212");

/** Says what the recipe gives. */
function recipe({ recipe: found, result }, dtype) {
  if (!found) return "This entry has no angle, so every recipe gives it exactly.";
  if (found.value === null) return `The recipe gives no finite number, but 0x${found.bits}.`;
  if (found.ulps === 0) return `The recipe gives the same ${dtype}, 0x${found.bits}.`;
  const steps = found.ulps === 1 ? "1 ulp" : `${grouped(found.ulps)} ulps`;
  return `The recipe gives ${signed(found.value)} (0x${found.bits}): ${steps} from ${signed(result.value)}, an error of ${short(found.error)}.`;
}
