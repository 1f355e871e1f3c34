import fs from 'node:fs';
import later from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import type { StateStore } from '../../src/engine/ports/state-store.ts';

// Imported before everything else by the program of `startPausedOwner`: from then on this process can
// stop itself, as SIGSTOP from outside would, before any call that changes files or the journal.

const points = {
  names: undefined as string[] | undefined,
  stopAt: -1,
  refused: undefined as RegExp | undefined,
};

/**
 * Begins to count points, and stops the process at one of them; at none if the number is negative. The
 * disk refuses to give a file a name that matches `refused`.
 */
export function stopAtPoint(number: number, refused?: RegExp): void {
  points.names = [];
  points.stopAt = number;
  points.refused = refused;
}

/** Counts no more, and answers the points that were passed. */
export function passedPoints(): readonly string[] {
  const names = points.names ?? [];
  points.names = undefined;
  return names;
}

function point(name: string): void {
  if (points.names === undefined) return;
  points.names.push(name);
  if (points.names.length - 1 !== points.stopAt) return;
  fs.writeSync(1, '"stopped"\n');
  process.kill(process.pid, 'SIGSTOP');
}

type Call = (...args: never[]) => unknown;

function stopBefore(module: object, names: readonly string[]): void {
  const calls = module as Record<string, Call>;
  for (const name of names) {
    const call = calls[name] as Call;
    calls[name] = (...args) => {
      // Of the calls that open something, only those are meant that make a file.
      if (!name.startsWith('open') || (args as unknown[])[1] === 'wx') point(name);
      if (name.startsWith('link') && points.refused?.test(String(args[1]))) {
        throw Object.assign(new Error('refused by the test'), { code: 'ENOSPC' });
      }
      return call(...args);
    };
  }
}

stopBefore(
  fs,
  ['open', 'rename', 'link', 'unlink', 'mkdir', 'rmdir'].map((name) => `${name}Sync`),
);
stopBefore(later, ['open', 'rename', 'link', 'unlink', 'mkdir', 'rmdir']);
syncBuiltinESMExports();

/** The journal, with a point before and after what it writes. */
export function withPoints<State extends StateStore>(state: State): State {
  const around = ['begin', 'beginSingles', 'mark', 'unmark', 'finish', 'drop'];
  return new Proxy(state, {
    get(target, name: string) {
      const call = Reflect.get(target, name, target) as unknown;
      if (typeof call !== 'function') return call;
      if (!around.includes(name)) return call.bind(target);
      return async (...args: unknown[]) => {
        point(`before ${name}`);
        const answer = (await call.apply(target, args)) as unknown;
        point(`after ${name}`);
        return answer;
      };
    },
  });
}
