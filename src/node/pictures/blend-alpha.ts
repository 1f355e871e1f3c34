// Pixels of four bytes each (red, green, blue, alpha), changed in place.

/** Whether anything can be seen through. */
export function hasAlpha(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return true;
  return false;
}

/** Lays a picture on white. */
export function layOnWhite(pixels: Uint8Array): void {
  eachPixel(pixels, (colour, alpha) => (colour * alpha + 255 * (255 - alpha)) / 255);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
}

/**
 * Weighs each colour by how much of it is seen: scaling would else mix in the colour of what is
 * not seen at all, often black, at every edge.
 */
export function weighByAlpha(pixels: Uint8Array): void {
  eachPixel(pixels, (colour, alpha) => (colour * alpha) / 255);
}

/** The opposite of `weighByAlpha`. */
export function unweighByAlpha(pixels: Uint8Array): void {
  eachPixel(pixels, (colour, alpha) => (alpha === 0 ? 0 : Math.min(255, (colour * 255) / alpha)));
}

function eachPixel(pixels: Uint8Array, blend: (colour: number, alpha: number) => number): void {
  for (let at = 0; at + 4 <= pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 255;
    if (alpha === 255) continue;
    for (let of = at; of < at + 3; of++) pixels[of] = Math.round(blend(pixels[of] ?? 0, alpha));
  }
}
