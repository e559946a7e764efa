// Which table a file has.

import { Client, unlessReplaced } from "./client.js";
import { $, copyButton, element, grouped } from "./dom.js";

let client = null;
let last = []; // the files in question

/** Takes files that are chosen or dropped. `show` shows the table that a command makes. */
export function identifyFiles(show) {
  $("file").addEventListener("change", () => identify([...$("file").files], show));
  $("file-shape").addEventListener("change", () => identify(last, show));
  $("scan-stop").addEventListener("click", () => {
    stop();
    $("found-close").focus();
  });
  $("found-close").addEventListener("click", () => {
    stop();
    $("found-section").hidden = true;
    $("file").value = ""; // the same file can be chosen again
    $("file").focus();
  });
  const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    $("file").value = "";
    identify([...event.dataTransfer.files], show);
  });
}

/** Ends what is running. What has been found stays. */
function stop() {
  client?.stop();
}

async function identify(files, show) {
  stop();
  if (files.length === 0) return;
  last = files;
  const own = (client = new Client());
  $("found").replaceChildren();
  $("found-section").hidden = $("scan").hidden = false;
  $("found-section").scrollIntoView();
  for (const file of files) {
    $("found").append(element("h3", {}, file.name));
    try {
      const isDone = await unlessReplaced(identifyFile(own, file, show).then(() => true));
      if (!isDone && own === client) tell("Stopped.");
    } catch ({ message }) {
      tell(message, "problem");
    }
    if (own.isStopped) break;
  }
  if (own !== client) return;
  if (document.activeElement === $("scan-stop")) $("found-close").focus();
  $("scan").hidden = true;
  own.stop();
}

function tell(sentence, name = "") {
  $("found").append(element("p", { class: name }, sentence));
}

async function identifyFile(own, file, show) {
  progress(0, 0, `reading ${file.name}`);
  const { count, several } = await own.ask("open", { file, shape: $("file-shape").value });
  if (!several) {
    progress(0, 0, `identifying ${file.name}`);
    $("found").append(whole(await own.ask("one", null), show));
    return;
  }
  for (let i = 0; i < count; i++) {
    progress(i, count, `tensor ${grouped(i + 1)} of ${grouped(count)}`);
    try {
      const answer = await own.ask("tensor", i);
      if (answer) $("found").append(line(answer, show));
    } catch (error) {
      if (own.isStopped || error.hasStopped) throw error;
      tell(error.message, "problem");
    }
  }
  tell(await own.ask("summary", null));
}

/** Shows how many of some tensors have been looked at, or that something is running. */
function progress(done, count, text) {
  if (count) [$("scan-bar").max, $("scan-bar").value] = [count, done];
  else $("scan-bar").removeAttribute("value");
  $("scan-about").textContent = text;
}

/** Returns a line about a tensor among others, with all that is known of it. */
function line(answer, show) {
  const name = answer.name === null ? [] : [element("code", {}, answer.name), ": "];
  const details = element("details", {}, element("summary", {}, ...name, answer.line), whole(answer));
  return element("div", { class: "line" }, details, ...shower(answer, show));
}

/** Returns the button that shows the table, if a command makes it. */
function shower({ command, name }, show) {
  if (!command || !show) return [];
  const button = element("button", { type: "button", "aria-label": name ? `Show the table of ${name}` : "Show this table" }, "Show this table");
  button.addEventListener("click", () => show(command));
  return [button];
}

/** Returns all that is known of a table or a vector, and what can be done with it. */
function whole({ text, call, command }, show) {
  const buttons = element("div", { class: "buttons" }, ...shower({ command }, show));
  if (call) buttons.append(copyButton("Copy the macro call", call));
  if (command) buttons.append(copyButton("Copy the command", command));
  return element("div", { class: "answer" }, element("pre", { tabindex: "0" }, element("code", {}, text.trimEnd())), ...(command || call ? [buttons] : []));
}
