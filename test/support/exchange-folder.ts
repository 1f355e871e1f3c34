import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Exchanges two paths in one step, again and again; Node has no call for this. */
const exchanging = `
import ctypes, sys
libc = ctypes.CDLL(None)
one, other = (path.encode() for path in sys.argv[1:3])
if libc.renameat2(-100, one, -100, other, 2) != 0: sys.exit(1)
print("ready", flush=True)
while True: libc.renameat2(-100, one, -100, other, 2)
`;

/** The same in three steps, for a machine without Python: now and then there is nothing at `one`. */
const renaming = `
const { renameSync } = require('node:fs');
const [one, other] = process.argv.slice(1, 3);
console.log('ready');
for (;;) {
  renameSync(one, other + '.3');
  renameSync(other, one);
  renameSync(other + '.3', other);
}
`;

/**
 * Another process that exchanges what is at two paths as fast as it can, until `stop` or the end of
 * the test.
 */
export class FolderExchange {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when the two were exchanged for the first time. */
  static async start(
    one: string,
    other: string,
    onFinished: (end: () => Promise<void>) => void,
  ): Promise<FolderExchange> {
    const hasPython = spawnSync('python3', ['-c', 'import ctypes']).status === 0;
    const child = hasPython
      ? spawn('python3', ['-c', exchanging, one, other], { stdio: ['ignore', 'pipe', 'inherit'] })
      : spawn(process.execPath, ['-e', renaming, one, other], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
    const exchange = new FolderExchange(child);
    onFinished(() => exchange.stop());
    const ready = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    if (child.exitCode !== null) throw new Error(`The folders were not exchanged: ${ready}`);
    return exchange;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
