// The colours of entries: blue through white to red, which colour-blind readers can tell apart (RdBu of ColorBrewer).

const STOPS = [
  [5, 48, 97], [33, 102, 172], [67, 147, 195], [146, 197, 222], [209, 229, 240], [247, 247, 247],
  [253, 219, 199], [244, 165, 130], [214, 96, 77], [178, 24, 43], [103, 0, 31],
];
const SIZE = 1024;

function between(share) {
  const place = share * (STOPS.length - 1);
  const i = Math.min(Math.floor(place), STOPS.length - 2);
  return STOPS[i].map((from, channel) => Math.round(from + (STOPS[i + 1][channel] - from) * (place - i)));
}

const TABLE = Uint32Array.from({ length: SIZE + 1 }, (_, i) => {
  const [red, green, blue] = between(i / SIZE);
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0];
});

function index(entry, largest) {
  return Math.max(0, Math.min(SIZE, Math.round((entry / largest + 1) * (SIZE / 2)))) || 0;
}

/** Returns the pixels of entries, of which none is larger than `largest`. */
export function pixels(entries, largest) {
  const colours = new Uint32Array(entries.length);
  for (let i = 0; i < entries.length; i++) colours[i] = TABLE[index(entries[i], largest)];
  return new Uint8ClampedArray(colours.buffer);
}

/** Returns the colours of a cell and its text. */
export function cell(entry, largest) {
  const place = index(entry, largest);
  const [red, green, blue] = new Uint8Array(TABLE.slice(place, place + 1).buffer);
  const linear = (channel) => (channel <= 10 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  // The one with more contrast has at least 4.58 : 1.
  return { background: `rgb(${red} ${green} ${blue})`, text: (luminance + 0.05) ** 2 > 1.05 * 0.05 ? "#000" : "#fff" };
}

/** The colours from the least entry to the greatest, for a legend. */
export const GRADIENT = `linear-gradient(to right, ${STOPS.map((stop) => `rgb(${stop.join(" ")})`).join(", ")})`;
