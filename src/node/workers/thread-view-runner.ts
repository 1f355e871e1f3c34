import { limits } from '../../base/limits.ts';
import { abortReason } from '../../base/vault-error.ts';
import type { JsonFacts, ViewRunner } from '../../engine/bases/query/view-runner.ts';
import type { ViewQuestion, ViewSession } from '../../engine/bases/query/view-session.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/**
 * Evaluates views in workers, one in each. An expression cannot be interrupted, so the worker is
 * terminated when its caller's time is over or the caller has left.
 */
export function openThreadViewRunner(options: {
  readonly entryFile: string;
  readonly timers?: Timers;
}): ViewRunner {
  const { entryFile, timers = nodeTimers } = options;
  const pool = new ThreadPool<Pick<ViewSession, 'start' | 'next'>>({
    entryFile,
    workerData: { role: 'view' },
    max: limits.viewWorkersMax,
    idleMs: limits.viewWorkerIdleMs,
    timers,
  });
  return {
    run: async (view, facts, signal) => {
      if (signal.aborted) throw abortReason(signal);
      try {
        return await pool.run(signal, async (session) => {
          let step = await session.start(view);
          while (step.done === undefined) step = await session.next(await answer(facts, step.asks));
          return step.done;
        });
      } catch (error) {
        throw signal.aborted ? abortReason(signal) : error;
      }
    },
    close: () => pool.close(),
  };
}

function answer(facts: JsonFacts, asked: ViewQuestion): Promise<unknown> {
  switch (asked.method) {
    case 'files':
      return facts.files(...asked.args);
    case 'load':
      return facts.load(...asked.args);
    case 'named':
      return facts.named(...asked.args);
  }
}
