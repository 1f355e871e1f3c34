import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Operation } from '../../engine/vault/draft.ts';

/** Makes a raw change. Fails with `conflict` when another program got in before its last step. */
export async function changeFiles<Request extends object, Result extends object>(
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

/** Makes a raw change, and answers the time of what it has made. */
export async function changeFile<Request extends object>(
  vault: BoundVault,
  operation: Operation<Request, { readonly at: VaultPath }>,
  request: Request,
): Promise<{ readonly mtime: number }> {
  const { at } = await changeFiles(vault, operation, request);
  const entry = await seenFiles(vault).entry(at);
  // Gone again already: then it had about this time.
  return { mtime: entry?.mtimeMs ?? vault.vault.parts.clock.nowMs() };
}
