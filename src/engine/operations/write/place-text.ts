import type { TextRange } from '../../../base/text-range.ts';
import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { placeOfLast } from '../../../markdown/edits/insert-text.ts';
import type { NoteFacts } from '../../../markdown/facts/facts.ts';
import { parseFrontmatter } from '../../../markdown/properties/frontmatter.ts';
import { findFrontmatter } from '../../../markdown/properties/frontmatter-block.ts';
import type { TextEdit } from '../../../markdown/text/text-edit.ts';
import { applyEdits } from '../../../markdown/text/text-edit.ts';
import type { NoteText } from '../../vault/bound-vault.ts';
import type { Draft } from '../../vault/draft.ts';

/**
 * Carries out edits of which the last puts a new text into the note, and returns the line, counted
 * from 1, on which that text begins. Warns when the text stands inside code or a comment, when it
 * opens code or a comment that it does not close, and when the note now begins with properties.
 */
export async function placeText(
  draft: Draft,
  note: NoteText,
  edits: readonly TextEdit[],
): Promise<number> {
  const text = applyEdits(note.text, edits);
  const place = placeOfLast(edits);
  const lines = new LineIndex(text);
  const hiding = findHidingPart(text, draft.facts({ path: note.path, text }), place);
  if (hiding !== undefined) {
    const what = hiding.what === 'code' ? 'code' : 'a comment';
    const line = lines.lineAt(hiding.start) + 1;
    draft.warn(
      hiding.how === 'inside'
        ? `The new text in "${note.path}" is inside ${what} that begins on line ${line}.`
        : `The new text in "${note.path}" opens ${what} on line ${line} and does not close it: the text after it is now inside.`,
    );
  }
  if (findFrontmatter(note.text) === undefined && findFrontmatter(text) !== undefined) {
    draft.warn(`"${note.path}" now begins with a block of properties.`);
  }
  await draft.write(note.path, text);
  return lines.lineAt(place.start) + 1;
}

/**
 * Fails with `invalid_input` when a text for the body of a note begins with a block of properties:
 * the note would then have a second block, or get properties that nobody asked for.
 */
export function checkNoProperties(text: string): void {
  if ((parseFrontmatter(text)?.frontmatter.properties ?? []).length === 0) return;
  throw new VaultError(
    'invalid_input',
    'The text begins with a block of properties ("---"), which does not belong to the body: leave the block out and set the properties separately.',
  );
}

/** Code or a comment that a new text stands in, or that the new text opens and does not close. */
interface HidingPart {
  readonly how: 'inside' | 'opened';
  readonly what: 'code' | 'comment';
  /** Where the code or comment begins. */
  readonly start: number;
}

/**
 * Finds the code or comment that a new piece of a note stands in, or that it opens so that the text
 * after it is now inside; undefined when there is neither.
 */
function findHidingPart(
  text: string,
  facts: NoteFacts,
  { start, end }: TextRange,
): HidingPart | undefined {
  // At the end of the note there is no text that could be inside what the new text opens.
  const isLast = text.slice(end).trim() === '';
  for (const [what, ranges] of [
    ['code', facts.code],
    ['comment', facts.comments],
  ] as const) {
    const around = ranges.find((range) => range.start < start && range.end > start);
    if (around !== undefined) return { how: 'inside', what, start: around.start };
    const opened = ranges.find(
      (range) => range.start >= start && range.start < end && range.end > end,
    );
    if (opened !== undefined && !isLast) return { how: 'opened', what, start: opened.start };
  }
  return undefined;
}
