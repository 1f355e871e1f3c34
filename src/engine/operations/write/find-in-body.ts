import type { TextRange } from '../../../base/text-range.ts';
import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { findText } from '../../../markdown/edits/find-text.ts';
import { bodyStart } from '../../../markdown/properties/frontmatter-block.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';

const linesShown = 10;
const nearestShown = 3;
const lineCharsMax = 200;

/**
 * Finds every place in a note's body where a text occurs. Fails with `not_found` when it occurs
 * nowhere, and shows the lines that are most similar, and with `invalid_input` when the text is
 * empty.
 */
export async function findInBody(
  vault: BoundVault,
  { path, text }: NoteText,
  find: string,
): Promise<TextRange[]> {
  if (find === '') {
    throw new VaultError('invalid_input', 'The text to look for cannot be empty.');
  }
  const from = bodyStart(text);
  const found = findText(text, find, from);
  if (found.length > 0) return found;
  if (findText(text, find, 0).length > 0) {
    throw new VaultError(
      'not_found',
      `That text occurs in the properties of "${path}" only, which are not changed this way: set or remove the property instead.`,
      { details: { path, missing: 'body text' } },
    );
  }
  const near = await vault.work('nearestLines', text, find, { from, max: nearestShown });
  throw new VaultError(
    'not_found',
    `"${path}" does not contain that text; read the note and copy the text exactly, with its case and spaces.`,
    { details: { path, missing: 'text' }, ...excerptOf(text, near) },
  );
}

/** Returns the line on which each range begins, counted from 1. */
export function linesOf(text: string, ranges: readonly TextRange[]): number[] {
  const lines = new LineIndex(text);
  return ranges.map(({ start }) => lines.lineAt(start) + 1);
}

/** The failure for a text that occurs more than once, with its lines and advice. */
export function severalPlaces(
  { path, text }: NoteText,
  lines: readonly number[],
  advice: string,
): VaultError {
  const different = Array.from(new Set(lines));
  const shown = different.slice(0, linesShown);
  const more = different.length > linesShown ? ' …' : '';
  const where = `${different.length === 1 ? 'line' : 'lines'} ${shown.join(', ')}${more}`;
  return new VaultError(
    'ambiguous',
    `That text occurs ${lines.length} times in "${path}", on ${where}: ${advice}.`,
    {
      details: { path, lines },
      ...excerptOf(
        text,
        shown.map((line) => line - 1),
      ),
    },
  );
}

/** Quotes lines (counted from 0) exactly, so that they can be copied, each with its number. */
function excerptOf(text: string, lines: readonly number[]): { excerpt?: string } {
  if (lines.length === 0) return {};
  const table = new LineIndex(text);
  const shown = Array.from(new Set(lines), (line) => {
    const end = line + 1 < table.count ? table.startOf(line + 1) : text.length;
    const content = text.slice(table.startOf(line), end).replace(/[\r\n]+$/, '');
    const cut = content.length > lineCharsMax ? `${content.slice(0, lineCharsMax)}…` : content;
    return `line ${line + 1}: ${cut}`;
  });
  return { excerpt: shown.join('\n') };
}
