// These functions take pixels of four bytes each (red, green, blue, alpha) and change them in
// place.

/** Whether any pixel is transparent, at least in part. */
export function hasAlpha(pixels: Uint8Array): boolean {
  for (let at = 3; at < pixels.length; at += 4) if (pixels[at] !== 255) return true;
  return false;
}

/** Puts a picture on a white background; no pixel is transparent afterwards. */
export function layOnWhite(pixels: Uint8Array): void {
  eachPixel(pixels, (colour, alpha) => (colour * alpha + 255 * (255 - alpha)) / 255);
  for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
}

/**
 * Multiplies each colour by its alpha. Without this, scaling would mix the colour of fully
 * transparent pixels, which is often black, into every edge.
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
