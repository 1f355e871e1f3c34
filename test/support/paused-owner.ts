import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bundleProgram } from './bundle-program.ts';
import type { OwnedFolder } from './vault-owner.ts';

/** A change that an owner makes, and the point at which it stops itself; at none if negative. */
export interface PausedAsk extends OwnedFolder {
  readonly change: string;
  readonly stopAt: number;
  /** Whether its disk refuses nothing; see `PausedChange`. */
  readonly onGoodDisk?: boolean;
}

/** What became of it, and the points that it has passed. */
export interface PausedAnswer {
  readonly isMade: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly points: readonly string[];
}

/** Builds the program of `PausedOwner`. */
export function buildPausedOwner(): string {
  return bundleProgram(
    import.meta.dirname,
    `
    import { passedPoints, stopAtPoint, withPoints } from './stop-points.ts';
    import { createInterface } from 'node:readline';
    import { openPostgres } from '../../src/postgres/connection/postgres.ts';
    import { pausedChanges } from './paused-changes.ts';
    import { openOwned } from './vault-owner.ts';

    const postgres = await openPostgres(process.argv[2]);
    for await (const line of createInterface({ input: process.stdin })) {
      const ask = JSON.parse(line);
      const { first, run, refused } = pausedChanges.find(({ name }) => name === ask.change);
      const vault = await openOwned(postgres, ask, withPoints);
      await first?.(vault);
      stopAtPoint(ask.stopAt, ask.onGoodDisk ? undefined : refused);
      const answer = await run(vault).then(
        () => ({ isMade: true }),
        ({ code = 'thrown', message, stack }) => ({ isMade: false, code, message: message || stack }),
      );
      await vault.close();
      process.stdout.write(JSON.stringify({ ...answer, points: passedPoints() }) + '\\n');
    }
    await postgres.close();
  `,
  );
}

/** A process that owns one vault after the other, and stops itself in the middle of its changes. */
export class PausedOwner {
  readonly #child: ChildProcess;
  #onLine: (line: unknown) => void = () => undefined;

  constructor(program: string, url: string) {
    this.#child = spawn(process.execPath, [program, url], { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => this.#onLine(JSON.parse(line)));
    this.#child.on('exit', () => this.#onLine({ isMade: false, code: 'ended', points: [] }));
  }

  /**
   * Lets it make a change. When it has stopped itself, calls `meanwhile` and lets it go on. Answers what
   * it says in the end.
   */
  async change(ask: PausedAsk, meanwhile: () => Promise<void>): Promise<PausedAnswer> {
    const next = (): Promise<unknown> =>
      new Promise((resolve) => {
        this.#onLine = resolve;
      });
    const line = next();
    this.#child.stdin?.write(`${JSON.stringify(ask)}\n`);
    const first = await line;
    if (first !== 'stopped') return first as PausedAnswer;
    while (!this.#isStopped()) await new Promise((resolve) => setTimeout(resolve, 1));
    const answer = next();
    try {
      await meanwhile();
    } finally {
      this.#child.kill('SIGCONT');
    }
    return (await answer) as PausedAnswer;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #isStopped(): boolean {
    const status = readFileSync(`/proc/${this.#child.pid}/stat`).toString();
    return status.slice(status.lastIndexOf(')') + 2).startsWith('T');
  }
}
