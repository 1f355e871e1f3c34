import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareEnv, bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

const file = join(bundle, '..', 'vaultdoor-daemon.js');
// A Node that the single file cannot run on: this one, or a newer one without its SQLite.
const isOld = Number(process.versions.node.split('.')[0]) < 22;
const node = isOld ? [] : ['--no-experimental-sqlite'];
const reason = /^vaultdoor: This daemon needs Node 22\.13 or newer[^\n]* v?\d[^\n]*\.\n$/;

/** A home folder, with the folder of the daemon in it if asked. */
function someHome({ hasFolder = true } = {}): { home: string; own: string; log: string } {
  const home = tempFolder({ 'vault/a.md': '' });
  const own = join(home, '.obsidian-remote');
  if (hasFolder) mkdirSync(own);
  return { home, own, log: join(own, 'server.log') };
}

/** Starts the daemon as the public plugin does; `stderr` is where it writes, if not to us. */
function start(home: string, stderr?: number) {
  const own = join(home, '.obsidian-remote');
  const flags = [`--vault-root=${home}/vault`, `--socket=${own}/server.sock`];
  return spawnSync(process.execPath, [...node, file, ...flags, `--token-file=${own}/token`], {
    env: { ...bareEnv(), HOME: home, USERPROFILE: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr ?? 'pipe'],
  });
}

describe.skipIf(process.platform === 'win32')(
  'the single file on a Node that it cannot run on',
  () => {
    it('says why in one line, there and in its log, and ends with a code of its own', () => {
      const { home, own, log } = someHome();
      const { status, stdout, stderr } = start(home);
      expect({ status, stdout }).toEqual({ status: 6, stdout: '' });
      expect(stderr).toMatch(reason);
      expect(readFileSync(log, 'utf8')).toBe(stderr);
      expect(statSync(log).mode & 0o777).toBe(0o600);
      expect(readdirSync(own)).toEqual(['server.log']);
    });

    it('adds to the log that is there', () => {
      const { home, log } = someHome();
      writeFileSync(log, 'before\n');
      const { stderr } = start(home);
      expect(readFileSync(log, 'utf8')).toBe(`before\n${stderr}`);
    });

    it('says it once where its stderr is the log, as when the plugin starts it', () => {
      const { home, log } = someHome();
      expect(start(home, openSync(log, 'w')).status).toBe(6);
      expect(readFileSync(log, 'utf8')).toMatch(reason);
    });

    it('makes no folder for its log', () => {
      const { home, own } = someHome({ hasFolder: false });
      expect(start(home).stderr).toMatch(reason);
      expect(existsSync(own)).toBe(false);
    });

    it.each<[string, (log: string, home: string) => unknown]>([
      ['a symlink', (log, home) => symlinkSync(join(home, 'vault/a.md'), log)],
      ['a pipe', (log) => execFileSync('mkfifo', [log])],
      ['a folder', (log) => mkdirSync(log)],
    ])('writes nothing to a log that is %s', (_what, make) => {
      const { home, log } = someHome();
      make(log, home);
      expect(start(home)).toMatchObject({ status: 6, stderr: expect.stringMatching(reason) });
      expect(readFileSync(join(home, 'vault/a.md'), 'utf8')).toBe('');
    });
  },
);
