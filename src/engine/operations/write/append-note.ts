import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { checkNoProperties, placeText } from './place-text.ts';

interface AppendNoteRequest {
  readonly name: NoteName;
  readonly text: string;
  /** The heading of the section to append to; without it, the text goes to the end of the note. */
  readonly section?: string;
  /** Adds no line end before or after the text. */
  readonly inline?: boolean;
  readonly version?: VersionStart;
}

/**
 * Adds a text at the end of a note or of one of its sections, on lines of its own unless `inline`,
 * and returns the line on which it begins. Nothing else in the note changes, except that a missing
 * last line end is added. Fails with `not_found` or `ambiguous` when the name does not lead to one
 * note or the section to one heading: a section is never created.
 */
export async function appendNote(
  draft: Draft,
  request: AppendNoteRequest,
): Promise<{ path: VaultPath; line: number }> {
  const note = await readMarkdown(draft, request);
  const { text: added, section, inline = false } = request;
  const at = section === undefined ? 'end' : { end: section };
  return { path: note.path, line: await placeText(draft, note, { added, at, inline }) };
}

interface PrependNoteRequest {
  readonly name: NoteName;
  readonly text: string;
  /** Adds no line end after the text. */
  readonly inline?: boolean;
  readonly version?: VersionStart;
}

/**
 * Adds a text at the start of a note's body, after its properties, on lines of its own unless
 * `inline`, and returns the line on which it begins. Fails with `invalid_input` when the text
 * itself begins with properties.
 */
export async function prependNote(
  draft: Draft,
  request: PrependNoteRequest,
): Promise<{ path: VaultPath; line: number }> {
  checkNoProperties(request.text);
  const note = await readMarkdown(draft, request);
  const { text: added, inline = false } = request;
  return { path: note.path, line: await placeText(draft, note, { added, at: 'start', inline }) };
}
