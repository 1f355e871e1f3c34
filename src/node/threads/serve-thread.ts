import { type MessagePort, parentPort } from 'node:worker_threads';
import { VaultError } from '../../base/vault-error.ts';
import {
  buffersOf,
  type CallbackMark,
  type FromWorker,
  fromErrorData,
  type ToWorker,
  toErrorData,
} from './thread-message.ts';

/** The worker's side of a thread. */
interface ThreadServer<Notice> {
  /** Sends the main thread a message that does not answer a call. It arrives before later answers. */
  notify(notice: Notice): void;
}

/** A method that every served object has: it returns as soon as the object exists. */
export const readyMethod = 'threadReady';

/**
 * Lets the main thread call the methods of `target`, which may be a promise that is not settled yet.
 * Calls do not wait for each other. A function among the arguments becomes one that calls back to the
 * main thread and resolves when the function has returned there, so a worker that awaits it does not
 * send faster than the main thread can take.
 */
export function serveThread<Notice = never>(
  port: MessagePort,
  target: object | Promise<object>,
): ThreadServer<Notice> {
  const waiting = new Map<number, { resolve: () => void; reject: (error: unknown) => void }>();
  let callbacks = 0;
  let isClosed = false;
  let wasAskedToClose = false;
  const send = (message: FromWorker, buffers: ArrayBuffer[] = []) =>
    port.postMessage(message, buffers);

  const callBack =
    (call: number, argument: number) =>
    (...args: readonly unknown[]) => {
      const id = ++callbacks;
      const done = isClosed
        ? Promise.reject<void>(closed())
        : new Promise<void>((resolve, reject) => waiting.set(id, { resolve, reject }));
      done.catch(() => {}); // Not every caller awaits it. The main thread fails the call anyway.
      send({ kind: 'callback', id, call, argument, args }, buffersOf(args));
      return done;
    };

  const answer = async (message: ToWorker & { kind: 'call' }) => {
    const { id } = message;
    try {
      const object = await target;
      const value =
        message.method === readyMethod ? undefined : await invoke(object, message, callBack);
      send({ kind: 'answer', id, value });
    } catch (error) {
      send({ kind: 'answer', id, error: toErrorData(error) });
    }
  };

  Promise.resolve(target).catch(() => {}); // Every call fails with this error.
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'call') {
      wasAskedToClose ||= message.method === 'close';
      void answer(message);
      return;
    }
    const callback = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) callback?.resolve();
    else callback?.reject(fromErrorData(message.error));
  });
  // A call that cannot be read cannot be answered. All calls of this object fail then.
  port.on('messageerror', (error) => {
    if (port === parentPort) throw error;
    port.close();
  });
  // In a worker that serves several objects, the main thread is done with this one: its work ends at
  // the next callback, and what it has open is closed.
  port.on('close', () => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(closed());
    waiting.clear();
    if (wasAskedToClose) return;
    Promise.resolve(target)
      .then((object) => 'close' in object && Reflect.apply(object.close as () => void, object, []))
      .catch(() => {}); // Nobody is left who could be told.
  });
  return { notify: (value) => send({ kind: 'notice', value }) };
}

function closed(): VaultError {
  return new VaultError('cancelled', 'The vault was closed in the meantime.');
}

function invoke(
  object: object,
  { id, method, args }: ToWorker & { kind: 'call' },
  callBack: (call: number, argument: number) => (...args: readonly unknown[]) => Promise<void>,
): unknown {
  const member: unknown = Reflect.get(object, method);
  if (typeof member !== 'function') {
    throw new VaultError('internal', `Vaultdoor has a bug: its worker has no method "${method}".`);
  }
  const values = args.map((value) =>
    isMark(value) ? callBack(id, value.callbackArgument) : value,
  );
  return Reflect.apply(member, object, values);
}

function isMark(value: unknown): value is CallbackMark {
  return typeof value === 'object' && value !== null && 'callbackArgument' in value;
}
