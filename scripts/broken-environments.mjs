// Makes environments in which something is really broken, for tests of commands that a new user
// runs: nothing is faked inside the program. Every function returns an environment:
//
// - `home`: the home folder, `vault`: a vault in it (a copy of examples/vault), `env`: the whole
//   environment of a program that runs there, `port`: a port that nobody listens on.
// - `words(...args)`: the command line of the built program with these arguments. What an
//   environment needs in front of it (another user, a namespace) is in it already.
// - `end()`: undoes what would outlive the folder, such as a mount. The folder itself is removed
//   when this process ends.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import process from 'node:process';
import {
  exampleVault,
  repository,
  run,
  startProgram,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

/** The user "nobody": rights of files mean nothing to root. */
const otherUser = 65_534;
const isRoot = process.getuid() === 0;

/** A home in which everything is in order: a vault that Obsidian knows, and no client yet. */
export async function soundHome(name = 'sound') {
  const { home, env } = temporaryHome(name);
  const vault = exampleVault(join(home, 'Notes'));
  const obsidian = join(home, '.config', 'obsidian');
  mkdirSync(obsidian, { recursive: true });
  const list = { vaults: { '0123456789abcdef': { path: vault, ts: 1_700_000_000_000 } } };
  writeFileSync(join(obsidian, 'obsidian.json'), JSON.stringify(list));
  const script = join(repository, 'dist', 'vaultdoor.js');
  return {
    home,
    vault,
    env: { PATH: env.PATH, HOME: home },
    port: await freePort(),
    words: (...args) => [process.execPath, script, ...args],
    end: async () => undefined,
  };
}

/** A sound home of a user who is not root, so that the rights of files count. */
export async function otherUsersHome(name = 'other-user') {
  const sound = await soundHome(name);
  const script = copyProgram(join(sound.home, 'program'));
  chmodSync(sound.home, 0o755);
  if (isRoot) await ownedByOther(sound.home);
  return { ...sound, words: (...args) => [...asOtherUser(), process.execPath, script, ...args] };
}

/** The home folder may be read and not written, by a user who is not root. */
export async function readOnlyHome() {
  const theirs = await otherUsersHome('read-only');
  const folders = [theirs.home, join(theirs.home, '.config')];
  for (const folder of folders) chmodSync(folder, 0o555);
  // Without the right to write, nobody but root could remove the folder.
  const end = async () => {
    for (const folder of folders) chmodSync(folder, 0o755);
  };
  return { ...theirs, end };
}

/** There is no ripgrep: its optional package is not installed, and PATH has no `rg`. */
export async function noRipgrep() {
  const sound = await soundHome('no-ripgrep');
  const script = copyProgram(join(sound.home, 'program'), { without: '@vscode' });
  const programs = join(sound.home, 'programs');
  mkdirSync(programs);
  for (const name of ['sh', 'env', 'uname']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  symlinkSync(process.execPath, join(programs, 'node'));
  return {
    ...sound,
    env: { ...sound.env, PATH: programs },
    words: (...args) => [process.execPath, script, ...args],
  };
}

/** The package with SQLite is not installed, as after an installation that went wrong. */
export async function noSqlite() {
  const sound = await soundHome('no-sqlite');
  const script = copyProgram(join(sound.home, 'program'), { without: '@photostructure' });
  return { ...sound, words: (...args) => [process.execPath, script, ...args] };
}

/** The disk on which Vaultdoor keeps its history has eight megabytes. */
export async function smallDisk() {
  const sound = await soundHome('small-disk');
  const state = join(sound.home, '.local');
  mkdirSync(state);
  const lines = ['mount -t tmpfs -o size=8m tmpfs "$1"', 'shift', 'exec "$@"'];
  const apart = ['unshare', '--user', '--map-root-user', '--mount'];
  const before = [...apart, 'sh', '-ec', lines.join('\n'), 'sh', state];
  return { ...sound, words: (...args) => [...before, ...sound.words(...args)] };
}

/**
 * The system lets the user watch no more folders (`watches`), or open no more watchers
 * (`instances`). The limit is that of a user namespace, so that nobody else on the machine has it.
 */
export async function watchLimitReached({ watches = 0, instances } = {}) {
  const sound = await soundHome('watch-limit');
  const lines = [
    `echo ${watches} > /proc/sys/user/max_inotify_watches`,
    ...(instances === undefined
      ? []
      : [`echo ${instances} > /proc/sys/user/max_inotify_instances`]),
    'exec "$@"',
  ];
  const before = ['unshare', '--user', '--map-root-user', 'sh', '-ec', lines.join('\n'), 'sh'];
  return { ...sound, words: (...args) => [...before, ...sound.words(...args)] };
}

/** The clock of the program is ahead by so many milliseconds, or behind if it is negative. */
export async function wrongClock(aheadMs) {
  const sound = await soundHome('clock');
  const file = join(sound.home, 'clock');
  writeFileSync(file, String(aheadMs));
  const clock = new URL('./sign-in/clock.mjs', import.meta.url).href;
  return { ...sound, env: { ...sound.env, NODE_OPTIONS: `--import=${clock}`, CLOCK_FILE: file } };
}

/** Another program listens at `port`, and answers every request with a page of its own. */
export async function portTaken(port) {
  const sound = await soundHome('port');
  const other = createServer((_, response) => response.end('<h1>Another program</h1>'));
  await new Promise((resolve, reject) => {
    other.once('error', reject).listen(port ?? sound.port, '127.0.0.1', resolve);
  });
  other.unref(); // It does not keep this process alive.
  const end = () =>
    new Promise((resolve) => {
      other.closeAllConnections();
      other.close(resolve);
    });
  return { ...sound, port: other.address().port, end };
}

/**
 * The vault is on a FUSE mount, which the program `drive` makes of the folder `below`. With
 * `ignoresCase` it does not tell `a.md` from `A.md`. Ask `canMount` first.
 */
export async function vaultOnFuse({ ignoresCase = false } = {}) {
  const sound = await soundHome('fuse');
  const rclone = await systemProgram('rclone');
  await systemProgram('fusermount3', 'fuse3');
  const below = exampleVault(join(sound.home, 'below'));
  const vault = join(sound.home, 'Notes on a drive');
  mkdirSync(vault);
  const options = ['--vfs-cache-mode', 'full', '--config', join(sound.home, 'rclone.conf')];
  if (ignoresCase) options.push('--vfs-case-insensitive');
  const drive = startProgram([rclone, 'mount', below, vault, ...options], sound.env);
  const unmount = () => spawnSync('fusermount3', ['-uzq', vault]);
  // Before the temporary folder around the mount is removed.
  process.prependListener('exit', unmount);
  await until(
    () => readFileSync('/proc/self/mounts', 'utf8').includes(vault.replaceAll(' ', '\\040')),
    () => drive.seen.stderr,
  );
  const end = async () => {
    unmount();
    await drive.ended;
    process.removeListener('exit', unmount);
  };
  return { ...sound, vault, below, drive, end };
}

/** Claude Desktop's file of MCP servers, `file`, was written only to its half. */
export async function halfWrittenClientFile() {
  const sound = await soundHome('half-written');
  const file = join(sound.home, '.config', 'Claude', 'claude_desktop_config.json');
  const other = { command: 'other-server', args: ['--key', 'a-secret-of-another-server'] };
  const whole = JSON.stringify({ mcpServers: { other } }, undefined, 2);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, whole.slice(0, Math.floor(whole.length * 0.7)));
  return { ...sound, file };
}

/**
 * Copies the built program with the packages that it loads, so that another user may read it, and
 * one of the packages may be left out. Returns its script.
 */
function copyProgram(folder, { without } = {}) {
  const modules = join(folder, 'node_modules');
  for (const name of ['@photostructure', 'node-gyp-build', 'node-addon-api', '@vscode']) {
    if (name === without) continue;
    cpSync(join(repository, 'node_modules', name), join(modules, name), {
      recursive: true,
      filter: (path) => !/prebuilds[\\/](?!linux-x64)[^\\/]+/.test(path),
    });
  }
  cpSync(join(repository, 'package.json'), join(folder, 'package.json'));
  cpSync(join(repository, 'dist'), join(folder, 'dist'), { recursive: true });
  return join(folder, 'dist', 'vaultdoor.js');
}

/** The words in front of a command that run it as a user without special rights. */
function asOtherUser() {
  if (!isRoot) return [];
  const id = String(otherUser);
  return ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--'];
}

async function ownedByOther(folder) {
  const answer = await run('chown', ['-R', `${otherUser}:${otherUser}`, folder]);
  if (answer.code !== 0) throw new Error(`chown failed:\n${answer.stderr}`);
}

/** A port that nobody listens on. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
