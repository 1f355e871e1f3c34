import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Version } from '../base/version.ts';
import type { Clock, Hash, Random, Timers } from '../engine/ports.ts';

/** The system's clock. */
export const nodeClock: Clock = { nowMs: () => Date.now() };

/** The system's timers; none of them keeps the process alive. */
export const nodeTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** SHA-256 in lower-case hex. */
export const nodeHash: Hash = {
  version: (bytes) => createHash('sha256').update(bytes).digest('hex') as Version,
};

/** Names of 64 random bits, in hex, and numbers that nobody can foretell. */
export const nodeRandom: Random = {
  token: () => randomBytes(8).toString('hex'),
  below: (count) => randomInt(count),
};
