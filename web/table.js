// The heat map: draws cached blocks of rows, and asks the worker for missing ones.

import { unlessReplaced } from "./client.js";
import { grouped } from "./dom.js";

const BLOCK = 64;
const MOST_BLOCKS = 96;
const LEFT = 78;
const TOP = 24;
const DRAG = 4;
const FAR = 1e7;
const ROUND = 1e4;
const FURTHEST = 2 ** 53;

/** Returns the last position of a 1-D table, which has no end, or the last row of a grid. */
export function lastRow(view) {
  return view.axes ? view.rows - 1 : FURTHEST;
}

export class HeatMap {
  #canvas; #client; #onSelect;
  #view = null;
  #blocks = new Map();
  #asked = new Set();
  #first = 0; // the row at the top, and how many pixels of it are above the picture
  #above = 0;
  #frame = 0;
  #generation = 0;

  constructor(canvas, client, onSelect) {
    [this.#canvas, this.#client, this.#onSelect] = [canvas, client, onSelect];
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.#listen();
  }

  /** Shows a table: `{ table, rows, columns, axes, height, position, column }`. */
  show(view, isOther) {
    if (isOther) this.#forget();
    this.#view = view;
    this.reveal();
  }

  #forget() {
    this.#generation++;
    for (const at of this.#asked) this.#client.drop(`block ${at}`);
    for (const picture of this.#blocks.values()) picture?.close();
    this.#blocks.clear();
    this.#asked.clear();
  }

  /** Scrolls until the selected row is in the picture. */
  reveal() {
    const { position, height } = this.#view;
    const rows = Math.floor(this.#room().height / height);
    if (position < this.#first || position >= this.#first + rows - 1) {
      this.#first = position - Math.floor(rows / 2);
      this.#above = 0;
    }
    this.#clamp();
    this.draw();
  }

  get page() {
    return Math.max(1, Math.floor(this.#room().height / this.#view.height) - 1);
  }

  /** Scrolls by pixels. */
  scroll(pixels) {
    const { height } = this.#view;
    const moved = this.#above + pixels;
    this.#first += Math.floor(moved / height);
    this.#above = moved - Math.floor(moved / height) * height;
    this.#clamp();
    this.draw();
  }

  #clamp() {
    const last = Math.max(0, lastRow(this.#view) - (Math.floor(this.#room().height / this.#view.height) - 1));
    if (this.#first >= last) [this.#first, this.#above] = [last, 0];
    if (this.#first < 0) [this.#first, this.#above] = [0, 0];
  }

  #room() {
    return { width: Math.max(1, this.#canvas.clientWidth - LEFT), height: Math.max(1, this.#canvas.clientHeight - TOP) };
  }

  /** Draws in the next frame. */
  draw() {
    if (!this.#frame && this.#view) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint() {
    this.#frame = 0;
    const canvas = this.#canvas;
    const density = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth * density, canvas.clientHeight * density].map(Math.round);
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    context.setTransform(density, 0, 0, density, 0, 0);
    context.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    const missing = this.#paintBlocks(context, density);
    this.#paintAxes(context);
    this.#paintSelection(context);
    this.#ask(missing);
    canvas.dataset.missing = missing.length;
    canvas.dataset.first = this.#first;
  }

  /** Draws the blocks that there are, and returns the first rows of the others. */
  #paintBlocks(context, density) {
    const { columns, height } = this.#view;
    const room = this.#room();
    const missing = [];
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, room.width, room.height);
    context.clip();
    context.imageSmoothingEnabled = columns > room.width * density;
    for (const at of this.#inView()) {
      const picture = this.#blocks.get(at);
      if (!picture) {
        if (!this.#blocks.has(at)) missing.push(at);
        continue;
      }
      const y = TOP + (at - this.#first) * height - this.#above;
      context.drawImage(picture, 0, 0, columns, picture.height, LEFT, y, room.width, picture.height * height);
      this.#blocks.delete(at); // the most recent one is the last
      this.#blocks.set(at, picture);
    }
    context.restore();
    return missing;
  }

  #inView() {
    const rows = Math.ceil(this.#room().height / this.#view.height) + 1;
    const blocks = [];
    const last = Math.min(this.#first + rows, lastRow(this.#view));
    for (let at = Math.floor(this.#first / BLOCK) * BLOCK; at <= last; at += BLOCK) blocks.push(at);
    return blocks;
  }

  #paintAxes(context) {
    const style = getComputedStyle(this.#canvas);
    const { columns, height } = this.#view;
    const room = this.#room();
    context.fillStyle = style.color;
    context.font = `12px ${style.fontFamily}`;
    context.textBaseline = "middle";
    const base = this.#first > FAR ? Math.floor(this.#first / ROUND) * ROUND : 0; // labels would be too long
    context.textAlign = "right";
    const step = nice(44 / height);
    for (let at = Math.ceil(this.#first / step) * step; ; at += step) {
      const y = TOP + (at - this.#first + 0.5) * height - this.#above;
      if (y > TOP + room.height - 4 || at > lastRow(this.#view)) break;
      if (y < TOP + 4) continue;
      context.fillText(base ? `+${grouped(at - base)}` : grouped(at), LEFT - 10, y);
      context.fillRect(LEFT - 6, y - 0.5, 4, 1);
    }
    if (!base) context.fillText("column", LEFT - 10, 9);
    context.textAlign = "center";
    const across = nice((64 * columns) / room.width);
    for (let column = 0; column < columns; column += across) {
      const x = LEFT + ((column + 0.5) * room.width) / columns;
      if (x > LEFT + room.width - 14 && column) break;
      context.fillText(String(column), Math.max(x, LEFT + 4), 9);
      context.fillRect(x - 0.5, TOP - 6, 1, 4);
    }
    if (base) {
      const text = `${grouped(base)} +`;
      context.textAlign = "left";
      context.clearRect(0, 0, context.measureText(text).width + 16, TOP - 7);
      context.fillText(text, 0, 9);
    }
  }

  #paintSelection(context) {
    const { columns, height, position, column } = this.#view;
    const room = this.#room();
    const wide = room.width / columns;
    const [x, y] = [LEFT + (column + 0.5) * wide, TOP + (position - this.#first + 0.5) * height - this.#above];
    if (y < TOP || y > TOP + room.height) return;
    const [across, down] = [Math.max(wide, 11), Math.max(height, 11)];
    for (const [grow, colour] of [[1.5, "#fff"], [0, "#111"]]) {
      context.lineWidth = 1.5;
      context.strokeStyle = colour;
      context.strokeRect(x - across / 2 - grow, y - down / 2 - grow, across + 2 * grow, down + 2 * grow);
    }
  }

  /** Asks for blocks, and no longer for those out of view. */
  #ask(missing) {
    for (const at of this.#asked) {
      if (!missing.includes(at)) this.#client.drop(`block ${at}`);
    }
    for (const at of missing) {
      if (!this.#asked.has(at)) this.#load(at);
    }
  }

  async #load(at) {
    const { table } = this.#view;
    const count = Math.min(BLOCK, lastRow(this.#view) - at + 1);
    const generation = this.#generation;
    this.#asked.add(at);
    let picture;
    try {
      picture = await unlessReplaced(this.#client.ask("picture", { table, first: at, step: 1, count }, `block ${at}`));
    } catch {
      picture = null; // it is described beside the form
    }
    if (generation !== this.#generation) return picture?.close();
    this.#asked.delete(at);
    if (picture === undefined) return;
    this.#blocks.set(at, picture);
    if (this.#blocks.size > MOST_BLOCKS) {
      const [oldest] = this.#blocks.keys();
      this.#blocks.get(oldest)?.close();
      this.#blocks.delete(oldest);
    }
    this.draw();
  }

  #listen() {
    const canvas = this.#canvas;
    let grip = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.#view || event.button !== 0) return;
      canvas.setPointerCapture(event.pointerId);
      grip = { y: event.clientY, moved: 0 };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const by = grip.y - event.clientY;
      grip.moved += Math.abs(by);
      if (grip.moved <= DRAG) return;
      grip.y = event.clientY;
      this.scroll(by);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (grip && grip.moved <= DRAG) this.#click(event);
      grip = null;
    });
    canvas.addEventListener("pointercancel", () => (grip = null));
    // Only with the focus, so that the wheel scrolls the page past the picture.
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas || !this.#view || event.ctrlKey) return;
      event.preventDefault();
      this.scroll(event.deltaY * [1, 16, 320][event.deltaMode]);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #click(event) {
    const { height, columns } = this.#view;
    const room = this.#room();
    const row = this.#first + Math.floor((event.offsetY - TOP + this.#above) / height);
    const column = Math.floor(((event.offsetX - LEFT) * columns) / room.width);
    this.#select(row, column, true);
  }

  #key(event) {
    if (!this.#view || event.ctrlKey || event.metaKey || event.altKey) return;
    const { position, column } = this.#view;
    const moves = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
      PageUp: [-this.page, 0], PageDown: [this.page, 0], Home: [-Infinity, 0], End: [Infinity, 0],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    this.#select(position + move[0], column + move[1], false);
  }

  #select(row, column, isClick) {
    const position = Math.max(0, Math.min(lastRow(this.#view), row));
    this.#onSelect(position, Math.max(0, Math.min(this.#view.columns - 1, column)), isClick);
  }
}

/** Returns the number of 1, 2 or 5 times a power of ten that is not below a number. */
function nice(least) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least - 1e-9);
}
