import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

/** An answer to one call of a tool, and how long it took from the request. */
export interface Answer {
  readonly ms: number;
  readonly text: string;
  readonly failed: boolean;
}

/** A client of one `vaultdoor stdio` process with all its toolsets. Asks one thing at a time. */
export class ScaleClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  #id = 0;

  constructor(folder: string, cache: string) {
    this.#child = spawn(
      process.execPath,
      [program, 'stdio', '--tools', 'notes,obsidian,agent', '--vault', folder],
      { env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache } },
    );
    this.#child.stderr.resume();
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async initialize(): Promise<void> {
    await this.#request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  async call(tool: string, args: object = {}): Promise<Answer> {
    const start = performance.now();
    const { result, error } = await this.#request('tools/call', { name: tool, arguments: args });
    const ms = performance.now() - start;
    const text = (result?.content ?? []).map((part) => part.text ?? '').join('\n');
    const failed = error !== undefined || result?.isError === true;
    return { ms, text: error === undefined ? text : JSON.stringify(error), failed };
  }

  /** What the process has in memory now, in megabytes. */
  memoryMb(): number {
    const kb = execFileSync('ps', ['-o', 'rss=', '-p', String(this.#child.pid)], {
      encoding: 'utf8',
    });
    return Number(kb) / 1024;
  }

  /**
   * Resolves when the process has next to nothing to do: after a build, full text is merged in quiet
   * moments, and what that costs beside is not what is measured here.
   */
  async untilQuiet(): Promise<void> {
    let before = this.#cpuSeconds();
    for (let quiet = 0; quiet < 2; ) {
      await setTimeout(2_000);
      const now = this.#cpuSeconds();
      quiet = now === before ? quiet + 1 : 0;
      before = now;
    }
  }

  #cpuSeconds(): number {
    const time = execFileSync('ps', ['-o', 'cputimes=', '-p', String(this.#child.pid)], {
      encoding: 'utf8',
    });
    return Number(time);
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    await ended;
  }

  async #request(method: string, params: object): Promise<Reply> {
    const id = ++this.#id;
    this.#send({ jsonrpc: '2.0', id, method, params });
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error('The server has ended');
      const reply = JSON.parse(String(value)) as Reply & { id?: number };
      // What else comes is news that nobody asked for.
      if (reply.id === id) return reply;
    }
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

interface Reply {
  readonly result?: {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
  };
  readonly error?: unknown;
}
