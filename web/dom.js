// Short ways to make elements.

export const $ = (id) => document.getElementById(id);

let edited = null; // the field that the user is typing in
addEventListener("input", ({ target }) => (edited = target), true);
for (const type of ["change", "focusout", "hashchange"]) addEventListener(type, () => (edited = null), true);

/** Sets the text of a field, except while the user is typing in it, and returns whether it did. */
export function set(field, text) {
  if (field === edited) return false;
  field.value = text;
  return true;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element with attributes and children; a child is an element or a text. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Makes an element of a drawing. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Writes an integer with commas between its groups of three digits. */
export function grouped(number) {
  return number.toLocaleString("en-US").replace("-", "\u2212");
}

/** Writes a number in a few digits. In JSON, `null` stands for a number that is not finite. */
export function short(number, digits = 3) {
  if (number === null) return "not finite";
  if (number === 0) return "0";
  const size = Math.abs(number);
  const text = size < 1e-3 || size >= 1e6 ? number.toExponential(digits - 1) : String(Number(number.toPrecision(digits)));
  return text.replace("e+", "e").replaceAll("-", "\u2212");
}

/** Makes a button that copies a text. */
export function copyButton(label, text) {
  const button = element("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", () => copy(button, text));
  return button;
}

/** Copies a text, and says on a button whether that worked. */
export async function copy(button, text) {
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not copied"; // without permission, or over plain HTTP
  }
  setTimeout(() => (button.textContent = label), 1500);
}
