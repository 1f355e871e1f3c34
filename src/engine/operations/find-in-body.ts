import type { TextRange } from '../../base/text-range.ts';
import { LineIndex } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { bodyStart } from '../../markdown/body-start.ts';
import { findText } from '../../markdown/find-text.ts';
import type { NoteText } from '../vault.ts';

const linesShown = 10;

/** Every place in a note's body where a text occurs. Fails with `not_found` when it does not. */
export function findInBody({ path, text }: NoteText, find: string): TextRange[] {
  if (find === '') {
    throw new VaultError('invalid_input', 'The text to look for cannot be empty.');
  }
  const found = findText(text, find, bodyStart(text));
  if (found.length > 0) return found;
  const message =
    findText(text, find, 0).length > 0
      ? `That text occurs in the properties of "${path}" only, which are not changed this way: set or remove the property instead.`
      : `"${path}" does not contain that text; read the note and copy the text exactly, with its case and spaces.`;
  throw new VaultError('not_found', message, { details: { path } });
}

/** The line on which each range begins, counted from 1. */
export function linesOf(text: string, ranges: readonly TextRange[]): number[] {
  const lines = new LineIndex(text);
  return ranges.map(({ start }) => lines.lineAt(start) + 1);
}

/** The failure for a text that occurs more than once, with what to do instead. */
export function severalPlaces(
  path: VaultPath,
  lines: readonly number[],
  advice: string,
): VaultError {
  const shown = lines.slice(0, linesShown).join(', ');
  const more = lines.length > linesShown ? ' …' : '';
  return new VaultError(
    'ambiguous',
    `That text occurs ${lines.length} times in "${path}", on lines ${shown}${more}: ${advice}.`,
    { details: { path, lines } },
  );
}
