import type { MapRoom } from './draw-map.ts';

const boxHeight = 34;
const rowGap = 26;
const head = 34;
const side = 12;

interface Box {
  readonly room: MapRoom;
  readonly label: string;
  readonly width: number;
  x: number;
  y: number;
}

/** The rooms of one folder as boxes in rows, and how high they stand together. */
export function roomBoxes(
  rooms: readonly MapRoom[],
  folder: string,
  width: number,
): { boxes: string[]; height: number } {
  const boxes = rooms.map((room): Box => {
    const label = room.name === folder ? folder : room.name.slice(folder.length + 1);
    return { room, label, width: Math.max(74, label.length * 7 + 20), x: 0, y: 0 };
  });
  const rows = rowsOf(boxes, width - 2 * side);
  rows.forEach((row, at) => {
    const free = width - 2 * side - row.reduce((sum, box) => sum + box.width, 0);
    const between = Math.min(90, free / (row.length + 1));
    let x = side + (free - between * (row.length - 1)) / 2;
    for (const box of row) {
      box.x = x;
      box.y = head + at * (boxHeight + rowGap);
      x += box.width + between;
    }
  });
  const height = head + rows.length * (boxHeight + rowGap) - rowGap + 14;
  // From the top down, so that lines lie behind the boxes that they pass.
  const drawn = boxes.toSorted((a, b) => a.y - b.y).map((box) => drawBox(box, boxes));
  return { boxes: drawn, height };
}

/** A room stands below all that import it; a row that is too wide is cut in two. */
function rowsOf(boxes: readonly Box[], width: number): Box[][] {
  const levels = new Map<string, number>();
  const levelOf = (box: Box): number => {
    const known = levels.get(box.room.name);
    if (known !== undefined) return known;
    const level = boxes
      .filter(({ room }) => room.imports.has(box.room.name))
      .reduce((most, other) => Math.max(most, levelOf(other) + 1), 0);
    levels.set(box.room.name, level);
    return level;
  };
  const byLevel: Box[][] = [];
  for (const box of boxes) {
    const level = levelOf(box);
    byLevel[level] ??= [];
    byLevel[level].push(box);
  }
  return byLevel.flatMap((row) => cut(row, width));
}

function cut(row: readonly Box[], width: number): Box[][] {
  const rows: Box[][] = [[]];
  let used = 0;
  for (const box of row) {
    if (used + box.width + 14 > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(box);
    used += box.width + 14;
  }
  return rows;
}

function drawBox(box: Box, boxes: readonly Box[]): string {
  const { room, label, x, y, width } = box;
  const edges = boxes
    .filter((other) => room.imports.has(other.room.name))
    .map((other) => {
      const [fromX, fromY] = [x + width / 2, y + boxHeight];
      const [toX, toY] = [other.x + other.width / 2, other.y];
      const bend = Math.max(14, (toY - fromY) / 2);
      const isImplied = boxes.some(
        ({ room: way }) => room.imports.has(way.name) && way.imports.has(other.room.name),
      );
      return `<path class="${isImplied ? 'edge other' : 'edge'}" d="M${fromX} ${fromY} C${fromX} ${fromY + bend} ${toX} ${toY - bend} ${toX} ${toY}"/>`;
    });
  const imports = Array.from(room.imports.keys()).join(', ') || 'nothing';
  return [
    `<g class="room"><title>${room.name}: ${room.files} files; imports ${imports}</title>`,
    ...edges,
    `<rect x="${x}" y="${y}" width="${width}" height="${boxHeight}" rx="5"/>`,
    `<text x="${x + width / 2}" y="${y + 15}" text-anchor="middle">${label}</text>`,
    `<text class="files" x="${x + width / 2}" y="${y + 28}" text-anchor="middle">${room.files} files</text>`,
    '</g>',
  ].join('');
}
