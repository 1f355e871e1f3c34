/** A place in a picture. */
interface Point {
  readonly x: number;
  readonly y: number;
  /** Whether nothing is farther from the middle, so that there is room for a name. */
  readonly isOuter: boolean;
}

/** How many notes one ring holds before there is a second one around it. */
const ringMax = 16;

/**
 * Places for the notes around one in the middle: on a ring, or on two or three of them, each with a
 * place for its name. Always the same for the same number, so that a picture does not jump.
 */
export function ringLayout(
  count: number,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Point[] {
  const rings = Math.min(3, Math.max(1, Math.ceil(count / ringMax)));
  const middle = { x: width / 2, y: height / 2 };
  return Array.from({ length: count }, (_, at) => {
    // Neighbours in the list stand on different rings, so that they have more room.
    const ring = rings - (at % rings);
    const angle = (2 * Math.PI * at) / count - Math.PI / 2;
    const share = ring / rings;
    return {
      x: round(middle.x + Math.cos(angle) * share * (width / 2 - 34)),
      y: round(middle.y + Math.sin(angle) * share * (height / 2 - 20)),
      isOuter: ring === rings,
    };
  });
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
