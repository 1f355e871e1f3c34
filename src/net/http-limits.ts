import { limits } from '../base/limits.ts';

/** The limits that a listener holds its clients to. */
export type HttpLimits = Readonly<
  Record<
    | 'httpHeaderBytesMax'
    | 'httpBodiesBytesMax'
    | 'httpRequestsMax'
    | 'httpConnectionsMax'
    | 'httpHeadMs'
    | 'httpRequestMs'
    | 'httpLookMs'
    | 'httpIdleMs'
    | 'httpLingerMs'
    | 'httpClosingMs'
    | 'httpAheadMax'
    | 'httpUnreadBytesMax'
    | 'httpUnreadMs',
    number
  >
>;

/** The limits of the program, but for those that are given. */
export function httpLimits(given: Partial<HttpLimits> = {}): HttpLimits {
  return { ...limits, ...given };
}
