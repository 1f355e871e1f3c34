import { createHash, randomBytes } from 'node:crypto';
import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Address, type Ask, addressOf } from './knock.ts';

/** What stands in every name or text outside of the folder "Work". */
export const treasure = /quagga|Secret/i;
/** What is written, or asked for, by those who may not. */
export const argument = 'okapi';

/** The vault, in a folder with notes beside it, which nobody may see at all. */
const files: Readonly<Record<string, string>> = {
  'beside.md': 'the quagga beside the vault\n',
  'vault/Work/Open.md':
    '---\ntags: [open]\n---\n# Open\n\nleads to [[zq]] and [[Plain]]\n\n- [ ] a task\n',
  'vault/Work/Plain.md': '# Plain\n\nnothing much, but #open\n',
  'vault/Work/Templates/Meeting.md': '# {{title}}\n',
  'vault/Top quagga.md': 'to [[Open]] #quagga\n',
  'vault/Secret/zq.md':
    '---\ntags: [claude, zebra-quagga]\naliases: [zebra the quagga]\nstatus: quagga\nquagga: 1\ndescription: Read of the quagga.\n---\n# Quagga heading\n\nquagga, striped, to [[Open]]\n\n- [ ] a quagga task\n',
  'vault/Secret/Quagga/Zebra.md': 'the quagga to [[zq]]\n',
  'vault/Secret/Quagga/Templates/zt.md': 'the quagga\n',
  'vault/Workshop/Quagga.md': 'to [[Open]]\n',
  'vault/devlog/zebra.md': 'the quagga\n',
  'vault/adr/ADR-007-quagga.md': '# ADR-007: Quagga\n',
  'vault/_index.md': '# Index of the quagga\n',
  'vault/.trash/zq.md': 'the quagga that was\n',
  'vault/.obsidian/app.json': '{"quagga":true,"trashOption":"local"}',
  'vault/.obsidian/templates.json': '{"folder":"Secret/Quagga/Templates"}',
  'vault/.obsidian/daily-notes.json': '{"folder":"Secret/Quagga"}',
  'vault/.obsidian/bookmarks.json':
    '{"items":[{"type":"file","path":"Secret/zq.md","title":"The quagga"}]}',
};

/** A vault worth breaking into, with what servers on it share. */
export class GuardedVault {
  readonly folder: string;
  readonly #outer: string;
  readonly #onFinished: (end: () => void) => void;
  readonly #env: Readonly<Record<string, string>>;
  readonly #servers: HttpProcess[] = [];
  readonly #tokens: string[] = [];
  #before = '';

  constructor(onFinished: (end: () => void) => void) {
    this.#onFinished = onFinished;
    this.#outer = tempFolder(files, onFinished);
    this.folder = join(this.#outer, 'vault');
    symlinkSync('../../beside.md', join(this.folder, 'Work/way-out.md'));
    symlinkSync('../..', join(this.folder, 'Work/out'));
    const home = tempFolder({}, onFinished);
    this.#env = { XDG_STATE_HOME: home, XDG_CACHE_HOME: home };
    this.#before = this.#look();
  }

  /** Serves it until the tests are over. The log tells all it can. */
  async serve(args: readonly string[], env: Record<string, string> = {}): Promise<HttpProcess> {
    const server = await HttpProcess.start({
      folder: this.folder,
      args: ['--log-level', 'debug', ...args],
      env: { ...this.#env, ...env },
      onFinished: this.#onFinished,
    });
    this.#servers.push(server);
    return server;
  }

  /** Runs the program on it. */
  run(...args: readonly string[]): ReturnType<typeof runCli> {
    return runCli(args, { ...this.#env, VAULT_PATH: this.folder });
  }

  /** Makes a token; it may never stand in a log. */
  async token(name: string, ...options: readonly string[]): Promise<string> {
    const { stdout } = await this.run('token', 'create', name, ...options, '--json');
    const { token } = JSON.parse(stdout) as { readonly token: string };
    this.#tokens.push(token);
    return token;
  }

  /** Keeps a token that no command would make. The vault has others already. */
  forgeToken(name: string, kept: object): string {
    const token = `vd_${randomBytes(32).toString('base64url')}`;
    const sha256 = createHash('sha256').update(token).digest('hex');
    const standard = { effects: ['read', 'write', 'destroy'], folders: [''], createdMs: 1 };
    this.#editTokens((all) => [...all, { id: name, name, ...standard, ...kept, sha256 }]);
    this.#tokens.push(token);
    return token;
  }

  /** Changes what is kept of a token. */
  editToken(name: string, change: object): void {
    this.#editTokens((all) =>
      all.map((kept) => (kept.name === name ? { ...kept, ...change } : kept)),
    );
  }

  /** Takes the vault as it is now for what it must be afterwards. */
  remember(): void {
    this.#before = this.#look();
  }

  /** Fails unless every byte in and around the vault is as it was, and the logs have told nothing. */
  expectUntouched(): void {
    const before = this.#before;
    this.#before = this.#look(); // Whoever comes next is not blamed for it.
    expect(this.#before).toBe(before);
    const log = this.#log();
    expect(log).not.toMatch(treasure);
    expect(log).not.toMatch(/Work\/|beside|okapi|vd_/);
    for (const token of this.#tokens) expect(log).not.toContain(token);
  }

  /** Ends its servers, whose last words count as well. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    this.expectUntouched();
    expect(this.#log(), 'there was a log to look at').toMatch(/^\S+ info start /);
  }

  #log(): string {
    return this.#servers.map(({ stderr }) => stderr).join('');
  }

  #editTokens(edit: (all: readonly { readonly name: string }[]) => readonly object[]): void {
    const home = this.#env['XDG_STATE_HOME'] ?? '';
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const path = join(home, files.find((file) => file.endsWith('tokens.json')) ?? '');
    const { tokens } = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ tokens: edit(tokens) }));
  }

  #look(): string {
    return readdirSync(this.#outer, { recursive: true, withFileTypes: true })
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { mode, mtimeMs } = lstatSync(path);
        if (entry.isDirectory()) return JSON.stringify([path, mode]);
        const text = entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'latin1');
        return JSON.stringify([path, mode, mtimeMs, text]);
      })
      .sort()
      .join('\n');
  }
}

/** Where a server is. */
export function placeOf(server: HttpProcess): Address {
  return addressOf(server.url);
}

/** Fails unless an answer begins like this, and has this part. */
export function expectAnswer(line: string, beginning: string, part = ''): void {
  expect(line.startsWith(beginning) ? beginning : line).toBe(beginning);
  expect(line).toContain(part);
}

/** What an answer tells of the vault outside of "Work" that was not in the question. */
export function toldBeyond({ params }: Ask, line: string): string | undefined {
  let rest = line;
  for (const [, asked = ''] of JSON.stringify(params ?? {}).matchAll(
    /"(?:vault:\/\/\/)?([^"]+)"/g,
  )) {
    rest = rest.replaceAll(asked, '');
  }
  return treasure.exec(rest)?.[0];
}
