// The heat map: scrolls by pixels, and selects entries.

import { BLOCK, Blocks } from "./blocks.js";
import { LEFT, TOP, drawEnds, drawNumbers, drawSelection } from "./ruler.js";
import { ends, extent, shownRow } from "./rows.js";

const AHEAD = 4;
const DRAG = 4;

export class HeatMap {
  #canvas; #onSelect; #blocks; #colours;
  #view = null;
  #first = 0; // the row at the top, and how many pixels of it are above the picture
  #above = 0;
  #left = 0; // how many pixels of the columns are left of the picture
  #towards = 1; // the direction of scrolling
  #frame = 0;

  constructor(canvas, client, onSelect) {
    [this.#canvas, this.#onSelect] = [canvas, onSelect];
    this.#blocks = new Blocks(client, () => this.draw());
    new ResizeObserver(() => this.#view && this.scroll(0, 0)).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.#colours = null;
      this.draw();
    });
    this.#listen();
  }

  /** Shows a table: `{ table, rows, columns, start, step, axes, height, width, position, column }`. */
  show(view, isOther) {
    const isZoomed = !isOther && view.width !== this.#view?.width;
    this.#view = { ...view, lastRow: extent(view)[1] };
    if (isOther) {
      this.#blocks.begin(view);
      [this.#first, this.#above, this.#left] = [this.#middle(), 0, 0];
    }
    if (isZoomed) this.#left = (view.column + 0.5) * this.#wide - this.#room.width / 2;
    this.#reveal();
  }

  /** Returns the row at the top for which the selected row is in the middle, or an end of the table at an end of the picture. */
  #middle() {
    const { position, height } = this.#view;
    const [low, high] = ends(this.#view);
    const rows = Math.floor(this.#room.height / height);
    if (position >= low && position < low + rows) return low;
    if (position <= high && position > high - rows) return high - rows + 1;
    return position - Math.floor(rows / 2);
  }

  /** Scrolls until the selected entry is in the picture, as little as that takes, or to the middle from afar. */
  #reveal() {
    const { position, column, height } = this.#view;
    const [room, wide] = [this.#room, this.#wide];
    const over = (from, size, most) => Math.min(from, 0) + Math.max(from + size - most, 0);
    const down = over((position - this.#first) * height - this.#above, height, room.height);
    if (Math.abs(down) > room.height) [this.#first, this.#above] = [this.#middle(), 0];
    else this.#down(down);
    const across = over(column * wide - this.#left, wide, room.width);
    if (Math.abs(across) > room.width) this.#left = (column + 0.5) * wide - room.width / 2;
    else this.#left += across;
    this.#clamp();
    this.draw();
  }

  get #room() {
    return { width: Math.max(1, this.#canvas.clientWidth - LEFT), height: Math.max(1, this.#canvas.clientHeight - TOP) };
  }

  /** The width of a column. */
  get #wide() {
    return this.#view.width || this.#room.width / this.#view.columns;
  }

  /** Scrolls by pixels. */
  scroll(across, down) {
    if (down) this.#towards = Math.sign(down);
    this.#left += across;
    this.#down(down);
    this.#clamp();
    this.draw();
  }

  #down(pixels) {
    const { height } = this.#view;
    const moved = this.#above + pixels;
    this.#first += Math.floor(moved / height);
    this.#above = moved - Math.floor(moved / height) * height;
  }

  #clamp() {
    const room = this.#room;
    const [first, end] = extent(this.#view);
    const last = Math.max(first, end - (Math.floor(room.height / this.#view.height) - 1));
    if (this.#first >= last) [this.#first, this.#above] = [last, 0];
    if (this.#first < first) [this.#first, this.#above] = [first, 0];
    this.#left = Math.max(0, Math.min(this.#left, this.#wide * this.#view.columns - room.width));
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
    const whole = (pixels) => Math.round(pixels * density) / density;
    const [room, wide] = [this.#room, this.#wide];
    const at = { first: this.#first, above: whole(this.#above), left: whole(this.#left), wide, room };
    at.across = Math.min(room.width, wide * this.#view.columns - at.left);
    const blocks = this.#inView();
    // Columns narrower than a pixel are shown as means: single ones would show patterns that are not there.
    const pixels = !this.#view.width && wide * density < 1 ? Math.round(room.width * density) : 0;
    this.#paintBlocks(context, blocks, at, pixels, density);
    this.#colours ??= coloursOf(canvas);
    drawNumbers(context, this.#view, at, this.#colours);
    drawEnds(context, this.#view, at, this.#colours);
    drawSelection(context, this.#view, at);
    const ahead = this.#ahead(blocks);
    this.#blocks.ask([...blocks, ...ahead], pixels);
    const [missing, waiting] = [blocks, ahead].map((all) => all.filter((block) => !this.#blocks.has(block, pixels)).length);
    Object.assign(canvas.dataset, { missing, waiting, first: this.#first, left: this.#left, means: pixels > 0 });
  }

  #paintBlocks(context, blocks, { first, above, left, wide, room }, pixels, density) {
    const { columns, height } = this.#view;
    const [from, to] = [Math.floor(left / wide), Math.min(columns, Math.ceil((left + room.width) / wide))];
    context.save();
    context.beginPath();
    context.rect(LEFT, TOP, room.width, room.height);
    context.clip();
    for (const block of blocks) {
      const picture = this.#blocks.picture(block);
      if (!picture) continue;
      const share = picture.width / columns;
      // From a pixel per column on, every pixel has the colour of an entry.
      context.imageSmoothingEnabled = picture.width !== pixels && wide * density < 1;
      context.drawImage(
        picture, from * share, 0, (to - from) * share, picture.height,
        LEFT + from * wide - left, TOP + (block - first) * height - above, (to - from) * wide, picture.height * height,
      );
    }
    context.restore();
  }

  #inView() {
    const rows = Math.ceil(this.#room.height / this.#view.height) + 1;
    const blocks = [];
    const last = Math.min(this.#first + rows, this.#view.lastRow);
    for (let at = Math.floor(this.#first / BLOCK) * BLOCK; at <= last; at += BLOCK) blocks.push(at);
    return blocks;
  }

  /** Returns the blocks that come into view next. */
  #ahead(blocks) {
    const from = this.#towards > 0 ? blocks.at(-1) : blocks[0];
    return Array.from({ length: AHEAD }, (_, i) => from + this.#towards * (i + 1) * BLOCK);
  }

  #listen() {
    const canvas = this.#canvas;
    let grip = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.#view || event.button !== 0 || !event.isPrimary) return;
      canvas.setPointerCapture(event.pointerId);
      grip = { x: event.clientX, y: event.clientY, moved: false };
    });
    canvas.addEventListener("pointermove", ({ clientX, clientY, isPrimary }) => {
      if (!grip || !isPrimary) return;
      const by = [grip.x - clientX, grip.y - clientY];
      if (Math.hypot(...by) > DRAG) grip.moved = true;
      if (!grip.moved) return;
      [grip.x, grip.y] = [clientX, clientY];
      this.scroll(...by);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (grip && !grip.moved) this.#click(event);
      grip = null;
    });
    canvas.addEventListener("pointercancel", () => (grip = null));
    // Only with the focus, so that the wheel scrolls the page past the picture.
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas || !this.#view || event.ctrlKey) return;
      event.preventDefault();
      const scale = [1, 16, 320][event.deltaMode];
      const [across, down] = [event.deltaX * scale, event.deltaY * scale];
      if (event.shiftKey && across === 0) this.scroll(down, 0);
      else this.scroll(across, down);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #click(event) {
    const row = this.#first + Math.floor((Math.max(0, event.offsetY - TOP) + this.#above) / this.#view.height);
    const column = Math.floor((event.offsetX - LEFT + this.#left) / this.#wide);
    this.#select(row, column, true);
  }

  #key(event) {
    if (!this.#view || event.ctrlKey || event.metaKey || event.altKey) return;
    const { position, column, height } = this.#view;
    const page = Math.max(1, Math.floor(this.#room.height / height) - 1);
    const [low, high] = ends(this.#view);
    const moves = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-page, 0], PageDown: [page, 0],
      // To the ends of the table, and from there to those of the positions.
      Home: [position > low ? low - position : -Infinity, 0], End: [position < high ? high - position : Infinity, 0],
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    if (move[0]) this.#towards = Math.sign(move[0]);
    this.#select(position + move[0], column + move[1], false);
  }

  #select(row, column, isClick) {
    const last = this.#view.columns - 1;
    this.#onSelect(shownRow(this.#view, row), Math.max(0, Math.min(last, column)), isClick);
  }
}

function coloursOf(canvas) {
  const style = getComputedStyle(canvas);
  const of = (name) => style.getPropertyValue(name);
  return { soft: of("--soft"), ink: of("--ink"), paper: of("--card"), font: style.fontFamily };
}
