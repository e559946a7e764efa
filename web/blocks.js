// Pictures of blocks of rows, which are asked for when they are in view, or about to be.

import { unlessReplaced } from "./client.js";
import { extent } from "./rows.js";

export const BLOCK = 64;
/** The most pixels of pictures that are kept: 64 MB, or those of the blocks in view. */
const MOST = 2 ** 24;
const LEAST = 16;

export class Blocks {
  #client; #onLoad; #view; #extent;
  #pictures = new Map(); // the most recent one is the last; `null` for one that failed
  #asked = new Map(); // the width of each picture that is asked for
  #generation = 0;

  constructor(client, onLoad) {
    [this.#client, this.#onLoad] = [client, onLoad];
  }

  /** Forgets the pictures, and begins with another table. */
  begin(view) {
    this.#generation++;
    for (const at of this.#asked.keys()) this.#client.drop(`block ${at}`);
    for (const { picture } of this.#pictures.values()) picture?.close();
    this.#pictures.clear();
    this.#asked.clear();
    [this.#view, this.#extent] = [view, extent(view)];
  }

  /** Returns the picture of the block that begins at a row. It may have another width, until the one that is asked for is there. */
  picture(at) {
    const found = this.#pictures.get(at);
    if (!found) return undefined;
    this.#pictures.delete(at);
    this.#pictures.set(at, found);
    return found.picture;
  }

  has(at, pixels) {
    return this.#pictures.get(at)?.pixels === pixels;
  }

  /** Asks for these blocks in this order, and no longer for others. `pixels` is the width, or 0 for a pixel per column. */
  ask(wanted, pixels) {
    for (const at of this.#asked.keys()) {
      if (!wanted.includes(at)) this.#client.drop(`block ${at}`);
    }
    for (const at of wanted) {
      if (!this.has(at, pixels) && this.#asked.get(at) !== pixels) this.#load(at, pixels);
    }
  }

  async #load(at, pixels) {
    const [first, last] = this.#extent;
    if (at + BLOCK <= first || at > last) return;
    const generation = this.#generation;
    const { table, largest } = this.#view;
    const part = { table, largest, first: at, count: Math.min(BLOCK, last - at + 1), pixels };
    this.#asked.set(at, pixels);
    let picture;
    try {
      picture = await unlessReplaced(this.#client.ask("picture", part, `block ${at}`));
    } catch {
      picture = null; // the problem is described beside the form
    }
    if (generation !== this.#generation) return picture?.close();
    if (this.#asked.get(at) === pixels) this.#asked.delete(at);
    if (picture === undefined) return;
    this.#keep(at, { picture, pixels });
    this.#onLoad();
  }

  #keep(at, found) {
    this.#pictures.get(at)?.picture?.close();
    this.#pictures.delete(at);
    this.#pictures.set(at, found);
    let pixels = 0;
    for (const { picture } of this.#pictures.values()) pixels += picture ? picture.width * picture.height : 0;
    for (const [oldest, { picture }] of this.#pictures) {
      if (pixels <= MOST || this.#pictures.size <= LEAST) return;
      pixels -= picture ? picture.width * picture.height : 0;
      picture?.close();
      this.#pictures.delete(oldest);
    }
  }
}
