import type { VaultPath } from '../../../base/vault-path.ts';
import { countWords as countIn } from '../../../markdown/scan/count-words.ts';
import { checkMarkdown } from '../../notes/find-markdown.ts';
import { findNote } from '../../notes/find-note.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** How many words and characters a note has at this moment, its properties aside. */
export async function countWords(
  vault: BoundVault,
  request: { readonly name: NoteName },
): Promise<{ readonly path: VaultPath; readonly words: number; readonly characters: number }> {
  const path = await findNote(vault, request.name);
  checkMarkdown(path);
  const { text } = await vault.readText(path);
  return { path, ...countIn(text) };
}
