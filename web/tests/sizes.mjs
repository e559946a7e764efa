// Prints the sizes of what the page loads, and compares the module that draws with its budget: node sizes.mjs SITE

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** The most bytes of the module that draws, compressed by Brotli. */
const BUDGET = 300_000;

const [site] = process.argv.slice(2);
const sizes = async (name) => {
  const bytes = await readFile(path.join(site, name));
  return { name, bytes: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length };
};
const all = await Promise.all((await readdir(site)).map(sizes));
const sum = (name, of) => of.reduce((sums, size) => ({ name, bytes: sums.bytes + size.bytes, gzip: sums.gzip + size.gzip, brotli: sums.brotli + size.brotli }), { bytes: 0, gzip: 0, brotli: 0 });
const [modules, others] = [true, false].map((isModule) => all.filter(({ name }) => name.endsWith(".wasm") === isModule));
for (const { name, bytes, gzip, brotli } of [sum("the page", others), ...modules]) {
  console.log(`${name}: ${bytes} bytes, ${gzip} as gzip, ${brotli} as Brotli`);
}
const { brotli } = modules.find(({ name }) => name === "posenc_web.wasm");
assert.ok(brotli <= BUDGET, `the module takes ${brotli} bytes, but its budget is ${BUDGET}`);
