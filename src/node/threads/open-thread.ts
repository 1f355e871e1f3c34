import { type ResourceLimits, Worker } from 'node:worker_threads';
import { VaultError } from '../../base/vault-error.ts';
import { readyMethod } from './serve-thread.ts';
import {
  buffersOf,
  type CallbackMark,
  type FromWorker,
  fromErrorData,
  type ToWorker,
  toErrorData,
} from './thread-message.ts';

/** The main thread's side of a worker that serves an object `T`. */
export interface Thread<T extends object> {
  /** Stands for the worker's object: calling one of its methods calls it in the worker. */
  readonly remote: T;
  /** Resolves when the worker's object exists; fails with the error of opening it. */
  ready(): Promise<void>;
  /** Ends the worker. Calls that still wait for an answer fail with `cancelled`. */
  close(): Promise<void>;
}

/**
 * The memory for new objects in a worker: a quarter of V8's default. Two workers together need 50 MB
 * less with it. They are not slower, because a batch leaves few objects behind.
 */
const youngMb = 12;

/** How long `close` waits for the worker's object before it ends the worker. */
const closeMsMax = 2_000;

interface ThreadOptions<Notice> {
  /** The program that the worker runs. */
  readonly entryFile: string;
  readonly workerData: unknown;
  /** Called for each notice of the worker; see `serveThread`. */
  readonly onNotice?: (notice: Notice) => void;
  /** Called once when the worker ends without having been closed. */
  readonly onDeath?: () => void;
}

/** A call that waits for its answer. */
interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The arguments of the call, among which the worker finds its callbacks by position. */
  readonly args: readonly unknown[];
  /** Callbacks run one at a time, and all of them before the answer. */
  last: Promise<void>;
  /** The first error that a callback threw. The caller gets the error itself, not a copy. */
  failure?: { readonly error: unknown };
}

/**
 * Starts a worker on `entryFile` with `workerData`, and returns a proxy of the object it serves. The
 * worker keeps the process alive only while a call waits for its answer. When it dies, all waiting
 * and all later calls fail with `internal`.
 */
export function openThread<T extends object, Notice = never>(
  options: ThreadOptions<Notice>,
): Thread<T> {
  const worker = startWorker(options, { maxYoungGenerationSizeMb: youngMb });
  const pending = new Map<number, Pending>();
  let calls = 0;
  let dead: VaultError | undefined;
  worker.unref();

  const post = (message: ToWorker, buffers: ArrayBuffer[] = []) =>
    worker.postMessage(message, buffers);
  const forget = (id: number) => {
    pending.delete(id);
    if (pending.size === 0) worker.unref();
  };
  const die = (reason: VaultError) => {
    if (dead !== undefined) return;
    dead = reason;
    for (const { reject } of pending.values()) reject(dead);
    pending.clear();
    worker.unref();
    if (reason.code !== 'cancelled') options.onDeath?.();
  };

  const call = (method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (dead !== undefined) return reject(dead);
      const id = ++calls;
      post({ kind: 'call', id, method, args: args.map(markCallback) }, buffersOf(args));
      pending.set(id, { resolve, reject, args, last: Promise.resolve() });
      worker.ref();
    });

  const answered = (id: number, message: FromWorker & { kind: 'answer' }, waiting: Pending) => {
    forget(id);
    if (waiting.failure !== undefined) waiting.reject(waiting.failure.error);
    else if (message.error !== undefined) waiting.reject(fromErrorData(message.error));
    else waiting.resolve(message.value);
  };

  const calledBack = async (message: FromWorker & { kind: 'callback' }, waiting: Pending) => {
    try {
      if (waiting.failure === undefined) await runCallback(waiting.args, message);
      post({ kind: 'called-back', id: message.id });
    } catch (error) {
      waiting.failure ??= { error };
      post({ kind: 'called-back', id: message.id, error: toErrorData(error) });
    }
  };

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'notice') return options.onNotice?.(message.value as Notice);
    const waiting = pending.get(message.kind === 'answer' ? message.id : message.call);
    if (waiting === undefined) return;
    waiting.last = waiting.last.then(() =>
      message.kind === 'answer'
        ? answered(message.id, message, waiting)
        : calledBack(message, waiting),
    );
  });
  worker.on('error', (error) => die(death(error.message, error)));
  worker.on('messageerror', (error) => die(death(error.message, error)));
  worker.on('exit', (code) => die(death(`it ended with code ${code}`)));

  return {
    remote: proxyOf<T>(call),
    ready: async () => {
      await call(readyMethod, []);
    },
    close: async () => {
      die(new VaultError('cancelled', 'The vault was closed in the meantime.'));
      await worker.terminate();
    },
  };
}

/**
 * Set by the build of the program: the code that a thread runs, and the texts of the chunks that it
 * may need. Not there in tests, whose workers run a file.
 */
declare const VAULTDOOR_THREADS: () => { readonly code: string; readonly parts: readonly string[] };

function startWorker(
  { entryFile, workerData }: Pick<ThreadOptions<never>, 'entryFile' | 'workerData'>,
  resourceLimits: ResourceLimits,
): Worker {
  if (typeof VAULTDOOR_THREADS === 'undefined') {
    return new Worker(entryFile, { workerData, resourceLimits });
  }
  const { code, parts } = VAULTDOOR_THREADS();
  const data = Object.assign({ parts }, workerData);
  return new Worker(code, { eval: true, workerData: data, resourceLimits });
}

/** An object that a worker serves and that has files or locks to release. */
interface Closable {
  close(): Promise<void>;
}

/**
 * Starts a worker as `openThread` does, and waits until its object exists. Returns that object;
 * closing it closes the worker's object first, so that its files and locks are free, and then ends
 * the worker. If the object cannot be opened, the worker is ended and the object's error is thrown.
 */
export async function openThreadObject<T extends Closable>(
  options: ThreadOptions<never>,
): Promise<T> {
  const thread = openThread<T>(options);
  try {
    await thread.ready();
  } catch (error) {
    await thread.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    try {
      // A query that never ends must not keep the program from ending.
      const overdue = new Promise<void>((resolve) => {
        setTimeout(resolve, closeMsMax).unref();
      });
      await Promise.race([thread.remote.close(), overdue]);
    } finally {
      await thread.close();
    }
  };
  return new Proxy(thread.remote, {
    get: (remote, method, receiver) =>
      method === 'close' ? close : Reflect.get(remote, method, receiver),
  });
}

function markCallback(value: unknown, argument: number): unknown {
  return typeof value === 'function'
    ? ({ callbackArgument: argument } satisfies CallbackMark)
    : value;
}

async function runCallback(
  callArgs: readonly unknown[],
  { argument, args }: FromWorker & { kind: 'callback' },
): Promise<void> {
  const callback = callArgs[argument];
  if (typeof callback === 'function') await Reflect.apply(callback, undefined, [...args]);
}

function death(why: string, cause?: unknown): VaultError {
  const message = `A worker thread of Vaultdoor died (${why}); start Vaultdoor again.`;
  return new VaultError('internal', message, { cause });
}

/**
 * An object whose methods are all made of one function, such as one that calls a worker. It has no
 * `then`, or `await` would take it for a promise.
 */
export function proxyOf<T extends object>(
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
): T {
  return new Proxy({} as T, {
    get: (_, method) =>
      typeof method !== 'string' || method === 'then'
        ? undefined
        : (...args: readonly unknown[]) => call(method, args),
  });
}
