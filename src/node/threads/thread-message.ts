import { toVaultError, VaultError, type VaultErrorCode } from '../../base/vault-error.ts';

/** An error as plain data, since an error loses its class when it is sent to another thread. */
interface ErrorData {
  readonly code: VaultErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Replaces a function among the arguments of a call. The worker calls it by sending a message. */
export interface CallbackMark {
  readonly callbackArgument: number;
}

/** A message to the worker: a call, or the answer to a callback. */
export type ToWorker =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'called-back'; readonly id: number; readonly error?: ErrorData };

/** A message from the worker: an answer, a callback, or a notice, which answers nothing. */
export type FromWorker =
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly value?: unknown;
      readonly error?: ErrorData;
    }
  | {
      readonly kind: 'callback';
      /** The number of this callback; its answer repeats it. */
      readonly id: number;
      /** The number of the call, and which of its arguments is called. */
      readonly call: number;
      readonly argument: number;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'notice'; readonly value: unknown };

/**
 * The buffers among the arguments of a call that are transferred to the other thread instead of
 * copied; the sender can no longer use them. Only arrays of bytes that fill their whole buffer are
 * transferred, and none inside JavaScript arrays, which may be too long to search.
 */
export function buffersOf(args: readonly unknown[]): ArrayBuffer[] {
  const buffers: ArrayBuffer[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    if (!(value instanceof Uint8Array)) Object.values(value).forEach(look);
    else if (value.buffer instanceof ArrayBuffer && value.length === value.buffer.byteLength) {
      buffers.push(value.buffer);
    }
  };
  args.forEach(look);
  return buffers;
}

/** Turns an error into data. Whatever is not a `VaultError` becomes `internal`. */
export function toErrorData(error: unknown): ErrorData {
  const { code, message, details } = toVaultError(error);
  return { code, message, details: cloneable(details) };
}

/** Turns the data back into an error. */
export function fromErrorData({ code, message, details }: ErrorData): VaultError {
  return new VaultError(code, message, { details });
}

/** The details without what cannot be sent to another thread, such as functions and handles. */
function cloneable(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => {
      try {
        structuredClone(value);
        return true;
      } catch {
        return false;
      }
    }),
  );
}
