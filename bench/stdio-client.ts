import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

/** An answer, and how long it took from the request. */
export interface TimedAnswer {
  readonly ms: number;
  /** The text of a tool's result; undefined when it failed. */
  readonly text: string | undefined;
}

/** A client of `vaultdoor stdio --tools obsidian` that asks one thing at a time. */
export class StdioClient {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #started: Promise<unknown>;

  constructor(folder: string, cache: string) {
    this.#child = spawn(
      process.execPath,
      [program, 'stdio', '--tools', 'obsidian', '--vault', folder],
      { env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache } },
    );
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#started = once(this.#child.stderr, 'data');
    this.#child.stderr.resume();
  }

  /** Resolves when the process is up: its log has begun, and its threads have had a moment. */
  async up(): Promise<this> {
    await this.#started;
    await setTimeout(300);
    return this;
  }

  initialize(): Promise<TimedAnswer> {
    return this.request('initialize', {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
  }

  call(tool: string, args: object): Promise<TimedAnswer> {
    return this.request('tools/call', { name: tool, arguments: args });
  }

  async request(method: string, params: object = {}): Promise<TimedAnswer> {
    const start = performance.now();
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
    const { value } = await this.#lines.next();
    const ms = performance.now() - start;
    const { result } = JSON.parse(String(value)) as {
      result?: { content?: readonly { text: string }[] };
    };
    return { ms, text: result && (result.content?.[0]?.text ?? '') };
  }

  async end(): Promise<void> {
    const ended = once(this.#child, 'close');
    this.#child.stdin.end();
    await ended;
  }
}

/** From the start of a bare Node program to its first answer: what no server can beat. */
export async function measureBareNode(): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [
    '-e',
    'process.stdin.once("data", (d) => console.log(d))',
  ]);
  child.stdin.end('x\n');
  await once(child.stdout, 'data');
  const ms = performance.now() - start;
  await once(child, 'close');
  return ms;
}
