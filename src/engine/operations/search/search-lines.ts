import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { isHidden } from '../../../base/vault-path.ts';
import { fileKind, isParsed } from '../../ports/file-kind.ts';
import type { FoundLine } from '../../ports/line-search.ts';
import { makeSees } from '../../ports/view.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Finds the lines of notes, canvases and bases that match a regular expression, sorted by path and
 * line. Searches the files on disk, not the index. `more` is true when there are further lines.
 * Fails with `unavailable` where there is no line search (ripgrep), and with `too_large` for an
 * expression or a glob that is too long.
 */
export async function searchLines(
  vault: BoundVault,
  { pattern, glob }: { readonly pattern: string; readonly glob?: string | undefined },
): Promise<{ readonly lines: readonly FoundLine[]; readonly more: boolean }> {
  const { lines, disk } = vault.vault.parts;
  if (lines === undefined) {
    throw new VaultError('unavailable', 'Lines cannot be searched here; search notes instead.');
  }
  checkLength('An expression', pattern);
  checkLength('A glob', glob);
  await disk.check();
  const view = await vault.listedView();
  const sees = makeSees(view);
  const { signal, deadlineMs } = vault.caller;
  const found = await lines.search({
    pattern,
    ...(glob === undefined ? {} : { glob }),
    folders: view.folders,
    wants: (path) => !isHidden(path) && isParsed(fileKind(path)) && sees(path) && vault.sees(path),
    linesMax: limits.foundLinesMax,
    lineCharsMax: limits.foundLineCharsMax,
    signal,
    deadlineMs: Math.min(deadlineMs, limits.lineSearchMs),
  });
  // A vault that was unmounted during the search looks empty; then the answer would be wrong.
  await disk.check();
  const seen = await unmarkedLines(vault, found.lines);
  const texts = new Map<VaultPath, string[]>();
  for (const { path, text } of seen) {
    const known = texts.get(path);
    if (known === undefined) texts.set(path, [text]);
    else known.push(text);
  }
  for (const [path, shown] of texts) vault.hasRead(path, ...shown);
  return { ...found, lines: seen };
}

/** The lines without those of notes that have got a mark which the index does not know yet. */
async function unmarkedLines(
  vault: BoundVault,
  lines: readonly FoundLine[],
): Promise<readonly FoundLine[]> {
  if (vault.view().marks === undefined) return lines;
  const marked = new Set<VaultPath>();
  for (const path of new Set(lines.map((line) => line.path))) {
    if (await vault.isMarked(path)) marked.add(path);
  }
  return lines.filter(({ path }) => !marked.has(path));
}

function checkLength(what: string, text = ''): void {
  if (text.length <= limits.queryCharsMax) return;
  throw new VaultError('too_large', `${what} has at most ${limits.queryCharsMax} characters.`);
}
