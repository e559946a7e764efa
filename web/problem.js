// Says what is wrong with the settings, beside the field that is named.

import { $ } from "./dom.js";

/** The fields of the names in sentences. Those of parameters have the same name. */
const FIELDS = { seq_len: "rows", d_model: "columns", head_dim: "columns" };
const OWN = ["preset", "rows", "columns", "shape", "dtype", "config", "layers"];

/** Shows a sentence, or none if it is empty. What is shown of the last table is marked as such. */
export function showProblem(sentence) {
  const all = [...OWN.map($), ...$("keys").querySelectorAll("[data-key]")];
  const wrong = sentence === "" ? [] : all.filter((field) => namesOf(sentence).has(field.dataset.key ?? field.id));
  for (const field of all) {
    for (const [name, value] of [["aria-invalid", "true"], ["aria-errormessage", "problem"]]) {
      if (wrong.includes(field)) field.setAttribute(name, value);
      else field.removeAttribute(name);
    }
  }
  const [first] = wrong.filter((field) => !field.closest("[hidden]"));
  first?.closest("details")?.setAttribute("open", "");
  const place = first?.closest(".field") ?? $("preset").closest(".field");
  if ($("problem").parentElement !== place) place.append($("problem"));
  $("problem").textContent = sentence;
  $("problem").hidden = sentence === "";
  $("main").classList.toggle("stale", sentence !== "");
  $("away-section").inert = sentence !== "";
  if (sentence) $("problem").scrollIntoView({ block: "nearest" });
}

/** Returns the names of the fields that a sentence names. */
function namesOf(sentence) {
  const names = new Set([...sentence.matchAll(/`(\w+)/g)].map(([, name]) => FIELDS[name] ?? name));
  if (/^unknown preset/.test(sentence)) names.add("preset");
  if (/the config/.test(sentence)) names.add("config");
  if (/layers of (several types|type)/.test(sentence)) names.add("layers");
  return names;
}
