// The wavelengths of all pairs, before and after the scaling rule.

import { chart } from "./chart.js";
import { grouped, short } from "./dom.js";

/** Asks for the wavelengths of a table, and of a preset to compare with. */
export async function askWavelengths(client, table, other) {
  const own = await client.ask("wavelengths", table);
  return [own, other ? await client.ask("wavelengths", other) : null];
}

/** Draws the wavelengths. */
export function showWavelengths(box, sentence, [own, other], overlay) {
  const points = (all) => all.map((wavelength, pair) => [pair, wavelength]).filter(([, wavelength]) => wavelength !== null);
  const lines = [{ name: own.rule ? "with the rule" : "this table", points: points(own.after), emphasised: true }];
  if (own.rule) lines.push({ name: "without it", points: points(own.before) });
  if (other) lines.push({ name: overlay, points: points(other.after) });
  const level = own.context && { y: own.context, name: `${grouped(own.context)} positions, the original context` };
  chart(box, lines, {
    label: "Wavelengths by pair of columns, on a logarithmic scale", level,
    x: { name: "pair" }, y: { name: "wavelength in positions", log: true },
  });
  sentence.textContent = described(own);
}

function described({ after, rule, context }) {
  const last = after.at(-1);
  const name = (wavelength) => (wavelength === null ? "infinity" : wavelength < 1000 ? short(wavelength) : grouped(Math.round(wavelength)));
  const parts = [`${grouped(after.length)} wavelengths, from ${name(after[0])} to ${name(last)} positions.`];
  if (rule) parts.push(`The rule is ${rule}.`);
  if (context) {
    const longer = after.filter((wavelength) => wavelength === null || wavelength > context).length;
    parts.push(`${longer} of them are longer than the original context.`);
  }
  return parts.join(" ");
}
