import type { IncomingMessage } from 'node:http';
import type { Refusal } from './http-handler.ts';

/**
 * Reads the body of a request into memory. A refusal as soon as it is larger than `bytesMax`, or
 * when `hold` has no room for one more piece; undefined when the client left before its end.
 */
export function readBody(
  request: IncomingMessage,
  options: { readonly bytesMax: number; readonly hold: (bytes: number) => boolean },
): Promise<Uint8Array<ArrayBuffer> | Refusal | undefined> {
  const { bytesMax, hold } = options;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const settle = (result: Uint8Array<ArrayBuffer> | Refusal | undefined): void => {
      request.off('data', take).off('end', complete).off('close', leave);
      resolve(result);
    };
    const take = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > bytesMax) settle(bodyTooLarge(bytesMax));
      else if (hold(piece.length)) pieces.push(piece);
      else settle(tooManyBodies);
    };
    const complete = (): void => settle(Buffer.concat(pieces));
    const leave = (): void => settle(undefined);
    request.on('data', take).on('end', complete).on('close', leave);
    // What there is to say about it, `close` says too.
    request.on('error', () => undefined);
  });
}

/** The refusal of a body that is larger than it may be. */
export function bodyTooLarge(bytesMax: number): Refusal {
  if (bytesMax === 0) {
    return { status: 413, message: 'Nothing here takes a body. Send the request without one.' };
  }
  return {
    status: 413,
    message: `The body of this request is larger than ${bytesMax} bytes, the most that is taken here. Send less at once.`,
  };
}

const tooManyBodies: Refusal = {
  status: 503,
  message: 'The server is receiving too much at once. Try again in a second.',
  headers: { 'Retry-After': '1' },
};
