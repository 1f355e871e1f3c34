import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rgPath } from '@vscode/ripgrep';
import { limits } from '../src/base/limits.ts';
import { openRipgrep } from '../src/node/programs/ripgrep/ripgrep.ts';

/** Medians in milliseconds: our line search, and the bare program on all cores. */
export interface LineFigures {
  readonly lines: number;
  readonly oursMs: number;
  readonly bareMs: number;
}

const rounds = 15;

/** Searches a vault for an expression, in turns with the bare program. */
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

/** The median of the bare program for some texts, in any case of letters. */
export async function measureBareSearch(root: string, texts: readonly string[]): Promise<number> {
  const works = texts.map((text) => () => runBare(root, ['-i', '-F', '-e', text]));
  return middle(await inTurns(works));
}

/** Without output, and in a session of its own, as ours is: Linux shares processors by session. */
function runBare(cwd: string, args: readonly string[]): Promise<unknown> {
  const all = ['--no-config', '--no-ignore', '-c', ...args, './'];
  return once(spawn(rgPath, all, { cwd, stdio: 'ignore', detached: true }), 'close');
}

/** The median of each, asked in turns: what else the machine does then meets them alike. */
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
