import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { NoteText } from '../vault/bound-vault.ts';
import type { Draft } from '../vault/draft.ts';
import type { NoteName } from '../vault/note-name.ts';

/** The note that a name means. Fails with `invalid_input` for a file that is no Markdown note. */
export async function findMarkdown(draft: Draft, name: NoteName): Promise<VaultPath> {
  const path = await draft.find(name);
  checkMarkdown(path);
  return path;
}

/** The text of the note that a request means, if it is still at the version that was read. */
export async function readMarkdown(
  draft: Draft,
  request: { readonly name: NoteName; readonly version?: Version },
): Promise<NoteText> {
  const path = await findMarkdown(draft, request.name);
  await draft.expect(path, request.version);
  return draft.read(path);
}

/** Fails with `invalid_input` for a canvas, a base or an attachment: they have no text to edit. */
export function checkMarkdown(path: VaultPath): void {
  if (fileKind(path) === 'note') return;
  throw new VaultError(
    'invalid_input',
    `"${path}" is not a Markdown note; this works on notes (.md) only.`,
    { details: { path } },
  );
}
