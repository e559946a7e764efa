// Runs the module beside the page, so that the page stays responsive.

import { pixels } from "./colours.js";

const ready = (async () => {
  const response = await fetch("posenc_web.wasm");
  if (!response.ok) throw new Error(`posenc_web.wasm: ${response.status} ${response.statusText}`);
  return (await WebAssembly.instantiate(await response.arrayBuffer())).instance.exports;
})();

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
  return createImageBitmap(new ImageData(pixels(entries), columns, part.count));
}

self.onmessage = async ({ data: { id, name, argument } }) => {
  try {
    const wasm = await ready;
    const answer = name === "picture" ? await picture(wasm, argument) : call(wasm, name, argument);
    const owned = answer instanceof Uint8Array ? [answer.buffer] : answer instanceof ImageBitmap ? [answer] : [];
    self.postMessage({ id, answer }, owned);
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
};
