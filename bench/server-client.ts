import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { treeMemoryMb } from './tree-memory.ts';

/** How long the client waits for an answer, in milliseconds. */
export const lateMs = 60_000;

/** The command that starts a program which speaks MCP over stdin and stdout. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Whether the program has a channel to its parent (`process.send`). */
  readonly ipc?: true;
}

/** An answer, and how long it took from the request. */
export interface TimedAnswer {
  readonly ms: number;
  /** The text of a tool's result; undefined if the call failed. */
  readonly text: string | undefined;
}

export interface ServerAnswer extends TimedAnswer {
  /** The whole result; undefined if the call failed. */
  readonly result?: object;
  /** The error message of the server, if the call failed. */
  readonly failure?: string;
  /** The size of the whole answer. */
  readonly bytes: number;
  /** True if no answer came in time. */
  readonly late?: true;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly message?: string };
  readonly result?: { isError?: boolean; content?: readonly { text?: string }[] };
}

/** A client of any MCP server over stdio. It sends one request at a time. */
export class ServerClient {
  protected readonly child: ChildProcessWithoutNullStreams;
  readonly #began = performance.now();
  readonly #ended: Promise<void>;
  #hasEnded = false;
  /** Receives the next line of the server; undefined when the server has ended. */
  #waits: ((line: string | undefined) => void) | undefined;
  #id = 0;

  constructor({ file, args, env, ipc }: Command) {
    const stdio = ipc ? (['pipe', 'pipe', 'pipe', 'ipc'] as const) : 'pipe';
    this.child = spawn(file, args, { env, stdio: stdio as 'pipe' });
    this.#ended = new Promise((resolve) => {
      this.child.on('error', () => undefined); // The event 'close' follows.
      this.child.on('close', () => {
        this.#hasEnded = true;
        this.#waits?.(undefined);
        resolve();
      });
    });
    this.child.stdin.on('error', () => undefined); // 'close' reports a server that has ended.
    this.child.stderr.resume();
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#waits?.(line));
  }

  /**
   * Initializes the connection. The returned time counts from the start of the server's process.
   */
  async greet(): Promise<ServerAnswer> {
    const answer = await this.initialize();
    const ms = performance.now() - this.#began;
    this.#send({ method: 'notifications/initialized' });
    return { ...answer, ms };
  }

  initialize(): Promise<ServerAnswer> {
    return this.request('initialize', {
      // A version of the protocol that all programs support.
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
  }

  call(tool: string, args: object, late?: number): Promise<ServerAnswer> {
    return this.request('tools/call', { name: tool, arguments: args }, late);
  }

  /** The whole result of a request. Throws if the request failed. */
  async result<T>(method: string): Promise<T> {
    const { result } = await this.request(method);
    if (result === undefined) throw new Error(`${method} failed`);
    return result as T;
  }

  request(method: string, params: object = {}, late = lateMs): Promise<ServerAnswer> {
    const id = ++this.#id;
    const began = performance.now();
    return new Promise((resolve) => {
      const settle = (answer: Omit<ServerAnswer, 'ms'>): void => {
        clearTimeout(timer);
        this.#waits = undefined;
        resolve({ ...answer, ms: performance.now() - began });
      };
      const none = { text: undefined, bytes: 0 };
      const timer = setTimeout(settle, late, { ...none, late: true });
      this.#waits = (line) => {
        const answer = line === undefined ? none : answerIn(line, id);
        if (answer !== undefined) settle(answer);
      };
      if (this.#hasEnded) settle(none);
      this.#send({ id, method, params });
    });
  }

  /** The memory of the process and of its children, in megabytes; undefined if it is not known. */
  memoryMb(): number | undefined {
    return this.child.pid === undefined ? undefined : treeMemoryMb(this.child.pid);
  }

  /** Closes the server's input, and kills the server if it has not ended after ten seconds. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    this.child.stdin.end();
    await this.#ended;
    clearTimeout(timer);
  }

  /** Kills a server that is still busy with a request that came too late. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  #send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** Reads the answer to a request from a line; undefined if the line is something else. */
function answerIn(line: string, id: number): Omit<ServerAnswer, 'ms'> | undefined {
  const message = parsed(line);
  if (message?.id !== id || message.method !== undefined) return undefined;
  const { result } = message;
  const isDone = result !== undefined && result.isError !== true;
  const text = result?.content?.map((part) => part.text ?? '').join('\n') ?? '';
  const bytes = Buffer.byteLength(line);
  if (isDone) return { text, result, bytes };
  return { text: undefined, failure: message.error?.message ?? text, bytes };
}

function parsed(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined; // Some servers also print lines that are not JSON.
  }
}
