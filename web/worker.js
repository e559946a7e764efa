// Runs the modules beside the page, so that the page stays responsive.

import { pixels } from "./colours.js";

const TABLES = "posenc_web.wasm";
const FILES = "posenc_web_files.wasm";

/** The functions of the module for files. A module is loaded once a function of it is called. */
const OF_FILES = new Set(["save", "open", "one", "tensor", "summary"]);

const modules = new Map();
const reader = new FileReaderSync();
let opened; // the file that is read

/** Reads bytes of the opened file into the memory of the module for files, and returns whether it did. */
function read(memory, start, length, place) {
  try {
    const part = new Uint8Array(reader.readAsArrayBuffer(opened.slice(start, start + length)));
    new Uint8Array(memory.buffer, place, length).set(part);
    return part.length === length;
  } catch {
    return false;
  }
}

/** Returns what a module exports. */
function load(name) {
  if (!modules.has(name)) modules.set(name, start(name));
  return modules.get(name);
}

async function start(name) {
  try {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    let wasm;
    const page = { read: (...place) => read(wasm.memory, ...place) };
    wasm = (await WebAssembly.instantiate(await response.arrayBuffer(), { page })).instance.exports;
    return wasm;
  } catch (error) {
    modules.delete(name);
    throw error;
  }
}

const BYTES = 1;
const ERROR = 2;

function call(wasm, name, argument) {
  const bytes = new TextEncoder().encode(`${name}\n${JSON.stringify(argument)}`);
  const start = wasm.room(bytes.length);
  new Uint8Array(wasm.memory.buffer, start, bytes.length).set(bytes);
  const kind = wasm.call();
  const answer = new Uint8Array(wasm.memory.buffer, wasm.answer_start(), wasm.answer_length()).slice();
  if (kind === BYTES) return answer;
  const text = new TextDecoder().decode(answer);
  if (kind === ERROR) throw new Error(text);
  return JSON.parse(text);
}

/** Draws a block of rows as a picture with a pixel per entry. */
async function picture(wasm, part) {
  const entries = new Float32Array(call(wasm, "entries", part).buffer);
  const columns = entries.length / part.count;
  return createImageBitmap(new ImageData(pixels(entries, part.largest), columns, part.count));
}

function open(wasm, { file, shape }) {
  opened = file;
  return call(wasm, "open", { name: file.name, size: file.size, shape });
}

self.onmessage = async ({ data: { id, name, argument } }) => {
  const module = OF_FILES.has(name) ? FILES : TABLES;
  try {
    const wasm = await load(module);
    const special = { picture, open }[name];
    const answer = await (special ? special(wasm, argument) : call(wasm, name, argument));
    const owned = answer instanceof Uint8Array ? [answer.buffer] : answer instanceof ImageBitmap ? [answer] : [];
    self.postMessage({ id, answer }, owned);
  } catch (error) {
    const hasStopped = error instanceof WebAssembly.RuntimeError;
    if (hasStopped) modules.delete(module);
    const sentence = hasStopped ? `The module stopped (${error.message}). A module of 32 bits has at most 4 GiB of memory.` : error.message;
    self.postMessage({ id, error: sentence, hasStopped });
  }
};
