import { describe, expect, it } from 'vitest';
import {
  exportsOf,
  type FileImport,
  importsOf,
  isProgramCode,
  repositoryFiles,
  roomOf,
} from '../scripts/map/import-graph.ts';
import { readWalls } from '../scripts/map/read-walls.ts';

// Which room of src may import which, as test/walls.txt says, and what holds for every room.

const filesMax = 30;

const code = repositoryFiles().filter(isProgramCode);
const imports = new Map(code.map((file) => [file, importsOf(file)]));
const rooms = new Set(code.map(roomOf));
const walls = readWalls();

describe('rooms', () => {
  it('are those of test/walls.txt', () => {
    expect(Array.from(rooms).sort()).toEqual(Array.from(walls.keys()).sort());
  });

  it(`hold at most ${filesMax} files`, () => {
    const full = Array.from(rooms, (room) => ({
      room,
      files: code.filter((file) => roomOf(file) === room).length,
    })).filter(({ files }) => files > filesMax);
    expect(full).toEqual([]);
  });

  it('import only rooms above them in the table', () => {
    const order = Array.from(walls.keys());
    const wrong = order.flatMap((room, at) =>
      Array.from(walls.get(room) ?? [])
        .filter((other) => order.indexOf(other) >= at)
        .map((other) => `${room} <- ${other}`),
    );
    expect(wrong).toEqual([]);
  });

  it('import what the table allows and nothing else', () => {
    const wrong = code.flatMap((file) =>
      importsFrom(file)
        .filter(({ target }) => {
          const [from, to] = [roomOf(file), roomOf(target)];
          return from !== to && walls.get(from)?.has(to) !== true;
        })
        .map(({ target }) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('files', () => {
  it('import no other in a circle at run time', () => {
    expect(
      circle((file) => importsFrom(file).filter(({ isType, isLate }) => !isType && !isLate)),
    ).toEqual([]);
  });

  it('import types in a circle only within one room', () => {
    // Every circle of files through several rooms would be a circle of rooms, which the order of the
    // table forbids; here the imports themselves are looked at.
    const between = (file: string): FileImport[] =>
      importsFrom(file).filter(({ target }) => roomOf(target) !== roomOf(file));
    const roomImports = (room: string): string[] =>
      code
        .filter((file) => roomOf(file) === room)
        .flatMap((file) => between(file).map(({ target }) => roomOf(target)));
    expect(findCircle(rooms, roomImports)).toEqual([]);
  });

  it('of the console are not loaded by `stdio`, at its start or later', () => {
    // The table of programs names every command; of these only `stdio` is loaded.
    const ways = ['src/cli/start/main.ts', 'src/cli/commands/stdio-command.ts'];
    const loaded = new Set(ways);
    for (const file of loaded) {
      for (const { target, isType, isLate } of importsFrom(file)) {
        const isOtherProgram = isLate && file === 'src/cli/start/programs.ts';
        if (!isType && !isOtherProgram) loaded.add(target);
      }
    }
    expect(Array.from(loaded)).toContain('src/cli/servers/serve-stdio.ts');
    const ofConsole = /^src\/(console|doors\/console|tools\/console)\//;
    expect(Array.from(loaded).filter((file) => ofConsole.test(file))).toEqual([]);
  });

  it('export only what another file imports; tests do not count', () => {
    const users = repositoryFiles().filter(
      (file) => /\.(ts|tsx|mts|mjs)$/.test(file) && !/^test\/|\.test\.tsx?$/.test(file),
    );
    const used = new Set(
      users.flatMap((file) =>
        importsOf(file).flatMap(({ target, names }) => names.map((name) => `${target} ${name}`)),
      ),
    );
    const idle = code.flatMap((file) =>
      exportsOf(file)
        .filter((name) => !used.has(`${file} ${name}`))
        .map((name) => `${file} exports ${name}`),
    );
    expect(idle).toEqual([]);
  });
});

function importsFrom(file: string): readonly FileImport[] {
  return imports.get(file) ?? [];
}

function circle(importsOf: (file: string) => readonly FileImport[]): string[] {
  return findCircle(code, (file) => importsOf(file).map(({ target }) => target));
}

/** The first circle that following `next` leads into, or nothing. */
function findCircle(all: Iterable<string>, next: (name: string) => readonly string[]): string[] {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (name: string): string[] => {
    if (way.includes(name)) return [...way.slice(way.indexOf(name)), name];
    if (done.has(name)) return [];
    way.push(name);
    for (const other of next(name)) {
      const found = visit(other);
      if (found.length > 0) return found;
    }
    way.pop();
    done.add(name);
    return [];
  };
  for (const name of all) {
    const found = visit(name);
    if (found.length > 0) return found;
  }
  return [];
}
