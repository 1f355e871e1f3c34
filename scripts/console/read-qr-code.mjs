/** The masks of QR codes, by their numbers: whether a module is turned over. */
const masks = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/**
 * Reads a QR code that is drawn as a path of squares, `M<x> <y>h1v1h-1z` each. It must be a clean one
 * of versions 2 to 6 with one block and one text of bytes, as short addresses are.
 */
export function readQrCode(path) {
  const squares = Array.from(path.matchAll(/M(\d+) (\d+)h1v1h-1z/g), ([, x, y]) => `${x} ${y}`);
  const dark = new Set(squares);
  const isDark = (x, y) => dark.has(`${x} ${y}`);
  const size = 1 + Math.max(...squares.map((square) => Number(square.split(' ')[0])));
  // The number of the mask is in the corner at the top left, itself masked with 101.
  const mask = masks[numberOf([2, 3, 4].map((x) => isDark(x, 8))) ^ 0b101];
  const bits = [];
  for (let right = size - 1, isUp = true; right > 0; right -= 2, isUp = !isUp) {
    if (right === 6) right--;
    for (let step = 0; step < size; step++) {
      const y = isUp ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (!isPattern(x, y, size)) bits.push(isDark(x, y) !== mask(x, y));
      }
    }
  }
  const isBytes = numberOf(bits.slice(0, 4)) === 0b0100;
  const length = isBytes ? numberOf(bits.slice(4, 12)) : 0;
  const byteAt = (at) => numberOf(bits.slice(12 + 8 * at, 20 + 8 * at));
  return Buffer.from(Array.from({ length }, (_, at) => byteAt(at))).toString('utf8');
}

/** Whether a module belongs to a pattern that helps the camera, and to no text. */
function isPattern(x, y, size) {
  const isCorner = (x < 9 && y < 9) || (x < 9 && y >= size - 8) || (x >= size - 8 && y < 9);
  const isSmallSquare = Math.abs(x - (size - 7)) <= 2 && Math.abs(y - (size - 7)) <= 2;
  return isCorner || isSmallSquare || x === 6 || y === 6;
}

function numberOf(bits) {
  return bits.reduce((number, bit) => 2 * number + Number(bit), 0);
}
