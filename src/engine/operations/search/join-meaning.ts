import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { SearchRow } from '../../ports/index-store.ts';
import type { Neighbours } from '../../ports/meaning.ts';
import type { Query } from '../../ports/search-query.ts';
import type { View } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { FoundPage } from './match-texts.ts';

/** How the two lists are joined. Chosen by one half of the paraphrases of `npm run bench:meaning`. */
const join = {
  /** The larger, the less the first ranks count beside the next ones. */
  rank: 2,
  /** What the meaning counts beside the words. */
  weight: 2,
  /** What it counts for notes that are not near, where no note has all words: they alternate. */
  weakWeight: 0.9,
  /** How many of the nearest notes count where they are not near. */
  weakMax: 10,
  /** The words are sure of a note that scores this many times as high as the next. */
  sureTimes: 2,
  /** Notes count as near that are nearer than the average by this many deviations. */
  deviations: 2.5,
  /** In a small vault no note can be that far from the average: then by this share of the most possible. */
  possible: 0.6,
};

/** Whether a search was also one by meaning: `words` when the model did not answer. */
export type ByMeaning = 'partly' | 'words';

/** A page of both lists together, and the line of each note that was found by its meaning. */
export interface JoinedPage extends FoundPage {
  readonly near: ReadonlyMap<VaultPath, number>;
  readonly meaning?: ByMeaning;
}

/** Whether a query is words alone: one with quotes or operators stays exactly what it is. */
export function isPlain(query: Query): boolean {
  const parts = query.kind === 'all' ? query.parts : [query];
  return parts.every((part) => part.kind === 'text' && !part.quoted && part.text !== '');
}

/** The notes near in meaning to a query; undefined when the model does not answer. */
export async function meantNotes(
  vault: BoundVault,
  view: View,
  query: string,
): Promise<Neighbours | undefined> {
  const { meaning } = vault.vault.parts;
  try {
    return await meaning?.nearest(view, query, limits.meaningNotesMax, vault.caller.signal);
  } catch {
    return undefined;
  }
}

/**
 * Joins the notes that have the words with those that are near in meaning, by their ranks. `words`
 * has all rows up to the end of the page, and `limits.meaningNotesMax` more.
 */
export function joinMeaning(
  words: FoundPage,
  near: Neighbours | undefined,
  {
    limit,
    offset,
    isPartly,
  }: { readonly limit: number; readonly offset: number; readonly isPartly: boolean },
): JoinedPage {
  if (near === undefined) {
    return {
      ...words,
      items: words.items.slice(offset, offset + limit),
      near: new Map(),
      meaning: 'words',
    };
  }
  const page = { ...words, items: words.items.slice(offset, offset + limit), near: new Map() };
  const rest = isPartly ? { meaning: 'partly' as const } : {};
  if (haveAll(words)) return { ...page, ...rest };
  const least = near.mean + deviationsOf(near) * near.deviation;
  const known = new Set(words.items.map(({ path }) => path));
  const weak = weakNotes(words, near);
  const meant = near.notes.filter((note) => note.near >= least || weak.has(note.path));
  // Where one note is far ahead, the order of the words stays, and the others come after them.
  const ahead = isFarAhead(words) ? 1 : 0;
  const scores = new Map(
    words.items.map(({ path }, at) => [path, ahead + 1 / (join.rank + at + 1)]),
  );
  for (const note of meant) {
    const byWords = scores.get(note.path);
    if (byWords !== undefined && ahead > 0) continue;
    const weight = note.near >= least ? join.weight : join.weakWeight;
    const rank = near.notes.indexOf(note) + 1;
    scores.set(note.path, (byWords ?? 0) + weight / (join.rank + rank));
  }
  const rows: SearchRow[] = Array.from(scores, ([path, score]) => ({ path, score }));
  const more = meant.filter(({ path }) => !known.has(path)).length;
  return {
    ...words,
    total: words.total + more,
    items: rows.sort((one, other) => other.score - one.score).slice(offset, offset + limit),
    near: new Map(meant.map(({ path, line }) => [path, line])),
    ...rest,
  };
}

/** Whether all notes that were found have all words: then nothing is added to them. */
function haveAll({ total, whole, items }: FoundPage): boolean {
  return items.length > 0 && (whole === undefined || whole >= total);
}

/**
 * Where no note has all words: the nearest notes, even if they are not near, without those that are
 * among the first by words. They are the same for every page.
 */
function weakNotes({ items, whole }: FoundPage, { notes }: Neighbours): ReadonlySet<VaultPath> {
  if (whole !== 0 || items.length === 0) return new Set();
  const byWords = new Set(items.slice(0, limits.meaningNotesMax).map(({ path }) => path));
  const nearest = notes.slice(0, join.weakMax).map(({ path }) => path);
  return new Set(nearest.filter((path) => !byWords.has(path)));
}

/** Whether the words of one note score so much higher than the next that their order stays. */
function isFarAhead({ items: [first, second] }: FoundPage): boolean {
  return (
    first !== undefined && second !== undefined && first.score >= join.sureTimes * second.score
  );
}

/** How far a note must be from the average; of `among` notes none can be farther than that root. */
function deviationsOf({ among }: Neighbours): number {
  const most = (among - 1) / Math.sqrt(Math.max(1, among));
  return Math.min(join.deviations, join.possible * most);
}
