import type { VaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { Section } from '../../../markdown/scan/sections.ts';
import { checkMarkdown, findNote } from '../../notes/find-note.ts';
import type { BoundVault, NoteText } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** A section of a note as it is on disk. */
interface SectionText {
  readonly path: VaultPath;
  readonly heading: string;
  readonly level: number;
  /** The line of the heading, counted from 1. */
  readonly line: number;
  /** Everything under the heading, including its subsections. */
  readonly text: string;
  readonly version: Version;
}

/**
 * Reads what stands under one heading of a note now. The section is named as `findSection` takes
 * it. Fails with `not_found` or `ambiguous` when the names do not lead to one note and one section,
 * and with `invalid_input` for a file that is not a note.
 */
export async function readSection(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly section: string },
): Promise<SectionText> {
  const { note, section } = await openSection(vault, request);
  const { path, text, version } = note;
  const { heading, content, line } = section;
  return {
    path,
    heading: heading.text,
    level: heading.level,
    line,
    text: text.slice(content.start, content.end),
    version,
  };
}

/**
 * Reads a note and finds one of its sections, for callers that need the whole note too. Fails as
 * `readSection` does.
 */
export async function openSection(
  vault: BoundVault,
  request: { readonly name: NoteName; readonly section: string },
): Promise<{ readonly note: NoteText; readonly section: Section & { readonly line: number } }> {
  const path = await findNote(vault, request.name);
  checkMarkdown(path);
  const note = await vault.readText(path);
  return { note, section: await vault.work('section', note.text, request.section) };
}
