import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Version } from '../../base/version.ts';
import type { Base64, Clock, Hash, Random, Timers } from '../../engine/ports/ports.ts';

/** The system's clock. */
export const nodeClock: Clock = { nowMs: () => Date.now() };

/** A longer time than this would overflow and be over at once. */
const timeoutMaxMs = 2 ** 31 - 1;

/** The system's timers; none of them keeps the process alive. */
export const nodeTimers: Timers = {
  after(ms, call) {
    let timer: NodeJS.Timeout | undefined;
    const wait = (leftMs: number): void => {
      const nextMs = Math.min(leftMs, timeoutMaxMs);
      timer = setTimeout(() => (leftMs > nextMs ? wait(leftMs - nextMs) : call()), nextMs);
      timer.unref();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Lets everything else that waits on this thread run first. Keeps the process alive. */
export const nodeTurn = (): Promise<void> => setImmediate();

/** SHA-256 in lower-case hex. */
export const nodeHash: Hash = {
  version: (bytes) => createHash('sha256').update(bytes).digest('hex') as Version,
  hmac: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
};

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Base64 of the standard alphabet with padding. `decode` ignores line ends and refuses all else. */
export const nodeBase64: Base64 = {
  encode: (bytes) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  decode: (text) => {
    const packed = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
    if (packed.length % 4 !== 0 || !base64.test(packed)) return undefined;
    return Buffer.from(packed, 'base64');
  },
};

/** Cryptographic randomness: tokens of 64 bits in hex, and numbers below a bound. */
export const nodeRandom: Random = {
  token: () => randomBytes(8).toString('hex'),
  below: (count) => randomInt(count),
};
