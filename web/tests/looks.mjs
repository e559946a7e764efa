// What the page looks like: the pixels of the heat map, and the contrast of texts.

/** Returns the pixels of a part of the heat map as numbers. An extent of 0 is up to the edge. */
export const pixelsOf = (page, x, y, width = 0, height = 0) => page.evaluate(([x, y, width, height]) => {
  const canvas = document.querySelector("#map");
  const [across, down] = [width || canvas.width - x, height || canvas.height - y];
  const copy = new OffscreenCanvas(across, down).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, -x, -y);
  return [...new Uint32Array(copy.getImageData(0, 0, across, down).data.buffer)];
}, [x, y, width, height]);

/** Returns the number of colours in the picture, right of the labels. */
export const colours = async (page) => new Set(await pixelsOf(page, 90, 90)).size;

/** Returns where the bar beside the rows of the table begins and ends. */
export const bar = async (page) => {
  const isDark = (await pixelsOf(page, 79, 24, 1)).map((pixel) => pixel >>> 24 === 255 && (pixel & 255) < 80);
  return [24 + isDark.indexOf(true), 24 + isDark.lastIndexOf(true) + 1];
};

/** Returns the pixel of an entry. */
export const colourOf = (page, entry) => page.evaluate(async (entry) => {
  const { pixels } = await import("./colours.js");
  return new Uint32Array(pixels([entry], 1).buffer)[0];
}, entry);

/** Returns the number of texts, and those whose contrast with their background is below 4.5 : 1. */
export const contrasts = () => {
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const linear = (channel) => (channel <= 10 ? channel / 3294.6 : ((channel / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const background = (node) => {
    const own = channels(getComputedStyle(node).backgroundColor);
    return own[3] === 0 && node.parentElement ? background(node.parentElement) : own;
  };
  const visible = [...document.querySelectorAll("body *")].filter((node) => node.checkVisibility() && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const texts = visible.filter((node) => !["OPTION", "OPTGROUP", "SCRIPT", "NOSCRIPT"].includes(node.tagName));
  const low = texts.flatMap((node) => {
    const { color, fill } = getComputedStyle(node);
    const [one, other] = [node instanceof SVGElement ? fill : color, null].map((text) => luminance(text ? channels(text) : background(node)));
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    return ratio < 4.5 ? [`${node.tagName} ${node.textContent.slice(0, 30)} ${ratio.toFixed(2)}`] : [];
  });
  return { texts: texts.length, low };
};
