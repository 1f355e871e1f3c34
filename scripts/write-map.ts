import { readFileSync, writeFileSync } from 'node:fs';
import { drawMap, type MapRoom } from './map/draw-map.ts';
import { importsOf, isProgramCode, repositoryFiles, roomOf } from './map/import-graph.ts';
import { readWalls } from './map/read-walls.ts';

/** The picture that `docs/rooms.svg` must have: the rooms in the order of test/walls.txt. */
export function roomsMap(): string {
  const code = repositoryFiles().filter(isProgramCode);
  const sentences = roomSentences();
  return drawMap(
    Array.from(readWalls().keys(), (name) => mapRoom(name, code, sentences.get(name) ?? '')),
  );
}

/** What ARCHITECTURE.md says of each room. */
function roomSentences(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `([a-z/-]+)` \| (.+) \|$/gm);
  return new Map(Array.from(rows, ([, name = '', says = '']) => [name, says.replaceAll('`', '')]));
}

function mapRoom(name: string, code: readonly string[], says: string): MapRoom {
  const files = code.filter((file) => roomOf(file) === name);
  const imports = new Map<string, number>();
  for (const file of files) {
    for (const { target } of importsOf(file)) {
      const other = roomOf(target);
      if (other !== name) imports.set(other, (imports.get(other) ?? 0) + 1);
    }
  }
  return { name, files: files.length, says, imports };
}

export function main(): void {
  writeFileSync(new URL('../docs/rooms.svg', import.meta.url), roomsMap());
}
