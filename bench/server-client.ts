import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { treeMemoryMb } from './tree-memory.ts';

/** Longer than this, in milliseconds, nobody waits for an answer. */
export const lateMs = 60_000;

/** A program that speaks MCP over stdin and stdout, and how it is started. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** An answer, and how long it took from the request. */
export interface TimedAnswer {
  readonly ms: number;
  /** The text of a tool's result; undefined when it failed. */
  readonly text: string | undefined;
}

export interface ServerAnswer extends TimedAnswer {
  /** All of it; undefined when it failed. */
  readonly result?: object;
  /** What the server says about its failure. */
  readonly failure?: string;
  /** How large the whole answer was. */
  readonly bytes: number;
  /** Set when nothing came in time. */
  readonly late?: true;
}

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly error?: { readonly message?: string };
  readonly result?: { isError?: boolean; content?: readonly { text?: string }[] };
}

/** A client of any server on stdio that asks one thing at a time. */
export class ServerClient {
  protected readonly child: ChildProcessWithoutNullStreams;
  readonly #began = performance.now();
  readonly #ended: Promise<void>;
  #hasEnded = false;
  /** Takes a line of the server, or that there will be no more. */
  #waits: ((line: string | undefined) => void) | undefined;
  #id = 0;

  constructor({ file, args, env }: Command) {
    this.child = spawn(file, args, { env });
    this.#ended = new Promise((resolve) => {
      this.child.on('error', () => undefined); // It closes all the same.
      this.child.on('close', () => {
        this.#hasEnded = true;
        this.#waits?.(undefined);
        resolve();
      });
    });
    this.child.stdin.on('error', () => undefined); // It may have left; its answer is then late.
    this.child.stderr.resume();
    createInterface({ input: this.child.stdout }).on('line', (line) => this.#waits?.(line));
  }

  /** Greets the server. The time is that since its process was begun. */
  async greet(): Promise<ServerAnswer> {
    const answer = await this.initialize();
    const ms = performance.now() - this.#began;
    this.#send({ method: 'notifications/initialized' });
    return { ...answer, ms };
  }

  initialize(): Promise<ServerAnswer> {
    return this.request('initialize', {
      // One that all of them take.
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1.0.0' },
    });
  }

  call(tool: string, args: object, late?: number): Promise<ServerAnswer> {
    return this.request('tools/call', { name: tool, arguments: args }, late);
  }

  /** What a request answers, whole; fails where it did. */
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

  /** What the process and those it has started hold, in megabytes; undefined where none can tell. */
  memoryMb(): number | undefined {
    return this.child.pid === undefined ? undefined : treeMemoryMb(this.child.pid);
  }

  /** Hangs up, and kills a server that does not leave. */
  async end(): Promise<void> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    this.child.stdin.end();
    await this.#ended;
    clearTimeout(timer);
  }

  /** Ends a server that is still busy with what nobody waits for. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#ended;
  }

  #send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

/** The answer to a request in a line of a server; undefined for what else it may say. */
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
    return undefined; // Some servers print other things as well.
  }
}
