import { VaultError } from '../../base/vault-error.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { ScanWorkerData, StateWorkerData } from '../../node/threads/worker-data.ts';
import type { ServedState } from '../../node/workers/serve-state.ts';
import type { ThreadScanner } from '../../node/workers/thread-scanner.ts';
import { workerParts } from './worker-parts.ts';

// What servers open in threads, opened in the thread of a command that ends at once. Starting a thread
// takes longer than what such a command asks of it, and nobody else waits while it works.

/** The history and the lock. Fails as opening the history fails. */
export async function openStateInPlace(data: StateWorkerData): Promise<ServedState> {
  const { openServedState } = await import('../../node/workers/serve-state.ts');
  return openServedState(data, workerParts);
}

/** The same, for a server's small changes: it never waits, see `openServedState`. */
export async function openStateNear(data: StateWorkerData): Promise<ServedState> {
  const { openServedState } = await import('../../node/workers/serve-state.ts');
  return openServedState(data, workerParts, { light: true });
}

/** The index. Fails as opening the index fails. */
export async function openStoreInPlace(
  files: Parameters<typeof workerParts.openStore>[0],
): Promise<IndexStore> {
  return workerParts.openStore(files);
}

/** The scanner, whose code is loaded with the first call. */
export function openScannerInPlace(options: Omit<ScanWorkerData, 'role'>): ThreadScanner {
  let opening: Promise<ThreadScanner> | undefined;
  let closed = false;
  const load = async (): Promise<ThreadScanner> => {
    const { openScanner } = await import('../../node/workers/run-worker.ts');
    return openScanner(options);
  };
  const open = async (): Promise<ThreadScanner> => {
    if (closed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
    opening ??= load();
    return opening;
  };
  return {
    walk: async (...asked) => (await open()).walk(...asked),
    scan: async (...asked) => (await open()).scan(...asked),
    naming: async (...asked) => (await open()).naming(...asked),
    hurry: async () => (await open()).hurry(),
    mentioning: async (...asked) => (await open()).mentioning(...asked),
    titled: async (...asked) => (await open()).titled(...asked),
    reasons: async (...asked) => (await open()).reasons(...asked),
    close: async () => {
      closed = true;
      await (await opening)?.close();
    },
  };
}
