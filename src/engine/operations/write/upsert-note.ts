import type { VaultPath } from '../../../base/vault-path.ts';
import { isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import type { VersionStart } from '../../../base/version.ts';
import { taken } from '../../new-notes/new-path.ts';
import { fileKind } from '../../ports/file-kind.ts';
import type { Draft } from '../../vault/draft.ts';
import { appendNote } from './append-note.ts';
import { createNote } from './create-note.ts';
import { updateBody } from './update-body.ts';

interface UpsertNoteRequest {
  /** The exact path; it is never taken for the name of a file elsewhere. */
  readonly path: string;
  readonly text: string;
  /** What the text replaces or extends in an existing file; `replace` is the default. */
  readonly mode?: 'replace' | 'append' | 'body';
  readonly version?: VersionStart;
}

/**
 * Creates a note with this text, or writes the text into the existing one: in place of its whole
 * text, at its end, or in place of its body. Fails with `conflict` when the note does not have the
 * expected version, and with `invalid_input` when the path cannot be a note's.
 */
export async function upsertNote(
  draft: Draft,
  request: UpsertNoteRequest,
): Promise<{ path: VaultPath; did: 'created' | 'changed' | 'unchanged' }> {
  const { text, mode = 'replace', version } = request;
  const path = await existingPath(draft, request.path);
  if (path === undefined) {
    if (version !== undefined) await draft.expect(vaultPath(request.path), version);
    const created = await createNote(draft, { path: request.path, content: text });
    return { path: created.path, did: 'created' };
  }
  await draft.expect(path, version);
  const before = await draft.read(path);
  if (mode === 'append') await appendNote(draft, { name: path, text });
  else if (mode === 'body') await updateBody(draft, { name: path, text });
  else {
    await draft.write(path, text);
    draft.overwrites(path);
  }
  const after = await draft.read(path);
  return { path, did: after.text === before.text ? 'unchanged' : 'changed' };
}

/**
 * Returns the file at a path, to which `.md` is added as for a new note; undefined when the path is
 * free.
 */
async function existingPath(draft: Draft, asked: string): Promise<VaultPath | undefined> {
  const named = fileKind(asked) === 'attachment' ? `${asked}.md` : asked;
  if (!isVaultPath(named)) return undefined;
  const path = vaultPath(named);
  if ((await draft.kind(path)) === 'file') return path;
  const there = await taken(draft, await draft.spell(path));
  return there !== undefined && (await draft.kind(there)) === 'file' ? there : undefined;
}
