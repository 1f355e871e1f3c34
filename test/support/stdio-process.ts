import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { bareEnv, bundle } from './run-cli.ts';
import { tempFolder } from './temp-folder.ts';

/** A message as it came over the wire. */
export interface WireMessage {
  readonly jsonrpc?: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How the program is started on a vault: its arguments after its name, and its environment. */
export interface StdioStart {
  readonly folder: string;
  /** `stdio` unless told. */
  readonly program?: 'stdio' | 'bridge';
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** When it is killed if it still runs: at the end of the test, unless given. */
  readonly onFinished?: (end: () => void) => void;
}

/** An environment that names the vault, with state and cache of their own. */
export function stdioEnv(start: StdioStart): Record<string, string> {
  const folders =
    start.env?.['XDG_CACHE_HOME'] === undefined ? tempFolder({}, start.onFinished) : '';
  const bare = Object.entries(bareEnv()).filter((entry): entry is [string, string] => !!entry[1]);
  return {
    ...Object.fromEntries(bare),
    OBSIDIAN_VAULT_PATH: start.folder,
    ...(folders === '' ? {} : { XDG_CACHE_HOME: folders, XDG_STATE_HOME: folders }),
    ...start.env,
  };
}

/**
 * The built program over stdio, spoken to in bytes: what the SDK's client would hide or refuse to
 * send. Keeps every byte it was answered.
 */
export class StdioProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** How it ended. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stdout = '';
  stderr = '';
  readonly messages: WireMessage[] = [];
  readonly #waiting = new Set<() => void>();
  #half = '';
  #requests = 0;
  #ended = false;

  constructor(start: StdioStart) {
    const args = [bundle, start.program ?? 'stdio', ...(start.args ?? [])];
    this.child = spawn(process.execPath, args, { env: stdioEnv(start) });
    const { onFinished = onTestFinished } = start;
    onFinished(() => {
      this.child.kill('SIGKILL'); // Only where the test has failed before its end, or others share it.
    });
    this.child.stdin.on('error', () => undefined); // It may be gone while we write.
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.#ended = true;
        this.#wake();
        resolve({ code, signal });
      });
    });
  }

  #read(text: string): void {
    this.stdout += text;
    const lines = (this.#half + text).split('\n');
    this.#half = lines.pop() ?? '';
    // Whatever is no JSON here is a broken promise: the throw ends the test.
    for (const line of lines) this.messages.push(JSON.parse(line) as WireMessage);
    this.#wake();
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** What came after its last whole line: nothing, if it keeps to lines. */
  get rest(): string {
    return this.#half;
  }

  write(bytes: string | Uint8Array): void {
    this.child.stdin.write(bytes);
  }

  send(message: unknown): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** The first message, come or to come, that this holds for. Rejects when the program ends. */
  find(wanted: (message: WireMessage) => boolean): Promise<WireMessage> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = this.messages.find(wanted);
        if (found === undefined && !this.#ended) return;
        this.#waiting.delete(look);
        if (found !== undefined) resolve(found);
        else reject(new Error(`The program ended without that message: ${this.stderr}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Sends a request and waits for its answer. */
  request(method: string, params: object = {}): Promise<WireMessage> {
    const id = `r${++this.#requests}`;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }

  answer(id: string | number): Promise<WireMessage> {
    return this.find((message) => message.id === id && message.method === undefined);
  }

  /** The handshake of the 2025 era. */
  async initialize(params: object = {}): Promise<WireMessage> {
    const answer = await this.request('initialize', { ...legacyHello, ...params });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Closes its input and waits until it has left. */
  async end(): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.child.stdin.end();
    return this.exited;
  }
}

export const legacyHello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
} as const;

/** What every request of the 2026-07-28 era carries. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
} as const;
