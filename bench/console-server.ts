import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { treeMemoryMb } from './tree-memory.ts';

/** The built program. */
export const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

/** `vaultdoor serve` on a vault, at a free port. */
export class ConsoleServer {
  readonly url: string;
  readonly consoleUrl: string;
  readonly #child: ChildProcess;
  readonly #vault: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(
    child: ChildProcess,
    { url, vault, env }: { url: string; vault: string; env: NodeJS.ProcessEnv },
  ) {
    this.#child = child;
    this.#vault = vault;
    this.#env = env;
    this.url = url;
    this.consoleUrl = `http://localhost:${new URL(url).port}/c/`;
  }

  /** Starts it, and waits until it listens. */
  static async start(vault: string, env: NodeJS.ProcessEnv): Promise<ConsoleServer> {
    const flags = ['--port', '0', '--tools', 'notes', '--brake', 'off', '--log-level', 'error'];
    const child = spawn(process.execPath, [program, 'serve', '--vault', vault, ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        text += part;
        const [found] = /http:\/\/\S+\/mcp\b/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () =>
        reject(new Error('The server has ended. Run "npm run build" first.')),
      );
    });
    return new ConsoleServer(child, { url, vault, env });
  }

  /** A link that opens its console once. */
  async link(): Promise<string> {
    const args = [program, 'console', '--no-browser', '--vault', this.#vault];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: this.#env });
    const [link] = /http:\S+#k=\S+/.exec(stdout) ?? [];
    if (link === undefined) throw new Error(`There is no link: ${stdout}`);
    return link;
  }

  /** The memory of its process and of those that it has started, in megabytes. */
  memoryMb(): number {
    return treeMemoryMb(this.#child.pid ?? 0) ?? Number.NaN;
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
