import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { prependText } from '../../../markdown/edits/prepend-text.ts';
import { readMarkdown } from '../../notes/find-markdown.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { checkNoProperties, placeText } from './place-text.ts';

export interface PrependNoteRequest {
  readonly name: NoteName;
  readonly text: string;
  /** Adds no line end after the text. */
  readonly inline?: boolean;
  readonly version?: Version;
}

/**
 * Adds a text at the start of a note's body, after its properties, on lines of its own unless
 * `inline`, and answers the line on which it begins.
 */
export async function prependNote(
  draft: Draft,
  request: PrependNoteRequest,
): Promise<{ path: VaultPath; line: number }> {
  checkNoProperties(request.text);
  const note = await readMarkdown(draft, request);
  const edits = prependText(note.text, request.text, request);
  return { path: note.path, line: await placeText(draft, note, edits) };
}
