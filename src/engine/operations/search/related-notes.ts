import { limits } from '../../../base/limits.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { findFrontmatter } from '../../../markdown/properties/frontmatter-block.ts';
import { findNote } from '../../notes/find-note.ts';
import type { RelatedRow } from '../../ports/graph-outline.ts';
import type { Neighbours } from '../../ports/meaning.ts';
import type { View } from '../../ports/view.ts';
import { foldedWords } from '../../search/query-words.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** How much of a note is read for its words, and how many of these are compared. */
const textCharsMax = 200_000;
const wordsMax = 60;
/** The larger, the less the first ranks count beside the next ones. */
const rankBase = 60;
/** Shorter words are mostly those that every note has. */
const wordCharsMin = 4;

interface RelatedNotes {
  readonly path: VaultPath;
  /** Closest first. */
  readonly notes: readonly RelatedRow[];
}

/**
 * Lists the notes that have most in common with a note: links, tags, rare words, and what they mean
 * where there is an embedding model. Fails as `findNote` does.
 */
export async function relatedNotes(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly limit: number },
): Promise<RelatedNotes> {
  const path = await findNote(vault, request.name);
  const { text } = await vault.readText(path, { shown: false });
  // Names of properties are words that notes of one template share.
  const body = text.slice(findFrontmatter(text)?.bodyStart ?? 0);
  const words = frequentWords(body.slice(0, textCharsMax));
  const view = await vault.listedView();
  const { limit } = request;
  const { meaning } = vault.vault.parts;
  const [found, near] = await Promise.all([
    vault.ask('text', (store) =>
      store.related(view, path, {
        words,
        limit: meaning === undefined ? limit : limits.relatedMax,
      }),
    ),
    meaning?.nearNote(view, path, limits.relatedMax).catch(() => undefined),
  ]);
  if (near === undefined) return { path, notes: found.slice(0, limit) };
  return { path, notes: await joined(vault, view, found, near, limit) };
}

/** Joins the notes that have something in common with those that are alike in meaning, by their ranks. */
async function joined(
  vault: BoundVault,
  view: View,
  found: readonly RelatedRow[],
  near: Neighbours,
  limit: number,
): Promise<readonly RelatedRow[]> {
  const rows = new Map<VaultPath, RelatedRow>();
  for (const [at, row] of found.entries()) {
    rows.set(row.path, { ...row, score: 1 / (rankBase + at) });
  }
  for (const [at, { path, near: cosine }] of near.notes.entries()) {
    const before = rows.get(path);
    const isAlike = cosine >= near.mean + near.deviation;
    if (!isAlike || (before === undefined && !(await isThere(vault, view, path)))) continue;
    rows.set(path, {
      path,
      score: (before?.score ?? 0) + 1 / (rankBase + at),
      common: [...(before?.common ?? []), { by: 'meaning', what: '' }],
    });
  }
  return Array.from(rows.values())
    .sort((one, other) => other.score - one.score)
    .slice(0, limit);
}

/** Whether the note is still there, and seen. */
async function isThere(vault: BoundVault, view: View, path: VaultPath): Promise<boolean> {
  return (await vault.askNow((store) => store.file(view, path))) !== undefined;
}

/** The words that a text has most often, the longer of two that are equally frequent first. */
function frequentWords(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of foldedWords(text).trim().split(' ')) {
    if (isTelling(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return Array.from(counts)
    .sort(([one, count], [other, more]) => more - count || other.length - one.length)
    .slice(0, wordsMax)
    .map(([word]) => word);
}

/** Scripts without spaces are in the index as pairs of characters, of which each tells something. */
const pair = /^\p{Script=Han}{2}$|^\p{Script=Katakana}{2}$|^\p{Script=Hangul}{2}$/u;

function isTelling(word: string): boolean {
  return (word.length >= wordCharsMin && !/^\d+$/.test(word)) || pair.test(word);
}
