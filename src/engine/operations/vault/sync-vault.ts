import { VaultError } from '../../../base/vault-error.ts';
import type { SyncResult } from '../../ports/vault-sync.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/**
 * Brings the vault and its copy elsewhere together, as it was set up at start. Answers when the
 * index knows what came. Fails with `forbidden` for a caller who sees folders only: what is synced
 * is the whole vault. Files that were changed before a failure stay changed, and are indexed too.
 */
export async function syncVault(vault: BoundVault): Promise<SyncResult> {
  const { parts, writer } = vault.vault;
  const { scopes, signal, progress } = vault.caller;
  if (parts.sync === undefined) throw notSetUp();
  if (!scopes.folders.includes('')) throw foldersOnly();
  // A vault that was unmounted looks like an empty one: it must be neither filled nor copied.
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
    await parts.keeper.reconcile().catch(() => undefined); // What failed first is what counts.
    throw scopes.hide.length === 0 ? error : withoutNames(error);
  }
  await parts.keeper.reconcile();
  return result;
}

/** What the program said may name files that the caller may not know of. */
function withoutNames(error: unknown): unknown {
  if (!(error instanceof VaultError) || error.excerpt === undefined) return error;
  const { code, message, details } = error;
  const advice = 'What the program said is left out, since some notes are hidden from you.';
  return new VaultError(code, `${message} ${advice}`, { cause: error.cause, details });
}

function notSetUp(): VaultError {
  return new VaultError(
    'unavailable',
    'No synchronisation is set up; whoever runs the server starts it with --sync and --sync-remote.',
  );
}

function foldersOnly(): VaultError {
  return new VaultError(
    'forbidden',
    'The whole vault is synchronised, and you may use some of its folders only; ask whoever runs the server.',
  );
}
