import { toVaultError, VaultError, type VaultErrorCode } from '../../base/vault-error.ts';

/** An error as plain data: what crosses threads must be cloneable, and class identity is lost. */
export interface ErrorData {
  readonly code: VaultErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Stands for a function among the arguments of a call: calls of it come back as messages. */
export interface CallbackMark {
  readonly callbackArgument: number;
}

/** To the worker: a call, or the answer to a callback. */
export type ToWorker =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'called-back'; readonly id: number; readonly error?: ErrorData };

/** From the worker: an answer, a callback, or a notice that nobody asked for. */
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
      readonly call: number;
      readonly argument: number;
      readonly args: readonly unknown[];
    }
  | { readonly kind: 'notice'; readonly value: unknown };

/**
 * The buffers of the bytes among the arguments of a call, to be handed over with it instead of
 * copied: the sender has them no longer. Only of bytes that have their buffer to themselves, and
 * not of those in arrays, which may be long to look through.
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

/** An error as data; whatever is not a `VaultError` becomes `internal`. */
export function toErrorData(error: unknown): ErrorData {
  const { code, message, details } = toVaultError(error);
  return { code, message, details: cloneable(details) };
}

/** The error that crossed. */
export function fromErrorData({ code, message, details }: ErrorData): VaultError {
  return new VaultError(code, message, { details });
}

/** Details without what cannot be cloned (functions, handles): a lost detail beats a lost error. */
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
