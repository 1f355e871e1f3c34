import { limits } from '../../base/limits.ts';
import type { JsonFacts, Queries, Query, QueryRunner } from '../../engine/dataview/query-runner.ts';
import type { QueryQuestion, QuerySession } from '../../engine/dataview/query-session.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/**
 * Evaluates queries in workers, one in each. An expression cannot be interrupted, so the worker is
 * terminated when its caller's time is over or the caller has left.
 */
export function openThreadQueryRunner(options: {
  readonly entryFile: string;
  readonly timers?: Timers;
}): QueryRunner {
  const { entryFile, timers = nodeTimers } = options;
  const pool = new ThreadPool<Pick<QuerySession, 'start' | 'next' | 'stop'>>({
    entryFile,
    workerData: { role: 'view' },
    max: limits.viewWorkersMax,
    idleMs: limits.viewWorkerIdleMs,
    timers,
  });
  return {
    run: <Kind extends keyof Queries>(
      query: Query & { readonly kind: Kind },
      facts: JsonFacts,
      signal: AbortSignal,
    ) =>
      pool.run(signal, async (session) => {
        let step = await session.start(query);
        while (step.done === undefined) {
          const answered = await answer(facts, step.asks).catch(async (error: unknown) => {
            await session.stop();
            throw error;
          });
          step = await session.next(answered);
        }
        return step.done as Queries[Kind]['result'];
      }),
    close: () => pool.close(),
  };
}

function answer(facts: JsonFacts, asked: QueryQuestion): Promise<unknown> {
  switch (asked.method) {
    case 'files':
      return facts.files(...asked.args);
    case 'load':
      return facts.load(...asked.args);
    case 'named':
      return facts.named(...asked.args);
  }
}
