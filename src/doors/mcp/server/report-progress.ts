import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress } from '../../../base/caller.ts';

/** The least time between two reports. */
const everyMs = 100;

/** Tells a client how far its call has got. */
interface ProgressReport {
  readonly tell: (progress: Progress) => void;
  /** To be called when the answer is sent; after that no progress is sent. */
  readonly end: () => void;
}

/**
 * Reports the progress of a request; undefined when the client did not ask for progress. The
 * numbers only grow, as the protocol demands: when the work begins to count from zero again, the
 * numbers go on from the end of the last round, and no total is sent any more.
 */
export function progressOf(
  context: Pick<ServerContext, 'mcpReq'>,
  nowMs: () => number,
): ProgressReport | undefined {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let ended = false;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  let sent = -1;
  /** The sum of the earlier rounds. */
  let before = 0;
  /** How far the current round is. */
  let last = 0;
  return {
    tell: ({ done, total, message }) => {
      if (done < last) before += last;
      last = done;
      const progress = before + done;
      if (ended || progress <= sent || nowMs() - sentAtMs < everyMs) return;
      sent = progress;
      sentAtMs = nowMs();
      const params = {
        progressToken,
        progress,
        message,
        ...(total === undefined || before > 0 ? {} : { total }),
      };
      // It fails when the connection is gone; then nobody needs the progress.
      context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    end: () => {
      ended = true;
    },
  };
}
