// Runs a program for WebAssembly in Node: node wasi.mjs PROGRAM [ARGUMENT ...]

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: process.argv.slice(2), env: process.env, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
