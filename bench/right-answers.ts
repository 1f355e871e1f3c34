import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './bench-world.ts';

/** The questions that every program is asked, if it has a tool for them. */
export type Question =
  | 'read'
  | 'search'
  | 'name'
  | 'tags'
  | 'tagged'
  | 'backlinks'
  | 'rename'
  | 'append';

/** The line that the n-th append adds. */
export const appendedLine = (turn: number): string => `A line that was added, number ${turn}.`;

/** The names of the hub before and after the n-th rename, which goes back and forth between two. */
export function hubNames({ hub }: World, turn: number): World['hub'] {
  return turn % 2 === 0 ? hub : [hub[1], hub[0]];
}

/**
 * Whether an answer of any program is right: it names what should be found, and the files on disk
 * are changed as they should be. Without this check, a search that finds nothing would count as
 * fast.
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

/**
 * How many of the notes an answer must name. One program lists only twenty notes, and not all of
 * them count.
 */
const shownMin = 10;

/** How many of the paths an answer contains, as they are or as JSON writes them. */
function namedIn(answer: string, paths: readonly string[]): number {
  const isNamed = (path: string): boolean =>
    answer.includes(path) || answer.includes(JSON.stringify(path).slice(1, -1));
  return paths.filter(isNamed).length;
}
