import { assert } from '../../base/assert.ts';
import { fileNameOf, foldName } from '../../base/vault-path.ts';
import type { CloseRow } from '../../engine/ports/index-store.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees, seesAll } from '../../engine/ports/view.ts';
import type { AskedName, Closeness } from '../../engine/text/closeness.ts';
import { askedName, closeness } from '../../engine/text/closeness.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import type { NameBlock, NameList } from './name-list.ts';
import { foldedPath, pathsOf } from './name-list.ts';
import { characterCounts, marksLacking, marksOf, type PackedNames } from './packed-names.ts';

/** When this many close names are found, all but the best are dropped. */
const foundMax = 1_000;

/**
 * See `IndexStore.closest`. Costs a quick test of every name by its letters, and a full comparison of
 * the few that pass.
 */
export function closest(list: NameList, view: View, asked: string, limit: number): CloseRow[] {
  const folded = foldName(asked).replace(/\.md$/, '');
  const name = askedName(fileNameOf(folded));
  // An alias may have a "/" in it; no other alias is compared with the folders that were asked for.
  const whole = folded.includes('/') ? askedName(folded) : undefined;
  const folder = folded.slice(0, folded.length - fileNameOf(folded).length);
  // With something like an extension, the name may be that of any file, not only of a note.
  const anyKind = /\.[a-z0-9]{1,6}$/.test(folded);
  return list.read((blocks) => {
    const { connection } = list;
    const best = new BestNames({ limit, folder, sees: seesFile(connection, view) });
    blocks.forEach((block, number) => {
      for (const at of maybeNear(name, block.names)) {
        if (block.kinds[at] !== 'note' && !anyKind) continue;
        best.add(closeness(name, block.names.at(at)), { block, number, at });
      }
      for (const asked of whole === undefined ? [name] : [name, whole]) {
        for (const alias of maybeNear(asked, block.aliases)) {
          const text = block.aliases.at(alias);
          if (asked === whole && !text.includes('/')) continue;
          const at = block.aliasFile[alias] ?? 0;
          best.add(closeness(asked, text), { block, number, at, alias });
        }
      }
    });
    return best.names().map((near) => closeRow(connection, near));
  });
}

/** The test whether the view admits the file with an id. */
function seesFile(connection: IndexConnection, view: View): (id: number) => boolean {
  if (seesAll(view)) return () => true;
  const sees = makeSees(view);
  return (id) => sees(pathsOf(connection, [id])[0] ?? '');
}

function closeRow(connection: IndexConnection, { block, at, alias }: NamedPlace): CloseRow {
  const id = block.ids[at] ?? 0;
  const path = pathsOf(connection, [id])[0];
  assert(path !== undefined, 'a name in the list has a file');
  if (alias === undefined) return { path };
  const row = connection.get<{ alias: string }>(
    'SELECT alias FROM alias WHERE file = ? AND seq = ?',
    id,
    block.aliasSeq[alias] ?? 0,
  );
  return { path, alias: row?.alias ?? '' };
}

/**
 * The positions of the names that may be close to the asked one; `closeness` decides. Among them are
 * all names that contain the text or half of its words, and all whose letters differ by no more than
 * a few typing mistakes.
 */
function maybeNear(asked: AskedName, names: PackedNames): number[] {
  const { text, words, mistakesMax } = asked;
  // For each name, how many of the words it contains.
  const wordsIn = new Uint8Array(names.size);
  // A name that contains the text also contains its words.
  for (const word of words.length > 1 ? words : [text]) {
    if (word !== '')
      names.eachContaining(word, (at) => {
        wordsIn[at] = (wordsIn[at] ?? 0) + 1;
      });
  }
  const wordsMin = words.length > 1 ? words.length / 2 : 1;
  const marks = marksOf(text);
  const counts = characterCounts(text);
  // `beyond` letters of the name are not in the text: they were left out or mistyped. `beyond -
  // longer` letters of the text are not in the name: they were added or mistyped.
  const isMistyped = (beyond: number, longer: number): boolean =>
    beyond <= mistakesMax && beyond - longer <= mistakesMax;
  const near: number[] = [];
  for (let at = 0; at < names.size; at++) {
    if ((wordsIn[at] ?? 0) >= wordsMin) {
      near.push(at);
      continue;
    }
    const longer = names.lengthAt(at) - text.length;
    if (longer > mistakesMax) continue;
    // The rest is for names with mistakes; the cheap test by `marksOf` comes first.
    const others = names.marksAt(at);
    const added = marksLacking(others, marks);
    if (added > mistakesMax) continue;
    // A shorter name without other letters: the text may contain it.
    if (longer < 0 && added === 0) near.push(at);
    else if (longer < -mistakesMax || marksLacking(marks, others) > mistakesMax) continue;
    else if (isMistyped(names.beyondAt(at, counts), longer)) near.push(at);
  }
  return near;
}

/** The place of a file in the list of names, and of one of its aliases. */
interface NamedPlace {
  readonly block: NameBlock;
  /** The number of the block, and of the file in the block; both are in path order. */
  readonly number: number;
  readonly at: number;
  readonly alias?: number;
}

interface NearName extends NamedPlace {
  readonly id: number;
  readonly near: Closeness;
  /** Whether the file is in the folder that was asked for. */
  readonly inFolder: boolean;
}

/** Collects the closest of many names, each file once, and only files that the view admits. */
class BestNames {
  readonly #limit: number;
  readonly #folder: string;
  readonly #sees: (id: number) => boolean;
  #found: NearName[] = [];
  /** The closeness of the last of the best names, once there are enough. */
  #last: Closeness | undefined;

  constructor(options: {
    readonly limit: number;
    readonly folder: string;
    readonly sees: (id: number) => boolean;
  }) {
    this.#limit = options.limit;
    this.#folder = `/${options.folder}`;
    this.#sees = options.sees;
  }

  /** Takes a name with its closeness; undefined means that it is not close. */
  add(near: Closeness | undefined, place: NamedPlace): void {
    if (near === undefined || this.#isPast(near)) return;
    const id = place.block.ids[place.at] ?? 0;
    if (!this.#sees(id)) return;
    const inFolder =
      this.#folder !== '/' && `/${foldedPath(place.block, place.at)}`.includes(this.#folder);
    this.#found.push({ ...place, id, near, inFolder });
    // Thousands of names may be close: from time to time only the best are kept.
    if (this.#found.length < foundMax) return;
    this.#keepBest();
    this.#last = this.#found[this.#limit - 1]?.near;
  }

  /** The closest names, best first. */
  names(): readonly NamedPlace[] {
    this.#keepBest();
    return this.#found;
  }

  /** Whether enough names are known that are closer than this. */
  #isPast(near: Closeness): boolean {
    const last = this.#last;
    return last !== undefined && (near[0] - last[0] || near[1] - last[1]) > 0;
  }

  #keepBest(): void {
    const files = new Set<number>();
    this.#found = this.#found.sort(nearestFirst).filter(({ id }) => {
      if (files.size >= this.#limit || files.has(id)) return false;
      files.add(id);
      return true;
    });
  }
}

function nearestFirst(a: NearName, b: NearName): number {
  return (
    a.near[0] - b.near[0] ||
    a.near[1] - b.near[1] ||
    Number(b.inFolder) - Number(a.inFolder) ||
    Number(a.alias !== undefined) - Number(b.alias !== undefined) ||
    a.number - b.number ||
    a.at - b.at
  );
}
