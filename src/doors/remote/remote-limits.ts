import { limits } from '../../base/limits.ts';

/** The limits of this door. Tests use smaller ones. */
export type RemoteLimits = Readonly<
  Record<'requestsAtOnceMax' | 'hangUpMs' | Extract<keyof typeof limits, `remote${string}`>, number>
>;

/** The limits of the program. */
export const remoteLimits: RemoteLimits = limits;
