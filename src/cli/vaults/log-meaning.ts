import type { Logger } from '../../base/logger.ts';
import type { MeaningProgress } from '../../engine/meaning/meaning-keeper.ts';
import { nodeClock } from '../../node/system/node-ports.ts';

/** How often progress is logged. */
const everyMs = 10_000;

/** Logs how many notes of a vault are embedded, now and then and at the end; and each new problem. */
export function logMeaning(logger: Logger, vault: string): (progress: MeaningProgress) => void {
  let loggedMs = Number.NEGATIVE_INFINITY;
  let last = '';
  return ({ done, total, problem }) => {
    const nowMs = nodeClock.nowMs();
    const isDone = done >= total;
    if (problem !== undefined) {
      if (problem !== last) logger.log('warn', 'embedding', { vault, done, total, problem });
      last = problem;
      return;
    }
    last = '';
    if (!isDone && nowMs - loggedMs < everyMs) return;
    loggedMs = nowMs;
    logger.log('info', 'embedding', { vault, done, total });
  };
}
