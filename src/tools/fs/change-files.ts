import { z } from 'zod';
import type { VaultPath } from '../../base/vault-path.ts';
import { rawChange, rawChangeFile } from '../../engine/operations/raw/raw-change.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import type { Operation } from '../../engine/vault/draft.ts';

/** The answer of a method that makes or changes a file: its modification time. */
export const Changed = z.object({ mtime: z.number() });

/** The answer of a method that has nothing to say. */
export const Nothing = z.object({});

/** Makes or changes one file, and answers its modification time. Fails as `rawChange` does. */
export async function changeFile<Request extends object>(
  vault: BoundVault,
  operation: Operation<Request, { readonly at: VaultPath }>,
  request: Request,
): Promise<z.output<typeof Changed>> {
  const { mtimeMs } = await rawChangeFile(vault, operation, request);
  return { mtime: mtimeMs };
}

/** Makes a change, and answers nothing. Fails as `rawChange` does. */
export async function changeFiles<Request extends object>(
  vault: BoundVault,
  operation: Operation<Request, object>,
  request: Request,
): Promise<z.output<typeof Nothing>> {
  await rawChange(vault, operation, request);
  return {};
}
