import type { TextRange } from '../../../base/text-range.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { insertInline, insertLines, placeOfLast } from '../../../markdown/edits/insert-text.ts';
import { bodyStart } from '../../../markdown/properties/frontmatter-block.ts';
import { applyEdits } from '../../../markdown/text/text-edit.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { findInBody, linesOf, severalPlaces } from './find-in-body.ts';

interface InsertInNoteRequest {
  readonly name: NoteName;
  readonly text: string;
  /** A literal text that occurs exactly once in the body. Give either `before` or `after`. */
  readonly before?: string;
  readonly after?: string;
  /**
   * Puts the new text directly beside the other text, instead of on lines of its own above or
   * below.
   */
  readonly inline?: boolean;
  readonly version?: VersionStart;
}

/**
 * Inserts a text before or after another text that occurs exactly once in a note's body, and
 * returns the line on which it begins. Fails with `not_found` when the other text does not occur,
 * with `ambiguous` when it occurs more than once, and with `invalid_input` unless exactly one of
 * `before` and `after` is given.
 */
export async function insertInNote(
  draft: Draft,
  request: InsertInNoteRequest,
): Promise<{ path: VaultPath; line: number }> {
  const { before, after, inline } = request;
  const anchor = before ?? after;
  if (anchor === undefined || (before !== undefined && after !== undefined)) {
    throw new VaultError(
      'invalid_input',
      'Give either the text to insert before or the text to insert after.',
    );
  }
  const note = await readMarkdown(draft, request);
  const found = await findInBody(draft.vault, note, anchor);
  const [place] = found;
  if (place === undefined || found.length > 1) {
    const lines = linesOf(note.text, found);
    throw severalPlaces(note, lines, 'give more of the text around it');
  }
  const side = before === undefined ? 'after' : 'before';
  const edits = inline
    ? insertInline(note.text, side === 'before' ? place.start : place.end, request.text)
    : insertLines(note.text, besideLines(note.text, place, side), request.text);
  await draft.edit(note.path, edits);
  const [line = 1] = linesOf(applyEdits(note.text, edits), [placeOfLast(edits)]);
  return { path: note.path, line };
}

/** Returns where the first line of a range begins, or where the line after its last one begins. */
function besideLines(text: string, { start, end }: TextRange, side: 'before' | 'after'): number {
  if (side === 'before') {
    const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
    return Math.max(lineStart, bodyStart(text));
  }
  const newline = text.indexOf('\n', end - 1);
  return newline === -1 ? text.length : newline + 1;
}
