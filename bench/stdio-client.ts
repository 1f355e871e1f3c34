import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

const initialize = {
  method: 'initialize',
  params: {
    protocolVersion: '2024-11-05',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
};

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
    return this.request(initialize.method, initialize.params);
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

/** Answers one line of JSON-RPC as a server would, with nothing loaded but Node. */
const bareProgram = `
  let text = '';
  process.stdin.setEncoding('utf8').on('data', (more) => {
    text += more;
    if (!text.includes('\\n')) return;
    const { id, params } = JSON.parse(text);
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bare', version: '1.0.0' },
    };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
    process.stdin.destroy();
  });`;

/**
 * From the start of a bare Node program to its answer to the same "initialize": what no server can
 * beat. It is read from a file, as servers are.
 */
export async function measureBareNode(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-bare-'));
  const file = join(folder, 'bare.cjs');
  writeFileSync(file, bareProgram);
  const start = performance.now();
  const child = spawn(process.execPath, [file]);
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, ...initialize })}\n`);
  await once(child.stdout, 'data');
  const ms = performance.now() - start;
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  return ms;
}
