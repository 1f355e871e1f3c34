import { crc32, deflateSync } from 'node:zlib';

type Color = readonly [red: number, green: number, blue: number];

const size = 512;
/** How many samples are taken along each side of a pixel, so that edges look smooth. */
const samples = 4;

const violet: Color = [124, 92, 255];
const indigo: Color = [68, 42, 168];
const night: Color = [30, 18, 82];
const paper: Color = [246, 242, 255];
const light: Color = [255, 209, 102];

/** Draws the bundle's icon, an open door with light behind it, as a PNG. */
export function drawIcon(): Uint8Array {
  const rows: Uint8Array[] = [];
  for (let y = 0; y < size; y++) {
    const row = new Uint8Array(1 + size * 4); // The first byte says that the row is not filtered.
    for (let x = 0; x < size; x++) row.set(pixel(x, y), 1 + x * 4);
    rows.push(row);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // Eight bits, red, green, blue and alpha, not interlaced.
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ]);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The mean colour of a pixel's samples. Outside the icon, a pixel is transparent. */
function pixel(x: number, y: number): readonly number[] {
  const sum: [number, number, number] = [0, 0, 0];
  let inside = 0;
  for (let i = 0; i < samples * samples; i++) {
    const color = colorAt(
      x + ((i % samples) + 0.5) / samples,
      y + (Math.floor(i / samples) + 0.5) / samples,
    );
    if (color === undefined) continue;
    inside += 1;
    sum[0] += color[0];
    sum[1] += color[1];
    sum[2] += color[2];
  }
  if (inside === 0) return [0, 0, 0, 0];
  const alpha = Math.round((255 * inside) / (samples * samples));
  return [...sum.map((value) => Math.round(value / inside)), alpha];
}

function colorAt(x: number, y: number): Color | undefined {
  if (!inRoundedSquare(x, y)) return undefined;
  if (Math.hypot(x - 298, y - 292) < 13) return night; // The knob.
  if (inLeaf(x, y)) return paper;
  if (inArch(x, y, 104)) return mix(light, paper, clamp((y - 130) / 300));
  if (inArch(x, y, 126)) return night;
  return mix(violet, indigo, clamp(y / size));
}

function inRoundedSquare(x: number, y: number): boolean {
  const radius = 112;
  const dx = Math.max(radius - x, x - (size - radius), 0);
  const dy = Math.max(radius - y, y - (size - radius), 0);
  return Math.hypot(dx, dy) <= radius;
}

/**
 * Whether a point is in a doorway with a round top that reaches `half` to each side of the middle.
 */
function inArch(x: number, y: number, half: number): boolean {
  if (Math.abs(x - 256) > half || y > 412) return false;
  return y >= 216 || Math.hypot(x - 256, y - 216) <= half;
}

/**
 * Whether a point is on the open door. The door hangs on the left and is seen from the side: its
 * free edge is nearer to the viewer, and therefore longer.
 */
function inLeaf(x: number, y: number): boolean {
  const across = (x - 152) / 172;
  if (across < 0 || across > 1) return false;
  const top = 216 - Math.sqrt(Math.max(0, 1 - (across - 1) ** 2)) * 78;
  return y >= top && y <= 412 + across * 34;
}

function mix(from: Color, to: Color, part: number): Color {
  const between = (a: number, b: number): number => a + (b - a) * part;
  return [between(from[0], to[0]), between(from[1], to[1]), between(from[2], to[2])];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
