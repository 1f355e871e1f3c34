import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rgPath } from '@vscode/ripgrep';
import { limits } from '../src/base/limits.ts';
import { openRipgrep } from '../src/node/programs/ripgrep/ripgrep.ts';

/** Median times of Vaultdoor's line search, and of plain ripgrep on all cores. */
export interface LineFigures {
  readonly lines: number;
  readonly oursMs: number;
  readonly bareMs: number;
}

const rounds = 15;

/** Searches a vault for an expression, in turns with Vaultdoor and with plain ripgrep. */
export async function measureLines(root: string, pattern: string): Promise<LineFigures> {
  const search = openRipgrep({ root, env: process.env, platform: process.platform });
  const request = {
    pattern,
    folders: [''] as const,
    wants: () => true,
    linesMax: limits.foundLinesMax,
    lineCharsMax: limits.foundLineCharsMax,
    signal: new AbortController().signal,
    deadlineMs: limits.lineSearchMs,
  };
  const { lines } = await search.search(request);
  const [oursMs = 0, bareMs = 0] = await inTurns([
    () => search.search(request),
    () => runBare(root, ['-e', pattern]),
  ]);
  return { lines: lines.length, oursMs, bareMs };
}

/** The median time of plain ripgrep for some texts, ignoring upper and lower case. */
export async function measureBareSearch(root: string, texts: readonly string[]): Promise<number> {
  const works = texts.map((text) => () => runBare(root, ['-i', '-F', '-e', text]));
  return middle(await inTurns(works));
}

/**
 * Runs plain ripgrep without output. It gets its own session, as in Vaultdoor, because Linux
 * divides the processors among sessions.
 */
function runBare(cwd: string, args: readonly string[]): Promise<unknown> {
  const all = ['--no-config', '--no-ignore', '-c', ...args, './'];
  return once(spawn(rgPath, all, { cwd, stdio: 'ignore', detached: true }), 'close');
}

/**
 * The median time of each, run in turns, so that other work on the machine slows all of them alike.
 */
async function inTurns(works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [n, work] of works.entries()) {
      const beganMs = performance.now();
      await work();
      times[n]?.push(performance.now() - beganMs);
    }
  }
  return times.map(middle);
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
