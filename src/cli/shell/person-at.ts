import { allScopes, type Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import type { Shell } from './shell.ts';
import { askAt, progressLine } from './terminal.ts';

/**
 * The person at the shell as a caller, who sees everything and may do everything. `clear` removes
 * the line that shows progress, and is to be called at the end.
 */
export function personAt(
  { stdin, stderr, env, signal }: Shell,
  ask: Caller['ask'] = askAt(stdin, stderr, signal),
): {
  readonly person: Caller;
  readonly clear: () => void;
} {
  const progress = progressLine(stderr, Date.now, { idle: 'working …' });
  const session = env['VAULTDOOR_SESSION'];
  const person: Caller = {
    door: 'cli',
    scopes: allScopes,
    signal,
    // A person may wait for the index as long as it takes, and can press Ctrl-C.
    deadlineMs: limits.callDeadlineMaxMs,
    indexWaitMs: limits.callDeadlineMaxMs,
    progress: progress.show,
    // A script names its session, so that all its changes can be undone at once.
    ...(session ? { connection: session } : {}),
    ...(ask === undefined
      ? {}
      : {
          ask: (question, enter) => {
            progress.clear();
            return ask(question, enter);
          },
        }),
  };
  return { person, clear: progress.clear };
}
