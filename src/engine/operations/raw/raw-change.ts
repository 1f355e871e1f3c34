import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import type { Operation } from '../../vault/draft.ts';
import { seenFiles } from './seen-files.ts';

/**
 * Carries out a change for a raw file tool. Fails with `conflict` when another program changed one
 * of the files just before the last step; that file is then as the other program left it.
 */
export async function rawChange<Request extends object, Result extends object>(
  vault: BoundVault,
  operation: Operation<Request, Result>,
  request: Request,
): Promise<Result> {
  const report = await vault.change(operation, request);
  const [kept] = report.kept;
  if (kept === undefined) return report;
  throw new VaultError(
    'conflict',
    `Another program changed "${kept}" at the same moment; it is as that program left it.`,
    { details: { path: kept } },
  );
}

/**
 * Carries out a change as `rawChange` does, and returns the modification time of the file that it
 * wrote.
 */
export async function rawChangeFile<Request extends object>(
  vault: BoundVault,
  operation: Operation<Request, { readonly at: VaultPath }>,
  request: Request,
): Promise<{ readonly mtimeMs: number }> {
  const { at } = await rawChange(vault, operation, request);
  const entry = await seenFiles(vault).entry(at);
  // If the file is already gone again, its modification time was about now.
  return { mtimeMs: entry?.mtimeMs ?? vault.vault.parts.clock.nowMs() };
}
