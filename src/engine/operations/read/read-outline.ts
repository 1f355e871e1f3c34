import { LineIndex } from '../../../base/text-range.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import { checkMarkdown } from '../../notes/find-markdown.ts';
import { findNote } from '../../notes/find-note.ts';
import type { HeadingRecord } from '../../ports/records.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** The headings of a note as it is on disk at this moment, in order; lines count from 1. */
export async function readOutline(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ readonly path: VaultPath; readonly headings: readonly HeadingRecord[] }> {
  const path = await findNote(vault, request.name);
  checkMarkdown(path);
  const { text } = await vault.readText(path);
  const lines = new LineIndex(text);
  return {
    path,
    headings: scanNote(text).headings.map((heading) => ({
      level: heading.level,
      text: heading.text,
      line: lines.lineAt(heading.range.start) + 1,
    })),
  };
}
