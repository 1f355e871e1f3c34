import { type MessagePort, Worker } from 'node:worker_threads';
import { isThreadDeath, VaultError } from '../../base/vault-error.ts';
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
 * The memory for new objects in a worker: a quarter of V8's default or less. Two workers together need
 * 50 MB less with it. They are not slower, because a batch leaves few objects behind; the index
 * answers with texts, and watching makes hardly any objects. A query makes an object of each row, and
 * with 12 MB it spends a quarter of its time on clearing them away.
 */
const youngMb: Readonly<Record<string, number>> = { index: 6, state: 6, watch: 3, view: 48 };
const usualYoungMb = 12;

/** How long `close` waits for the worker's object before it ends the worker. */
const closeMsMax = 2_000;

interface ThreadOptions<Notice> {
  /** The program that the worker runs. */
  readonly entryFile: string;
  readonly workerData: unknown;
  /** Whether it does long work, which calls of other vaults must not wait for: see `SharedThreads`. */
  readonly isLong?: boolean;
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

/** How a thread is opened: a worker of its own (`openThread`), or one that vaults share. */
export type OpenThread = <T extends object, Notice = never>(
  options: ThreadOptions<Notice>,
) => Thread<T>;

/** The way to an object in a worker. */
interface ThreadLink {
  /** The worker itself, or a port to a worker that serves other objects too. */
  readonly port: Worker | MessagePort;
  /** Keeps the process alive, so that the answer of a call or the death of the worker is heard. */
  hold(): void;
  /** Ends `hold`. */
  letGo(): void;
  /** Has the listener called when the worker has died. */
  onDeath(listener: (reason: VaultError) => void): void;
  end(): Promise<unknown>;
}

/**
 * Starts a worker on `entryFile` with `workerData`, and returns a proxy of the object it serves. The
 * worker keeps the process alive only while a call waits for its answer. When it dies, all waiting
 * and all later calls fail with `internal`.
 */
export const openThread: OpenThread = (options) => {
  const worker = startWorker(options);
  return linkThread(options, {
    port: worker,
    hold: () => worker.ref(),
    letGo: () => worker.unref(),
    onDeath: (listener) => onWorkerDeath(worker, listener),
    end: () => worker.terminate(),
  });
};

/** Calls the listener, perhaps more than once, when a worker breaks or ends. */
export function onWorkerDeath(worker: Worker, listener: (reason: VaultError) => void): void {
  worker.on('error', (error) => listener(death(` (${error.message})`, error)));
  worker.on('exit', (code) => listener(death(` (it ended with code ${code})`)));
}

/** The main thread's side of an object in a worker that runs already. */
export function linkThread<T extends object, Notice = never>(
  options: ThreadOptions<Notice>,
  link: ThreadLink,
): Thread<T> {
  const { port } = link;
  const pending = new Map<number, Pending>();
  let calls = 0;
  let dead: VaultError | undefined;

  const post = (message: ToWorker, buffers: ArrayBuffer[] = []) =>
    port.postMessage(message, buffers);
  const forget = (id: number) => {
    pending.delete(id);
    if (pending.size === 0) link.letGo();
  };
  const die = (reason: VaultError) => {
    if (dead !== undefined) return;
    dead = reason;
    for (const { reject } of pending.values()) reject(dead);
    pending.clear();
    link.letGo();
    if (reason.code !== 'cancelled') options.onDeath?.();
  };

  const call = (method: string, args: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (dead !== undefined) return reject(dead);
      const id = ++calls;
      post({ kind: 'call', id, method, args: args.map(markCallback) }, buffersOf(args));
      pending.set(id, { resolve, reject, args, last: Promise.resolve() });
      link.hold();
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

  port.on('message', (message: FromWorker) => {
    if (message.kind === 'notice') return options.onNotice?.(message.value as Notice);
    const waiting = pending.get(message.kind === 'answer' ? message.id : message.call);
    if (waiting === undefined) return;
    waiting.last = waiting.last.then(() =>
      message.kind === 'answer'
        ? answered(message.id, message, waiting)
        : calledBack(message, waiting),
    );
  });
  // The calls whose answer could not be read would never end. Its object must not stay open either.
  port.on('messageerror', (error: Error) => {
    die(death('', error));
    void link.end();
  });
  link.onDeath(die);
  link.letGo(); // Listening has made it keep the process alive.

  return {
    remote: proxyOf<T>(call),
    ready: async () => {
      await call(readyMethod, []);
    },
    close: async () => {
      die(new VaultError('cancelled', 'The vault was closed in the meantime.'));
      await link.end();
    },
  };
}

/**
 * Set by the build of the program: the code that a thread runs, and the texts of the chunks that it
 * may need. Not there in tests, whose workers run a file.
 */
declare const VAULTDOOR_THREADS: () => { readonly code: string; readonly parts: readonly string[] };

/** Starts a worker, without anything that talks to it. */
export function startWorker({
  entryFile,
  workerData,
}: Pick<ThreadOptions<never>, 'entryFile' | 'workerData'>): Worker {
  const { role } = Object(workerData) as { readonly role?: string };
  const resourceLimits = { maxYoungGenerationSizeMb: youngMb[role ?? ''] ?? usualYoungMb };
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
  open: OpenThread = openThread,
): Promise<T> {
  const thread = open<T>(options);
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
      const closed = thread.remote.close().catch((error: unknown) => {
        if (!isThreadDeath(error)) throw error; // What it had open is closed.
      });
      await Promise.race([closed, overdue]);
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

/** The failure of all calls to a worker that has died. */
export function death(why: string, cause?: unknown): VaultError {
  const message = `A worker thread of Vaultdoor died${why}; try again, or start Vaultdoor again.`;
  return new VaultError('internal', message, { cause, details: { threadDied: true } });
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
