import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { bareEnv, bundle } from './run-cli.ts';
import { tempFolder } from './temp-folder.ts';

/** How the program is started on a vault: its arguments after `serve`, and its environment. */
export interface HttpStart {
  readonly folder: string;
  readonly args?: readonly string[];
  /** With `XDG_STATE_HOME`, state and cache are those of another start. */
  readonly env?: Readonly<Record<string, string>>;
  /** A test that runs beside others gives its own. */
  readonly onFinished?: (end: () => void) => void;
}

/** An environment that names the vault, with state and cache of their own. */
export function httpEnv(start: HttpStart): Record<string, string> {
  const given = start.env?.['XDG_STATE_HOME'];
  const folders = given ?? tempFolder({}, start.onFinished);
  const bare = Object.entries(bareEnv()).filter((entry): entry is [string, string] => !!entry[1]);
  return {
    ...Object.fromEntries(bare),
    VAULT_PATH: start.folder,
    XDG_CACHE_HOME: folders,
    XDG_STATE_HOME: folders,
    ...start.env,
  };
}

/** The built program as `vaultdoor serve` on a free port, unless the arguments name one. */
export class HttpProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** What it was started with, to start another one like it. */
  readonly env: Readonly<Record<string, string>>;
  /** How it ended. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  stdout = '';
  stderr = '';
  readonly #waiting = new Set<() => void>();
  #ended = false;

  constructor(start: HttpStart) {
    this.env = httpEnv(start);
    const args = [bundle, 'serve', '--port', '0', ...(start.args ?? [])];
    this.child = spawn(process.execPath, args, { env: this.env });
    (start.onFinished ?? onTestFinished)(() => {
      this.child.kill('SIGKILL'); // Only where the test has failed before its end.
    });
    this.child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#wake();
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    this.exited = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.#ended = true;
        this.#wake();
        resolve({ code, signal });
      });
    });
  }

  /** Starts it and waits until it says where it is. */
  static async start(start: HttpStart): Promise<HttpProcess> {
    const program = new HttpProcess(start);
    await program.says(() => program.stdout.includes('Ctrl-C ends it.\n'));
    return program;
  }

  /** The address of its MCP door, on this machine where it has one here. */
  get url(): string {
    const urls = this.stdout.match(/http:\/\/\S+\/mcp\b/g) ?? [];
    const url = urls.find((one) => /\/\/(127\.|\[::1\])/.test(one)) ?? urls[0];
    if (url === undefined) throw new Error(`It has not said where it is: ${this.stderr}`);
    return url;
  }

  /** The address of Bridge v1, as `vaultdoor bridge --url` takes it, where it was told to serve it. */
  get bridgeUrl(): string {
    const [url] = /(?<=\n {2})http:\/\/127\.0\.0\.1:\d+(?=\/bridge\/v1\n)/.exec(this.stdout) ?? [];
    if (url === undefined) throw new Error(`It does not serve Bridge v1: ${this.stdout}`);
    return url;
  }

  /** Its other addresses: `at('/health')`. */
  at(path: string): string {
    return new URL(path, this.url).href;
  }

  /** Waits until this holds of what it has printed. Rejects when the program ends before. */
  says(holds: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds() && !this.#ended) return;
        this.#waiting.delete(look);
        if (holds()) resolve();
        else reject(new Error(`The program ended without saying that: ${this.stderr}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Tells it to leave and waits until it has. */
  stop(
    signal: NodeJS.Signals = 'SIGTERM',
  ): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    this.child.kill(signal);
    return this.exited;
  }

  #wake(): void {
    for (const look of [...this.#waiting]) look();
  }
}
