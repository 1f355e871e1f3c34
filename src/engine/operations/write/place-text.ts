import { LineIndex } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { placeOfLast } from '../../../markdown/edits/insert-text.ts';
import { landingOf } from '../../../markdown/edits/landing-of.ts';
import { parseFrontmatter } from '../../../markdown/properties/frontmatter.ts';
import { findFrontmatter } from '../../../markdown/properties/frontmatter-block.ts';
import type { TextEdit } from '../../../markdown/text/text-edit.ts';
import { applyEdits } from '../../../markdown/text/text-edit.ts';
import type { NoteText } from '../../vault/bound-vault.ts';
import type { Draft } from '../../vault/draft.ts';

/**
 * Makes edits of which the last is a new text, and answers the line, counted from 1, on which it
 * begins. Warns when it stands inside code or a comment, or hides in one what follows.
 */
export async function placeText(
  draft: Draft,
  note: NoteText,
  edits: readonly TextEdit[],
): Promise<number> {
  const text = applyEdits(note.text, edits);
  const place = placeOfLast(edits);
  const lines = new LineIndex(text);
  const landing = landingOf(text, place);
  if (landing !== undefined) {
    const what = landing.what === 'code' ? 'code' : 'a comment';
    const line = lines.lineAt(landing.start) + 1;
    draft.warn(
      landing.how === 'inside'
        ? `The new text in "${note.path}" stands inside ${what} that begins on line ${line}.`
        : `The new text in "${note.path}" opens ${what} on line ${line} and does not close it: what follows is now inside.`,
    );
  }
  if (findFrontmatter(note.text) === undefined && findFrontmatter(text) !== undefined) {
    draft.warn(`"${note.path}" now begins with a block of properties.`);
  }
  await draft.write(note.path, text);
  return lines.lineAt(place.start) + 1;
}

/**
 * Fails with `invalid_input` when a text for the body of a note begins with properties: they would
 * stand there as a second block, or become the note's own unasked.
 */
export function checkNoProperties(text: string): void {
  if ((parseFrontmatter(text)?.frontmatter.properties ?? []).length === 0) return;
  throw new VaultError(
    'invalid_input',
    'The text begins with a block of properties ("---"), which is no part of the body: leave the block out and set the properties by themselves.',
  );
}
