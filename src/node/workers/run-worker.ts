import { type MessagePort, parentPort } from 'node:worker_threads';
import { assert } from '../../base/assert.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import type { MeaningStore } from '../../engine/ports/meaning.ts';
import type { CommitLock } from '../../engine/ports/state-store.ts';
import type { GivenNumbers, VaultState } from '../../engine/ports/vault-state.ts';
import type { FileMatcher } from '../scan/match-files.ts';
import { nodeClock } from '../system/node-ports.ts';
import { serveThread } from '../threads/serve-thread.ts';
import type { ToSharedWorker } from '../threads/shared-threads.ts';
import type {
  IndexWorkerData,
  MatchWorkerData,
  MeaningWorkerData,
  ReadWorkerData,
  ScanWorkerData,
  SharedWorkerData,
  WorkerData,
} from '../threads/worker-data.ts';
import type { MessageReader } from './thread-reader.ts';
import type { ThreadScanner } from './thread-scanner.ts';

/** What a worker needs from `sqlite` and `doors`, which `node` may not import. */
export interface WorkerParts {
  readonly openStore: (files: {
    readonly file: string;
    readonly leaseFile: string;
    readonly vault: string;
    readonly bytesMax?: number;
  }) => IndexStore | Promise<IndexStore>;
  /** Loads the code of `openStore`. */
  readonly loadStore: () => Promise<unknown>;
  readonly openMeaning: (files: Omit<MeaningWorkerData, 'role'>) => Promise<MeaningStore>;
  readonly openState: (options: {
    readonly file: string;
    /** New records get numbers higher than these. */
    readonly after: GivenNumbers;
    /** For a thread that must not wait; see `openSqliteState`. */
    readonly light?: boolean;
  }) => Promise<VaultState>;
  readonly openLock: (options: {
    readonly file: string;
    readonly outer: () => readonly string[];
  }) => Promise<CommitLock>;
  /** Repeats a call for up to `waitMs` while another connection has the lock that it needs. */
  readonly whileBusy: <T>(waitMs: number, call: () => T | Promise<T>) => Promise<T>;
  /** Releases the memory and the files of databases that were closed in this thread. */
  readonly releaseClosed: () => Promise<void>;
  /** The function that reads a message of this format. */
  readonly openReader: (
    format: ReadWorkerData['format'],
  ) => Promise<(bytes: Uint8Array) => unknown>;
}

/** How long after an index was closed its memory is released, together with that of others. */
const releaseAfterMs = 200;

/**
 * Runs in a worker and serves the object of its role until the worker is terminated; a worker that
 * vaults share (`SharedThreads`) serves one object on each port that it is sent. Loads only the code
 * of that role, since a thread keeps in memory what it has loaded.
 */
export async function runWorker(
  data: WorkerData | SharedWorkerData,
  parts: WorkerParts,
): Promise<void> {
  assert(parentPort !== null, 'runWorker is called in a worker');
  if (!('shared' in data)) return serveRole(parentPort, data, parts);
  void loadRole(data.role, parts).catch(() => undefined); // What is opened fails with the same error.
  let releasing: NodeJS.Timeout | undefined;
  const closed = (): void => {
    clearTimeout(releasing);
    releasing = setTimeout(() => void parts.releaseClosed(), releaseAfterMs).unref();
  };
  parentPort.on('message', (asked: ToSharedWorker) => {
    if (asked === 'end') process.exit();
    if (asked.data.role === 'index') asked.port.on('close', closed); // Its vault sleeps.
    void serveRole(asked.port, asked.data, parts);
  });
}

/** Loads what the first object of a role will need, which may be asked for only later. */
async function loadRole(role: WorkerData['role'], parts: WorkerParts): Promise<void> {
  if (role === 'index') await parts.loadStore();
  if (role !== 'scan') return;
  await import('../scan/scan-source.ts');
  await import('../scan/local-scanner.ts');
}

async function serveRole(port: MessagePort, data: WorkerData, parts: WorkerParts): Promise<void> {
  switch (data.role) {
    case 'scan':
      serveThread(port, openScanner(data));
      return;
    case 'index':
      serveThread(port, openStore(data, parts));
      return;
    case 'state': {
      const { openServedState } = await import('./serve-state.ts');
      serveThread(port, openServedState(data, parts));
      return;
    }
    case 'watch': {
      const { serveWatch } = await import('../watch/watch-worker.ts');
      serveWatch(port, data);
      return;
    }
    case 'match':
      serveThread(port, openMatcher(data));
      return;
    case 'note': {
      const { doNoteWork } = await import('../../engine/heavy/note-work.ts');
      serveThread(port, { run: doNoteWork });
      return;
    }
    case 'view': {
      const { QuerySession } = await import('../../engine/dataview/query-session.ts');
      serveThread(port, new QuerySession(Math.random));
      return;
    }
    case 'thumbnail': {
      const { openThumbnailMaker } = await import('../pictures/thumbnail-worker.ts');
      serveThread(port, openThumbnailMaker());
      return;
    }
    case 'pdf': {
      const { documentWorker } = await import('../pdf/document-worker.ts');
      serveThread(port, documentWorker);
      return;
    }
    case 'meaning': {
      const { role: _, ...files } = data;
      serveThread(port, Promise.resolve(parts.openMeaning(files)));
      return;
    }
    case 'embed': {
      const { openLocalModel } = await import('../embed/local-model.ts');
      serveThread(port, openLocalModel(data));
      return;
    }
    case 'read':
      serveThread(port, openReader(data, parts));
  }
}

// All are asynchronous, so that a failure to open fails the first call instead of ending the worker.

/** The scanner of the scan worker; also for a program that needs no thread for it. */
export async function openScanner({
  root,
  allowRoots,
}: Omit<ScanWorkerData, 'role'>): Promise<ThreadScanner> {
  const { openScanSource } = await import('../scan/scan-source.ts');
  const { openLocalScanner } = await import('../scan/local-scanner.ts');
  const source = openScanSource(root, { allowRoots });
  return {
    ...openLocalScanner({ source, clock: nodeClock }),
    reasons: async (...asked) => {
      const { openFileMatcher } = await import('../scan/match-files.ts');
      return openFileMatcher(source).reasons(...asked);
    },
  };
}

async function openMatcher({ root, allowRoots }: MatchWorkerData): Promise<FileMatcher> {
  const { openScanSource } = await import('../scan/scan-source.ts');
  const { openFileMatcher } = await import('../scan/match-files.ts');
  return openFileMatcher(openScanSource(root, { allowRoots }));
}

async function openStore(data: IndexWorkerData, parts: WorkerParts): Promise<IndexStore> {
  const { role: _, ...files } = data;
  return parts.openStore(files);
}

async function openReader(
  { format }: ReadWorkerData,
  parts: WorkerParts,
): Promise<MessageReader<unknown>> {
  const read = await parts.openReader(format);
  return { read: async (bytes) => read(bytes) };
}
