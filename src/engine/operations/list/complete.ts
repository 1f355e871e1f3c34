import { VaultError } from '../../../base/vault-error.ts';
import { foldName } from '../../../base/vault-path.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import { findableNames } from '../../notes/findable-names.ts';
import { beginningFirst } from '../../text/beginning-first.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { listFiles, listNoteNames } from './list-files.ts';
import { listTags } from './list-tags.ts';

/** The completions of what was typed, best first, and how many there are in all. */
interface Completed {
  readonly values: readonly string[];
  readonly total: number;
}

/** Before anything is typed, the notes that changed last are offered. */
const latest = { folder: '', sort: 'modified', offset: 0 } as const;

/**
 * Completes the path of a note. Where no path begins with the prefix, offers the paths of the notes
 * whose names contain it.
 */
export async function completePaths(
  vault: BoundVault,
  prefix: string,
  limit: number,
): Promise<Completed> {
  if (prefix.trim() === '') {
    const { total, items } = await listFiles(vault, { ...latest, kinds: ['note'], limit });
    return { total, values: items.map(({ path }) => path) };
  }
  const view = await vault.listedView();
  const begun = await vault.ask('names', (store) => store.pathsFrom(view, prefix, limit));
  if (begun.total > 0) return { total: begun.total, values: begun.items };
  const { total, items } = await namesWith(vault, prefix, limit);
  return { total, values: items.map(({ path }) => path) };
}

/**
 * Completes the name of a note: names that begin with the prefix come before names that contain it.
 */
export async function completeNames(
  vault: BoundVault,
  prefix: string,
  limit: number,
): Promise<Completed> {
  if (prefix.trim() === '') {
    const { total, names } = await listNoteNames(vault, { ...latest, limit });
    return { total, values: names };
  }
  const { total, items } = await namesWith(vault, prefix, limit);
  const paths = items.map(({ path }) => path);
  return { total, values: await findableNames(vault, paths) };
}

async function namesWith(vault: BoundVault, query: string, limit: number) {
  const view = await vault.listedView();
  const request = { query, match: 'partial', limit, offset: 0 } as const;
  return vault.ask('facts', (store) => store.named(view, request));
}

/**
 * Completes a tag: tags that begin with the prefix first, then tags that contain it. The
 * completions have a `#` where the prefix has one.
 */
export async function completeTags(
  vault: BoundVault,
  prefix: string,
  limit: number,
): Promise<Completed> {
  const sign = prefix.startsWith('#') ? '#' : '';
  const tags = (await listTags(vault)).map(({ tag }) => tag.slice(1));
  const values = beginningFirst(tags, foldName(prefix.slice(sign.length)), foldName);
  return { total: values.length, values: values.slice(0, limit).map((tag) => sign + tag) };
}

/**
 * Completes a heading of a note, written as `findSection` accepts it: its text, or its path where
 * several headings have that text. Returns nothing for a note that does not exist or is ambiguous,
 * because its name may not be typed to the end yet.
 */
export async function completeHeadings(
  vault: BoundVault,
  name: NoteName,
  prefix: string,
  limit: number,
): Promise<Completed> {
  const text = await textOf(vault, name);
  return vault.work('headingNames', text, prefix, limit);
}

async function textOf(vault: BoundVault, name: NoteName): Promise<string> {
  try {
    const path = await findNote(vault, name);
    checkMarkdown(path);
    return (await vault.readText(path)).text;
  } catch (error) {
    if (error instanceof VaultError && notOneNote.has(error.code)) return '';
    throw error;
  }
}

/** The failures that mean that the name does not lead to one note yet. */
const notOneNote: ReadonlySet<string> = new Set([
  'not_found',
  'ambiguous',
  'invalid_input',
  'outside_vault',
]);
