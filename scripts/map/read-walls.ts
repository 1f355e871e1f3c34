import { readRepositoryFile } from './import-graph.ts';

/** The rooms that each room may import, in the order of test/walls.txt, which explains the form. */
export function readWalls(): ReadonlyMap<string, ReadonlySet<string>> {
  const lines = readRepositoryFile('test/walls.txt')
    .replace(/\n {6,}/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const sections = lines.filter((line) => !line.startsWith(' ')).map(readLine);
  const written: { readonly room: string; readonly top: string; readonly names: string[] }[] = [];
  let section = { name: '', names: [] as string[] };
  for (const line of lines) {
    const { name, names } = readLine(line);
    if (!line.startsWith(' ')) section = { name, names };
    else written.push({ room: `${section.name}/${name}`, top: section.name, names });
  }
  // A folder without rooms of its own is a room.
  for (const { name, names } of sections) {
    if (!written.some(({ top }) => top === name)) written.push({ room: name, top: name, names });
  }
  const order = sections.flatMap(({ name }) => written.filter(({ top }) => top === name));
  const rooms = order.map(({ room }) => room);
  return new Map(
    order.map(({ room, top, names }) => {
      const shared = sections.find(({ name }) => name === top)?.names ?? [];
      const allowed = [
        ...shared.flatMap((name) => meant(name, rooms)),
        ...names.flatMap((name) => {
          const near = meant(`${top}/${name}`, rooms);
          return near.length > 0 ? near : meant(name, rooms);
        }),
      ];
      return [room, new Set(allowed)];
    }),
  );
}

function readLine(line: string): { name: string; names: string[] } {
  const [name = '', names = ''] = line.split('<-').map((part) => part.trim());
  return { name, names: names.split(/\s+/).filter((part) => part !== '') };
}

/** The rooms that a name of the table stands for. */
function meant(name: string, rooms: readonly string[]): string[] {
  const isMeant = name.endsWith('/*')
    ? (room: string) => room.startsWith(name.slice(0, -1))
    : (room: string) => room === name;
  return rooms.filter(isMeant);
}
