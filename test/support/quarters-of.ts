import * as photon from '@silvia-odwyer/photon-node';

const colours: Readonly<Record<string, readonly number[]>> = {
  red: [255, 0, 0, 255],
  green: [0, 255, 0, 255],
  blue: [0, 0, 255, 255],
  white: [255, 255, 255, 255],
  nothing: [0, 0, 0, 0],
};

/** The pixels of a small picture; four bytes each. */
export function pixelsOf({ bytes }: { readonly bytes: Uint8Array }): Uint8Array {
  return photon.PhotonImage.new_from_byteslice(bytes).get_raw_pixels();
}

/** The colours in the middles of the four quarters of a small picture. */
export function quartersOf(picture: {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}): string {
  const pixels = pixelsOf(picture);
  const { width, height } = picture;
  const nameAt = (x: number, y: number): string => {
    const at = 4 * (Math.floor(y * height) * width + Math.floor(x * width));
    const seen = pixels.subarray(at, at + 4);
    const [name = Array.from(seen).join(',')] =
      Object.entries(colours).find(([, colour]) =>
        colour.every((value, of) => Math.abs(value - (seen[of] ?? 0)) < 40),
      ) ?? [];
    return name;
  };
  return [
    nameAt(1 / 4, 1 / 4),
    nameAt(3 / 4, 1 / 4),
    nameAt(1 / 4, 3 / 4),
    nameAt(3 / 4, 3 / 4),
  ].join(' ');
}
