import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { isVaultPath, vaultPath } from '../../../base/vault-path.ts';
import { findNote } from '../../notes/find-note.ts';
import { conflictOf } from '../../text/conflict-of.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { NoteName } from '../../vault/note-name.ts';

/** A conflict copy and the file that it is a copy of. */
interface ConflictFiles {
  readonly copy: VaultPath;
  readonly original: VaultPath;
}

/**
 * Finds a conflict copy by its name, or by the name of its original when that has only one copy. Of a
 * copy of a copy that is gone, the original is that copy's original. Fails with `not_found` when the
 * file or the original does not exist, with `ambiguous` when the original has several copies, and
 * with `invalid_input` when the file is not a conflict copy.
 */
export async function findConflict(vault: BoundVault, name: NoteName): Promise<ConflictFiles> {
  const path = await findNote(vault, name);
  if (conflictOf(path) === undefined)
    return { copy: await onlyCopyOf(vault, path), original: path };
  for (let at = conflictOf(path); at !== undefined; at = conflictOf(at)) {
    if (!isVaultPath(at)) break;
    const original = vaultPath(at);
    if ((await vault.stat(original)) !== undefined) return { copy: path, original };
  }
  throw new VaultError(
    'not_found',
    `"${path}" is named like a conflict copy of "${conflictOf(path)}", but there is no such file. Rename "${path}" to that name to keep it.`,
    { details: { path, original: conflictOf(path) } },
  );
}

async function onlyCopyOf(vault: BoundVault, original: VaultPath): Promise<VaultPath> {
  const rows = await vault.ask('names', (store) => store.conflicts(vault.view()));
  const copies = rows.filter(({ conflictOf: of }) => of === original).map(({ path }) => path);
  const [first] = copies;
  if (first === undefined) {
    throw new VaultError(
      'invalid_input',
      `"${original}" is no conflict copy, and has none: sync programs name them like "Note.sync-conflict-20260901-123000-ABCDEFG.md".`,
      { details: { path: original } },
    );
  }
  if (copies.length === 1) return first;
  const candidates = copies.slice(0, limits.candidatesMax);
  throw new VaultError(
    'ambiguous',
    `"${original}" has ${copies.length} conflict copies; merge one after the other: ${candidates.map((copy) => `"${copy}"`).join(', ')}.`,
    { details: { path: original, candidates } },
  );
}
