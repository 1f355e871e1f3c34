import type { TextRange } from '../../../base/text-range.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { lineEndAt, withLineEnds } from '../../../markdown/text/line-ends.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { findInBody, linesOf, severalPlaces } from './find-in-body.ts';

interface ReplaceInNoteRequest {
  readonly name: NoteName;
  /** A literal text; LF and CRLF match each other. */
  readonly find: string;
  /** What takes its place. */
  readonly put: string;
  /** Replaces every occurrence; without it there must be only one. */
  readonly all?: boolean;
  readonly version?: VersionStart;
}

/**
 * Replaces an exact piece of text in a note's body; properties are never changed. Fails with
 * `not_found` when the text does not occur, and with `ambiguous` and the lines when it occurs more
 * than once and `all` is not set, because a wrong guess would corrupt the note silently.
 */
export async function replaceInNote(
  draft: Draft,
  request: ReplaceInNoteRequest,
): Promise<{ path: VaultPath; replaced: number; lines: number[] }> {
  const note = await readMarkdown(draft, request);
  const found = await findInBody(draft.vault, note, request.find);
  const lines = linesOf(note.text, found);
  if (found.length > 1 && !request.all) {
    throw severalPlaces(note, lines, 'give more of the text around it, or ask for all');
  }
  const edits = found.map((range) => ({ range, text: putAt(note.text, range, request.put) }));
  await draft.edit(note.path, edits);
  return { path: note.path, replaced: found.length, lines };
}

/** The new text with the line ends that the note has at this place. */
function putAt(text: string, { start }: TextRange, put: string): string {
  const lineEnd = lineEndAt(text, start);
  return lineEnd === undefined ? put : withLineEnds(put, lineEnd);
}
