import { limits } from '../../base/limits.ts';

/** The limits that this door keeps; tests have shorter ones. */
export type RemoteLimits = Readonly<
  Record<'requestsAtOnceMax' | 'hangUpMs' | Extract<keyof typeof limits, `remote${string}`>, number>
>;

/** Those of the program. */
export const remoteLimits: RemoteLimits = limits;
