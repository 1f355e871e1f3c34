import { limits } from '../../base/limits.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import type { PdfReader } from '../../engine/ports/documents.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import type { PdfWorker } from '../pdf/pdf-worker.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/**
 * Reads PDFs in a worker, one at a time. The worker is ended when a file takes longer than
 * `limits.pdfMs` or needs more memory than a worker may have; the next file gets a new one.
 */
export function openThreadPdfReader(options: {
  /** The bundled program: the worker runs the same file. */
  readonly entryFile: string;
  readonly timers?: Timers;
}): PdfReader {
  const { entryFile, timers = nodeTimers } = options;
  const pool = new ThreadPool<PdfWorker>({
    entryFile,
    workerData: { role: 'pdf' },
    max: 1,
    idleMs: limits.pdfIdleMs,
    timers,
  });
  return {
    close: () => pool.close(),
    read: async (bytes, signal) => {
      if (bytes.length > limits.pdfBytesMax) throw tooLarge();
      const over = new AbortController();
      const end = (): void => over.abort();
      let stop = (): void => {};
      signal.addEventListener('abort', end, { once: true });
      try {
        if (signal.aborted) throw abortReason(signal);
        return await pool.run(over.signal, (worker) => {
          stop = timers.after(limits.pdfMs, end);
          return worker.read(bytes);
        });
      } catch (error) {
        if (signal.aborted) throw abortReason(signal);
        if (over.signal.aborted) throw tooSlow();
        if (!(error instanceof VaultError) || error.code !== 'internal') throw error;
        throw isOutOfMemory(error) ? tooMuchMemory(error) : noReader(error);
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

function tooLarge(): VaultError {
  return new VaultError(
    'too_large',
    `The PDF is larger than ${limits.pdfBytesMax / (1024 * 1024)} MiB: its text is not read.`,
  );
}

function tooSlow(): VaultError {
  return new VaultError(
    'timeout',
    `Reading the text of the PDF took longer than ${limits.pdfMs / 1_000} s.`,
  );
}

function tooMuchMemory(cause: VaultError): VaultError {
  return new VaultError('too_large', 'Reading the text of the PDF needs too much memory.', {
    cause,
  });
}
