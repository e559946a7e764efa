// Serves a folder on this machine, and finds Playwright.

import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

/** Returns the address of a server for a folder, and the function that stops it. */
export async function serve(folder) {
  const server = createServer(async ({ url }, response) => {
    const name = path.normalize(decodeURIComponent(new URL(url, "http://localhost").pathname)).replace(/\/$/, "/index.html");
    try {
      const bytes = await readFile(path.join(folder, name));
      response.writeHead(200, { "content-type": TYPES[path.extname(name)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, stop: () => server.close() };
}

/** Starts Chromium. `modules` is the folder whose `node_modules` has Playwright. */
export async function browser(modules) {
  const { chromium } = createRequire(path.resolve(modules, "package.json"))("playwright-core");
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
}
