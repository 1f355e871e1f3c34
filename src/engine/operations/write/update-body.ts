import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { replaceSectionContent } from '../../../markdown/edits/section-edits.ts';
import { bodyStart } from '../../../markdown/properties/frontmatter-block.ts';
import { lineEndAt, startsLine, withLineEnds } from '../../../markdown/text/line-ends.ts';
import { readMarkdown } from '../../notes/find-note.ts';
import { findSection } from '../../notes/find-section.ts';
import { checkServed } from '../../shown/check-served.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { checkNoProperties, placeText } from './place-text.ts';

interface UpdateBodyRequest {
  readonly name: NoteName;
  readonly text: string;
  readonly version?: Version;
}

/**
 * Replaces everything after a note's properties. The text is taken as it is, but for its line
 * ends, which follow the note; the properties stay, byte for byte. A connection that has not seen
 * what it would replace is refused: see `checkServed`.
 */
export async function updateBody(
  draft: Draft,
  request: UpdateBodyRequest,
): Promise<{ path: VaultPath }> {
  checkNoProperties(request.text);
  const note = await readMarkdown(draft, request);
  // Even with a version: whoever appends is told one, without seeing what else is there.
  checkServed(draft, note);
  const start = bodyStart(note.text);
  const lineEnd = lineEndAt(note.text, note.text.length);
  const text = lineEnd === undefined ? request.text : withLineEnds(request.text, lineEnd);
  const needsLine = text !== '' && !startsLine(note.text, start);
  await placeText(draft, note, [
    ...(needsLine ? [{ range: { start, end: start }, text: lineEnd ?? '\n' }] : []),
    { range: { start, end: note.text.length }, text },
  ]);
  draft.onEnd(async (committed) => {
    if (!committed) return;
    // It sent the whole body, so it knows the note as well as if it had made it.
    const after = await draft.read(note.path);
    draft.vault.served?.changed({ to: note.path, after: after.version, text: after.text });
  });
  return { path: note.path };
}

interface ReplaceSectionRequest {
  readonly name: NoteName;
  readonly section: string;
  readonly text: string;
  readonly version?: Version;
}

/**
 * Replaces what stands under a heading, with the sections below it. The heading stays, and so do
 * the blank lines before what follows. Answers the line on which the new text begins.
 */
export async function replaceSection(
  draft: Draft,
  request: ReplaceSectionRequest,
): Promise<{ path: VaultPath; line: number }> {
  const note = await readMarkdown(draft, request);
  const section = findSection(note.text, draft.facts(note), request.section);
  const edits = replaceSectionContent(note.text, section, request.text);
  return { path: note.path, line: await placeText(draft, note, edits) };
}
