import { limits } from '../../base/limits.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { DocumentKind, DocumentReader } from '../../engine/ports/documents.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { DocumentWorker } from '../pdf/document-worker.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/**
 * Reads documents in workers, one at a time in each. A worker is ended when a file takes longer than
 * `limits.pdfMs` or needs more memory than a worker may have; the next file gets a new one.
 */
export function openThreadDocumentReader(options: {
  /** The bundled program: the worker runs the same file. */
  readonly entryFile: string;
  readonly timers?: Timers;
}): DocumentReader {
  const { entryFile, timers = nodeTimers } = options;
  const pool = new ThreadPool<DocumentWorker>({
    entryFile,
    workerData: { role: 'pdf' },
    // In the background, one is read at a time: the other is for who waits for an answer.
    max: 2,
    idleMs: limits.pdfIdleMs,
    timers,
  });
  return {
    close: () => pool.close(),
    read: async (kind, bytes, signal) => {
      const bytesMax = kind === 'pdf' ? limits.pdfBytesMax : limits.noteBytesMax;
      if (bytes.length > bytesMax) throw tooLarge(kind, bytesMax);
      const over = new AbortController();
      const end = (): void => over.abort();
      let stop = (): void => {};
      signal.addEventListener('abort', end, { once: true });
      try {
        if (signal.aborted) throw abortReason(signal);
        return await pool.run(over.signal, (worker) => {
          stop = timers.after(limits.pdfMs, end);
          return worker.read(kind, bytes);
        });
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        if (over.signal.aborted) throw tooSlow(kind);
        if (!(error instanceof VaultError) || error.code !== 'internal') throw error;
        throw isOutOfMemory(error) ? tooMuchMemory(kind, error) : noReader(error);
      } finally {
        stop();
        signal.removeEventListener('abort', end);
      }
    },
  };
}

/** Whether the worker has died because a file needed more memory than it may have. */
function isOutOfMemory({ cause }: VaultError): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function noReader(cause: VaultError): VaultError {
  const message = 'PDFs cannot be read now: the library for them does not run.';
  return new VaultError('unavailable', message, { cause });
}

function tooLarge(kind: DocumentKind, bytesMax: number): VaultError {
  const max = `${bytesMax / (1024 * 1024)} MiB`;
  return new VaultError('too_large', `${names[kind]} is larger than ${max}: its text is not read.`);
}

function tooSlow(kind: DocumentKind): VaultError {
  return new VaultError(
    'timeout',
    `${names[kind]} took longer than ${limits.pdfMs / 1_000} s: its text is not read.`,
  );
}

function tooMuchMemory(kind: DocumentKind, cause: VaultError): VaultError {
  const message = `${names[kind]} needs too much memory: its text is not read.`;
  return new VaultError('too_large', message, { cause });
}

const names: Readonly<Record<DocumentKind, string>> = { pdf: 'The PDF', drawing: 'The drawing' };
