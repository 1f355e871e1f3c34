import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { replaceSectionContent } from '../../../markdown/edits/section-edits.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { readMarkdown } from '../../notes/find-markdown.ts';
import { findSection } from '../../notes/find-section.ts';
import type { Draft } from '../../vault/draft.ts';
import type { NoteName } from '../../vault/note-name.ts';
import { placeText } from './place-text.ts';

export interface ReplaceSectionRequest {
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
  const section = findSection(note.text, scanNote(note.text), request.section);
  const edits = replaceSectionContent(note.text, section, request.text);
  return { path: note.path, line: await placeText(draft, note, edits) };
}
