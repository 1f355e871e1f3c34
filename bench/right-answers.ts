import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './bench-world.ts';

/** What every program is asked for, as far as it has a tool for it. */
export type Question =
  | 'read'
  | 'search'
  | 'name'
  | 'tags'
  | 'tagged'
  | 'backlinks'
  | 'rename'
  | 'append';

/** The line that an append adds the n-th time. */
export const appendedLine = (turn: number): string => `A line that was added, number ${turn}.`;

/** The names of the hub before and after it is renamed the n-th time: it goes to and fro. */
export function hubNames({ hub }: World, turn: number): World['hub'] {
  return turn % 2 === 0 ? hub : [hub[1], hub[0]];
}

/**
 * Whether an answer is right, whoever gave it: it names what was to be found, and what was to be
 * changed is changed on disk. A search that finds nothing must not count as a fast one.
 */
export const isRight: Record<Question, (answer: string, world: World, turn: number) => boolean> = {
  read: (answer, { read }) => answer.includes(read.piece),
  search: (answer, { queries }, turn) => {
    const paths = queries[turn % queries.length]?.paths ?? [];
    return namedIn(answer, paths) > 0;
  },
  name: (answer, { name }) => namedIn(answer, [name.path]) > 0,
  tags: (answer, { tag }) => answer.includes(tag),
  tagged: (answer, { referrers }) => namedIn(answer, referrers) >= shownMin,
  backlinks: (answer, { referrers }) => namedIn(answer, referrers) >= shownMin,
  rename: (_, world, turn) => {
    const [before, after] = hubNames(world, turn);
    const isMoved = !existsSync(join(world.folder, before.path));
    return (
      isMoved &&
      world.referrers.every((path) => {
        const text = readFileSync(join(world.folder, path), 'utf8');
        return text.includes(`[[${after.name}]]`) && !text.includes(`[[${before.name}]]`);
      })
    );
  },
  append: (_, { folder, append }, turn) =>
    readFileSync(join(folder, append), 'utf8').trimEnd().endsWith(appendedLine(turn)),
};

/** How many of the notes an answer must name: one program shows twenty at most, some of them others. */
const shownMin = 10;

/** How many of the paths an answer names, as they are or as JSON spells them. */
function namedIn(answer: string, paths: readonly string[]): number {
  const isNamed = (path: string): boolean =>
    answer.includes(path) || answer.includes(JSON.stringify(path).slice(1, -1));
  return paths.filter(isNamed).length;
}
