import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Shell } from '../../src/cli/shell/shell.ts';
import { run } from '../../src/cli/start/run.ts';
import { vaultFolders } from '../../src/node/place/vault-folders.ts';
import { bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Every file outside the vault that a command writes, replaces or removes, or whose path a user
// gives: what is there and is not ours stays as it is, whatever it is.

const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n';
const hexDigits = 'ab'.repeat(32);

/** Puts something at a path, in a home that has a vault and a key. */
const kinds: Readonly<Record<string, (path: string, home: string) => void>> = {
  'a file of another program': (path) => writeFileSync(path, key, { mode: 0o600 }),
  'an empty file': (path) => writeFileSync(path, '', { mode: 0o600 }),
  'a note of the vault': (path, home) => symlinkSync(join(home, 'vault/Note.md'), path),
  'a folder': (path) => mkdirSync(path),
  'a symlink to a key': (path, home) => symlinkSync(join(home, 'key'), path),
  'a symlink to nothing': (path, home) => symlinkSync(join(home, 'nothing'), path),
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a token that others may read': (path) => {
    writeFileSync(path, hexDigits);
    chmodSync(path, 0o644);
  },
  ...(canMakeDevices() ? { 'a device': makeNull } : {}),
};

interface Row {
  readonly what: string;
  /** The path, if the user does not choose it. */
  readonly path?: (home: string) => string;
  readonly argv: (path: string) => readonly string[];
  /** The exit codes: for all kinds, and for some kinds that differ. */
  readonly code: number;
  readonly except?: Readonly<Record<string, number>>;
  /** The kinds to try, where that is not all of them. */
  readonly only?: readonly string[];
}

const stateOf = (home: string): string =>
  vaultFolders(join(home, 'vault'), environmentOf(home), process.platform).state;

/** The exit codes for a file that is only read. */
const readCodes = {
  'a file of another program': 2,
  'a symlink to a key': 2,
  'a note of the vault': 2,
  'an empty file': 2,
  'a folder': 2,
  'a symlink to nothing': 3,
  'a token that others may read': 0,
};

const rows: readonly Row[] = [
  {
    what: 'daemon --token-file',
    argv: (path) => ['daemon', '--vault-root=vault', '--socket=s', `--token-file=${path}`],
    code: 1,
  },
  {
    what: 'daemon --socket',
    argv: (path) => ['daemon', '--vault-root=vault', `--socket=${path}`, '--token-file=t'],
    code: 1,
  },
  {
    what: 'serve --bridge-token-file',
    argv: (path) => [...served, '--bridge-port=0', `--bridge-token-file=${path}`],
    code: 5,
    except: readCodes,
  },
  {
    what: 'bridge --key-file',
    argv: (path) => ['bridge', '--url=http://127.0.0.1:1', `--key-file=${path}`],
    code: 5,
    except: readCodes,
  },
  {
    what: 'remote --token-file',
    argv: (path) => ['remote', '--socket=s', `--token-file=${path}`, 'info'],
    code: 130, // It was read, and then told to end.
    except: { 'a folder': 2, 'a symlink to nothing': 6, 'a pipe': 5, 'a device': 5 },
  },
  {
    what: "install, the client's file",
    path: (home) => join(home, '.cursor/mcp.json'),
    argv: () => ['install', 'cursor', '--vault=vault', '--write'],
    code: 2,
    except: { 'a symlink to nothing': 5, 'a pipe': 5, 'a device': 5 },
    // An empty file is one that it may fill.
    only: Object.keys(kinds).filter((kind) => kind !== 'an empty file'),
  },
  {
    what: 'the socket of a served vault',
    path: (home) => join(stateOf(home), 'mcp.sock'),
    argv: () => served,
    code: 0, // The server works without it, and logs that it is not shared.
    // It listens as the daemon does, and each start of a server takes a while.
    only: ['a file of another program', 'a symlink to a key', 'a pipe'],
  },
  {
    what: 'token create, the file with the hashes',
    path: (home) => join(stateOf(home), 'tokens.json'),
    argv: () => ['token', 'create', 'laptop', '--vault=vault'],
    code: 7,
    except: { 'a folder': 2, 'a symlink to nothing': 4, 'a pipe': 5, 'a device': 5 },
  },
];

const served = ['serve', '--vault=vault', '--port=0', '--log-level=warn'];

describe.skipIf(process.platform === 'win32')('what is not ours stays as it is', () => {
  for (const { what, path, argv, code, except = {}, only = Object.keys(kinds) } of rows) {
    it.each(only)(`${what}: %s`, async (kind) => {
      const home = someHome();
      const isNote = kind === 'a note of the vault' && path === undefined;
      const place = path?.(home) ?? join(home, isNote ? 'vault/Note.md' : 'here');
      mkdirSync(dirname(place), { recursive: true });
      if (!isNote) kinds[kind]?.(place, home);
      const before = seen(home, place);
      const answer = await runIn(home, argv(place));
      const { text } = answer;
      const expected = { text, code: except[kind] ?? code, seen: before };
      expect({ ...answer, seen: seen(home, place) }).toEqual(expected);
      if (expected.code !== 0) expect(text).toMatch(/^vaultdoor: [^\n]*\.\n$/m);
    });
  }

  it.each(Object.keys(kinds))('install, a backup that is %s', async (kind) => {
    const home = someHome();
    const config = join(home, '.cursor/mcp.json');
    const old = '{"mcpServers": {}}';
    mkdirSync(dirname(config));
    writeFileSync(config, old);
    kinds[kind]?.(`${config}.vaultdoor-backup`, home);
    const before = seen(home, `${config}.vaultdoor-backup`);
    const { code } = await runIn(home, ['install', 'cursor', '--vault=vault', '--write']);
    expect(code).toBe(0);
    expect(seen(home, `${config}.vaultdoor-backup`)).toEqual(before);
    expect(readFileSync(`${config}.vaultdoor-backup-2`, 'utf8')).toBe(old);
    expect(readFileSync(config, 'utf8')).toContain('vaultdoor');
  });

  it('install, a backup that is a symlink to the file itself', async () => {
    const home = someHome();
    const config = join(home, '.cursor/mcp.json');
    mkdirSync(dirname(config));
    writeFileSync(config, '{}');
    symlinkSync(config, `${config}.vaultdoor-backup`);
    await runIn(home, ['install', 'cursor', '--vault=vault', '--write']);
    expect(readFileSync(`${config}.vaultdoor-backup-2`, 'utf8')).toBe('{}');
  });

  it('daemon: one path for both the socket and the token', async () => {
    const home = someHome();
    const answer = await runIn(home, [
      'daemon',
      '--vault-root=vault',
      '--socket=x',
      '--token-file=x',
    ]);
    expect(answer).toMatchObject({ code: 1, text: expect.stringContaining('not the token') });
    expect(readdirSync(home)).not.toContain('x');
  });

  it('daemon: a token that a killed daemon has left is replaced, and removed at the end', async () => {
    const home = someHome();
    writeFileSync(join(home, 't'), `${hexDigits}\n`, { mode: 0o600 });
    const argv = ['daemon', '--vault-root=vault', '--socket=s', '--token-file=t'];
    expect(await runIn(home, argv)).toMatchObject({ code: 0 });
    expect(readdirSync(home)).not.toContain('t');
  });
});

function someHome(): string {
  const home = tempFolder({ 'vault/Note.md': 'A note.\n', 'vault/.obsidian/app.json': '{}' });
  writeFileSync(join(home, 'key'), key, { mode: 0o600 });
  return home;
}

function environmentOf(home: string): Shell['env'] {
  return { HOME: home, USERPROFILE: home, NO_COLOR: '1' };
}

/** Runs a command that is told to end as soon as it has started. */
async function runIn(
  home: string,
  argv: readonly string[],
): Promise<{ readonly code: number; readonly text: string }> {
  const out = new PassThrough();
  const stdin = new PassThrough();
  stdin.end();
  const code = await run({
    argv,
    env: environmentOf(home),
    currentFolder: home,
    stdin: stdin as unknown as Shell['stdin'],
    stdout: out as unknown as Shell['stdout'],
    stderr: out as unknown as Shell['stderr'],
    version: '1.2.3',
    entryFile: bundle,
    signal: AbortSignal.abort(),
  });
  return { code, text: String(out.read() ?? '') };
}

/** What is at a path, where it leads, and the note and the key that a symlink may lead to. */
function seen(home: string, path: string): readonly unknown[] {
  return [path, join(home, 'vault/Note.md'), join(home, 'key'), join(home, 'nothing')].map(
    (each) => {
      const found = lstatSync(each, { throwIfNoEntry: false });
      if (found === undefined) return [each];
      const { ino, mode, size, mtimeMs } = found;
      const leads = found.isSymbolicLink() ? readlinkSync(each) : undefined;
      const text = found.isFile() ? readFileSync(each, 'utf8') : undefined;
      return [each, { ino, mode, size, mtimeMs, leads, text }];
    },
  );
}

/** A device of our own: a test that fails must not replace that of the machine. */
function makeNull(path: string): void {
  execFileSync('mknod', [path, 'c', '1', '3'], { stdio: 'pipe' });
}

/** Only root can make devices, and not in every container. */
function canMakeDevices(): boolean {
  try {
    makeNull(
      join(
        tempFolder({}, (end) => process.once('exit', end)),
        'null',
      ),
    );
    return true;
  } catch {
    return false;
  }
}
