import { limits } from '../../base/limits.ts';
import type { NoteWork, NoteWorker } from '../../engine/ports/note-work.ts';
import type { Timers } from '../../engine/ports/ports.ts';
import { nodeTimers } from '../system/node-ports.ts';
import { ThreadPool } from './thread-pool.ts';

/** What the thread serves: one method for all tasks. */
interface RemoteWork {
  /** The arguments are one array, so that bytes among them are copied: the caller keeps its own. */
  run<Task extends keyof NoteWork>(
    task: Task,
    args: Parameters<NoteWork[Task]>,
  ): Promise<ReturnType<NoteWork[Task]>>;
}

/**
 * Works on large notes in workers. The work is one loop that nothing can interrupt, so the worker is
 * terminated when its caller's time is over or the caller has left.
 */
export function openThreadNoteWorker(options: {
  readonly entryFile: string;
  readonly timers?: Timers;
}): NoteWorker {
  const { entryFile, timers = nodeTimers } = options;
  const pool = new ThreadPool<RemoteWork>({
    entryFile,
    workerData: { role: 'note' },
    max: limits.noteWorkersMax,
    idleMs: limits.noteWorkerIdleMs,
    timers,
  });
  return {
    run: (task, args, signal) => pool.run(signal, (remote) => remote.run(task, args)),
    close: () => pool.close(),
  };
}
