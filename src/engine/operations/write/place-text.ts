import { VaultError } from '../../../base/vault-error.ts';
import { parseFrontmatter } from '../../../markdown/properties/frontmatter.ts';
import type { TextToPlace } from '../../ports/note-work.ts';
import type { NoteText } from '../../vault/bound-vault.ts';
import type { Draft } from '../../vault/draft.ts';

/**
 * Puts a text into a note and returns the line, counted from 1, on which it begins. Warns when the
 * text stands inside code or a comment, when it opens code or a comment that it does not close, and
 * when the note now begins with properties. Fails as `findSection` does.
 */
export async function placeText(draft: Draft, note: NoteText, put: TextToPlace): Promise<number> {
  const { text, line, hiding, hasNewProperties } = await draft.vault.work('place', note.text, put);
  if (hiding !== undefined) {
    const what = hiding.what === 'code' ? 'code' : 'a comment';
    draft.warn(
      hiding.how === 'inside'
        ? `The new text in "${note.path}" is inside ${what} that begins on line ${hiding.line}.`
        : `The new text in "${note.path}" opens ${what} on line ${hiding.line} and does not close it: the text after it is now inside.`,
    );
  }
  if (hasNewProperties) draft.warn(`"${note.path}" now begins with a block of properties.`);
  await draft.write(note.path, text);
  return line;
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
    { details: { block: 'properties' } },
  );
}
