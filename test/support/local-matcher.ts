import type { HitReason, TextMatcher } from '../../src/engine/ports/text-matcher.ts';
import { openFileMatcher } from '../../src/node/scan/match-files.ts';
import type { ScanSource } from '../../src/node/scan/scan-files.ts';

/** A matcher on the calling thread: what the worker does, without an end to its time. */
export function openLocalMatcher(source: Pick<ScanSource, 'read'>): TextMatcher {
  const matcher = openFileMatcher(source);
  return {
    match: async (request) => {
      const fulfils: boolean[] = [];
      await matcher.match(request, async (next) => void fulfils.push(...next));
      return {
        found: request.paths.filter((_, at) => fulfils[at] === true),
        looked: fulfils.length,
      };
    },
    reasons: async (request) => {
      const reasons: HitReason[] = [];
      await matcher.reasons(request, async (next) => void reasons.push(...next));
      return reasons;
    },
    close: async () => {},
  };
}
