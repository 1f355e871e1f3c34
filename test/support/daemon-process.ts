import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { RemoteWire } from './remote-wire.ts';
import { bareEnv, bundle } from './run-cli.ts';
import { tempFolder } from './temp-folder.ts';

/** How a daemon is started: in its home folder, where the vault is `vault` unless flags say else. */
export interface DaemonStart {
  readonly home: string;
  readonly args?: readonly string[];
}

/** A home folder with a vault in it. */
export function daemonHome(files: Readonly<Record<string, string>> = { 'a.md': 'a' }): string {
  const paths = Object.entries(files).map(([path, text]) => [`vault/${path}`, text]);
  return tempFolder(Object.fromEntries(paths));
}

/** The built program as `vaultdoor daemon`. */
export class DaemonProcess {
  /** The default paths, wherever its flags have it listen. */
  readonly socket: string;
  readonly tokenFile: string;
  readonly child: ChildProcess;
  /** Its exit code; null where a signal ended it. */
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';
  #isEnded = false;

  constructor({ home, args = ['--vault-root=vault'] }: DaemonStart) {
    this.socket = join(home, '.obsidian-remote', 'server.sock');
    this.tokenFile = join(home, '.obsidian-remote', 'token');
    const child = spawn(process.execPath, [bundle, 'daemon', ...args], {
      cwd: home,
      env: { ...bareEnv(), HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    onTestFinished(() => {
      child.kill('SIGKILL'); // Only where the test has failed before its end.
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.exited = new Promise((resolve) => {
      child.on('close', (code) => {
        this.#isEnded = true;
        resolve(code);
      });
    });
  }

  /** Starts one and waits until it has said where everything is. */
  static async start(start: DaemonStart): Promise<DaemonProcess> {
    const daemon = new DaemonProcess(start);
    await daemon.until(() => /^token: .*\n/m.test(daemon.stderr));
    return daemon;
  }

  /** What it has published; empty before that. */
  get token(): string {
    return existsSync(this.tokenFile) ? readFileSync(this.tokenFile, 'utf8') : '';
  }

  /** Waits until this holds. Rejects when the program ends before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#isEnded) throw new Error(`The daemon has ended: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Someone who has come in with its token. */
  async enter(): Promise<RemoteWire> {
    const wire = await RemoteWire.connect(this.socket);
    await wire.result('auth', { token: this.token });
    return wire;
  }

  /** Tells it to leave and waits until it has; answers its exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }
}
