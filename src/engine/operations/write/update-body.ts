import type { VaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import { checkServed } from '../../shown/check-served.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { checkNoProperties, placeText } from './place-text.ts';

interface UpdateBodyRequest {
  readonly name: NoteName;
  readonly text: string;
  readonly version?: VersionStart;
}

/**
 * Replaces everything after a note's properties, which stay byte for byte. The text gets the line
 * ends of the note. Fails with `invalid_input` when the text begins with properties, and as
 * `checkServed` does when the connection has not read what it would replace.
 */
export async function updateBody(
  draft: Draft,
  request: UpdateBodyRequest,
): Promise<{ path: VaultPath }> {
  checkNoProperties(request.text);
  const note = await readMarkdown(draft, request);
  // Checked even when a version is given: a caller who appends learns the version without reading.
  await checkServed(draft, note);
  await placeText(draft, note, { added: request.text, at: 'body' });
  draft.overwrites(note.path);
  draft.onEnd(async (committed) => {
    if (!committed) return;
    // The caller sent the whole body, so its connection counts as having been shown the note.
    const after = await draft.read(note.path);
    draft.vault.served?.changed({ to: note.path, after: after.version, text: after.text });
  });
  return { path: note.path };
}

interface ReplaceSectionRequest {
  readonly name: NoteName;
  readonly section: string;
  readonly text: string;
  readonly version?: VersionStart;
}

/**
 * Replaces everything under a heading, including its subsections, and returns the line on which the
 * new text begins. The heading stays, and so do the blank lines before the next one. Fails with
 * `not_found` or `ambiguous` when the name does not lead to one note or the section to one heading.
 */
export async function replaceSection(
  draft: Draft,
  request: ReplaceSectionRequest,
): Promise<{ path: VaultPath; line: number }> {
  const note = await readMarkdown(draft, request);
  const put = { added: request.text, at: { content: request.section } };
  return { path: note.path, line: await placeText(draft, note, put) };
}
