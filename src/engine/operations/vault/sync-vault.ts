import { VaultError } from '../../../base/vault-error.ts';
import { checkAllowed, seesAllOf } from '../../decide/decide.ts';
import type { SyncResult } from '../../ports/vault-sync.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Synchronises the vault with its remote copy as set up at start, and returns when the index knows
 * the new files. Fails with `unavailable` when no synchronisation is set up, and with `forbidden`
 * for a caller who is restricted to some folders, because the whole vault is synchronised. Files
 * that were changed before a failure stay changed, and are indexed.
 */
export async function syncVault(vault: BoundVault): Promise<SyncResult> {
  const { parts, writer } = vault.vault;
  const { scopes, signal, progress } = vault.caller;
  if (parts.sync === undefined) throw notSetUp();
  checkAllowed(vault.caller, { effect: 'destroy', atOnce: 'outside', wholeVault: 'sync' });
  // A vault that was unmounted looks empty. It must be neither filled nor copied.
  await parts.disk.check();
  let result: SyncResult;
  try {
    result = await parts.sync.run({
      signal,
      onProgress: (now) => progress?.(now),
      alone: (work) =>
        writer.alone(signal, async () => {
          await parts.disk.check();
          return work();
        }),
    });
  } catch (error) {
    await parts.keeper.reconcile().catch(() => undefined); // The first failure is the one to report.
    throw seesAllOf(scopes) ? error : withoutNames(error);
  }
  await parts.keeper.reconcile();
  return result;
}

/**
 * Removes the output of the sync program from a failure, because it may name files that are hidden
 * from the caller.
 */
function withoutNames(error: unknown): unknown {
  if (!(error instanceof VaultError) || error.excerpt === undefined) return error;
  const { code, message, details } = error;
  const advice =
    'The output of the sync program is left out, because some notes are hidden from you.';
  return new VaultError(code, `${message} ${advice}`, { cause: error.cause, details });
}

function notSetUp(): VaultError {
  return new VaultError(
    'unavailable',
    'No synchronisation is set up; the server must be started with --sync and --sync-remote.',
  );
}
