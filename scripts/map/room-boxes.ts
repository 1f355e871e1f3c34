import type { MapRoom } from './draw-map.ts';

const cardGap = 10;
const cardWidthMin = 190;
const nameHeight = 22;
const lineHeight = 15;
const charWidth = 6.8;
/** The title of a folder, and below it what the folder imports. */
const head = 52;
const side = 12;

/**
 * The rooms of one folder as cards in rows, each with its sentence, and how high they stand together. A
 * room stands after all rooms of the folder that import it.
 */
export function roomBoxes(
  rooms: readonly MapRoom[],
  folder: string,
  width: number,
): { boxes: string[]; height: number } {
  const inside = width - 2 * side + cardGap;
  const columns = Math.min(rooms.length, Math.floor(inside / (cardWidthMin + cardGap)));
  const cardWidth = inside / columns - cardGap;
  const cards = inOrder(rooms).map((room) => ({
    room,
    label: room.name === folder ? folder : room.name.slice(folder.length + 1),
    lines: wrapped(room.says, Math.floor((cardWidth - 20) / charWidth)),
  }));
  const boxes: string[] = [];
  let y = head;
  for (let at = 0; at < cards.length; at += columns) {
    const row = cards.slice(at, at + columns);
    const height = nameHeight + Math.max(...row.map(({ lines }) => lines.length)) * lineHeight + 8;
    row.forEach(({ room, label, lines }, column) => {
      const x = Math.round(side + column * (cardWidth + cardGap));
      const imports = Array.from(room.imports.keys()).join(', ') || 'nothing';
      const texts = lines.map(
        (line, i) =>
          `<text class="does" x="${x + 10}" y="${y + nameHeight + 11 + i * lineHeight}">${escaped(line)}</text>`,
      );
      boxes.push(
        [
          `<g class="room"><title>${room.name}: ${room.files} files; imports ${imports}</title>`,
          `<rect x="${x}" y="${y}" width="${Math.round(cardWidth)}" height="${height}" rx="5"/>`,
          `<text class="name" x="${x + 10}" y="${y + 19}">${label}</text>`,
          ...texts,
          '</g>',
        ].join(''),
      );
    });
    y += height + cardGap;
  }
  return { boxes, height: y - cardGap + 14 };
}

/** Rooms that no other imports first, then those that these import, and so on. */
function inOrder(rooms: readonly MapRoom[]): readonly MapRoom[] {
  const levels = new Map<string, number>();
  const levelOf = (room: MapRoom): number => {
    const known = levels.get(room.name);
    if (known !== undefined) return known;
    const level = rooms
      .filter(({ imports }) => imports.has(room.name))
      .reduce((most, other) => Math.max(most, levelOf(other) + 1), 0);
    levels.set(room.name, level);
    return level;
  };
  return rooms.toSorted((a, b) => levelOf(a) - levelOf(b));
}

/** A sentence in lines of at most so many characters, unless a word is longer. */
function wrapped(text: string, charsMax: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < charsMax) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
