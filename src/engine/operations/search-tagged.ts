import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { foldName, stemOf } from '../../base/vault-path.ts';
import { scanNote } from '../../markdown/scan-note.ts';
import type { MatchingLine } from '../matching-lines.ts';
import { shownLine } from '../shown-line.ts';
import type { BoundVault } from '../vault.ts';
import { folderView } from './check-folder.ts';
import { hitLines } from './hit-lines.ts';
import type { NameHit, NameHits } from './search-names.ts';

const linesMax = 3;

/**
 * Finds the files that have a tag or one nested under it, in path order, each with the first lines
 * that hold it, as they are now. Case and `#` do not count.
 */
export async function searchTagged(
  vault: BoundVault,
  request: {
    readonly tag: string;
    readonly folder: VaultFolder;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<NameHits> {
  if (request.tag.length > limits.queryCharsMax) {
    throw new VaultError('too_large', `A tag has at most ${limits.queryCharsMax} characters.`);
  }
  const tag = request.tag.trim().replace(/^#+/, '').replace(/\/+$/, '');
  if (tag === '') throw new VaultError('invalid_input', 'Name the tag to look for.');
  const view = await folderView(vault, request.folder);
  const { total, items } = await vault.ask('facts', (store) =>
    store.filesWithTag(view, tag, request),
  );
  const key = foldName(tag);
  const hits: NameHit[] = [];
  for (const { path } of items) {
    const lines = await hitLines(vault, path, (text) => linesWith(text, key));
    hits.push({ path, title: stemOf(path), lines });
  }
  return { total, hits };
}

/** The first lines of a note that hold a folded tag, or one nested under it. */
function linesWith(text: string, tag: string): readonly MatchingLine[] {
  const { propertyTags, tags } = scanNote(text);
  const table = new LineIndex(text);
  const lines = [...propertyTags, ...tags]
    .filter((found) => `${foldName(found.tag.slice(1))}/`.startsWith(`${tag}/`))
    .map(({ range }) => table.lineAt(range.start));
  return Array.from(new Set(lines))
    .slice(0, linesMax)
    .map((line) => ({ line, text: shownLine(text, table, line) }));
}
