import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress } from '../../../base/caller.ts';

const everyMs = 100;

/** Tells a client how far its call is. */
export interface ProgressReport {
  readonly tell: (progress: Progress) => void;
  /** Nothing is told after the answer. */
  readonly end: () => void;
}

/**
 * Progress for a request that asked for it; otherwise undefined. The numbers only grow, as the
 * protocol demands: work that begins another round goes on counting where the last one ended, and
 * then has no total.
 */
export function progressOf(
  context: Pick<ServerContext, 'mcpReq'>,
  nowMs: () => number,
): ProgressReport | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let ended = false;
  let toldMs = Number.NEGATIVE_INFINITY;
  let told = -1;
  let before = 0;
  let last = 0;
  return {
    tell: ({ done, total, message }) => {
      if (done < last) before += last;
      last = done;
      const progress = before + done;
      if (ended || progress <= told || nowMs() - toldMs < everyMs) return;
      told = progress;
      toldMs = nowMs();
      const params = {
        progressToken,
        progress,
        message,
        ...(total === undefined || before > 0 ? {} : { total }),
      };
      // A connection that is gone wants no progress.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    end: () => {
      ended = true;
    },
  };
}
