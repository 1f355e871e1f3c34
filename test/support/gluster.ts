import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { installPackage } from './install-package.ts';

/** One folder of GlusterFS, seen through several mounts, as several machines would see it. */
export interface TwoMounts {
  readonly first: string;
  readonly next: string;
}

interface Mounts extends TwoMounts {
  /** Another mount, which remembers what it has seen for a minute. */
  readonly remembering: string;
  /** Two with the caches that GlusterFS has by default: names that are gone are still shown. */
  readonly usual: TwoMounts;
  stop(): void;
}

/**
 * Starts GlusterFS with one brick on this machine, and mounts it. The first two mounts remember names,
 * stats and small files for a second, as with `performance.stat-prefetch off` and `fopen-keep-cache=off`. Debian's package is
 * installed if it is missing. Answers why not, where no package could make it possible: it needs root
 * and /dev/fuse. Fails where these are there and it cannot be installed or mounted.
 */
export async function mountGluster(): Promise<Mounts | string> {
  if (process.getuid?.() !== 0) return 'only root can mount';
  if (!existsSync('/dev/fuse')) return 'there is no /dev/fuse';
  installPackage('glusterfs-server');
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-gluster-'));
  const port = await freePort();
  const at = (name: string): string => join(folder, name);
  for (const name of ['brick', ...names]) mkdirSync(at(name));
  writeFileSync(
    at('server.vol'),
    volumes([
      ['posix', 'storage/posix', [`directory ${at('brick')}`]],
      ['locks', 'features/locks', []],
      ['brick', 'performance/io-threads', []],
      [
        'server',
        'protocol/server',
        [
          'transport-type tcp',
          'transport.socket.bind-address 127.0.0.1',
          `transport.socket.listen-port ${port}`,
          'auth.addr.brick.allow 127.0.0.1',
        ],
      ],
    ]),
  );
  const client = ['transport-type tcp', 'remote-host 127.0.0.1', `remote-port ${port}`];
  const caches = ['write-behind', 'open-behind', 'quick-read'];
  const clients = { 'client.vol': caches, 'usual.vol': [...caches, 'md-cache'] };
  for (const [name, has] of Object.entries(clients)) {
    writeFileSync(
      at(name),
      volumes([
        ['client', 'protocol/client', [...client, 'remote-subvolume brick']],
        ...has.map((cache): Volume => [cache, `performance/${cache}`, []]),
      ]),
    );
  }
  const start = (program: string, volume: string, name: string, mount: readonly string[] = []) =>
    execFileSync(
      program,
      ['-f', at(volume), '-p', at(`${name}.pid`), '-l', at(`${name}.log`), ...mount],
      { stdio: 'ignore', timeout: 60_000 },
    );
  const stop = (): void => {
    for (const name of names) {
      execFileSync('umount', ['-l', at(name)], { stdio: 'ignore' });
    }
    for (const name of [...names, 'server']) end(at(`${name}.pid`));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  start('glusterfsd', 'server.vol', 'server');
  for (const name of names) {
    const seconds = name === 'remembering' ? 60 : 1;
    const times = ['attribute', 'entry'].map((what) => `--${what}-timeout=${seconds}`);
    const isUsual = name.startsWith('usual');
    const volume = isUsual ? 'usual.vol' : 'client.vol';
    const keeps = isUsual ? [] : ['--fopen-keep-cache=off'];
    start('glusterfs', volume, name, [...times, ...keeps, at(name)]);
  }
  for (let tries = 0; tries < 600; tries++) {
    if (names.every((name) => isMounted(at(name)))) {
      const usual = { first: at('usual'), next: at('usual2') };
      const [first, next, remembering] = [at('first'), at('next'), at('remembering')];
      return { first, next, remembering, usual, stop };
    }
    await setTimeout(100);
  }
  stop();
  throw new Error('GlusterFS cannot be mounted here');
}

const names = ['first', 'next', 'remembering', 'usual', 'usual2'] as const;

type Volume = readonly [name: string, type: string, options: readonly string[]];

/** A volume file: each volume stands on the one before it. */
function volumes(list: readonly Volume[]): string {
  return list
    .map(([name, type, options], at) =>
      [
        `volume ${name}`,
        `type ${type}`,
        ...options.map((option) => `option ${option}`),
        ...(at === 0 ? [] : [`subvolumes ${list[at - 1]?.[0]}`]),
        'end-volume',
      ].join('\n'),
    )
    .join('\n');
}

function isMounted(folder: string): boolean {
  return readFileSync('/proc/self/mountinfo').toString().includes(` ${folder} `);
}

function end(pidFile: string): void {
  try {
    process.kill(Number(readFileSync(pidFile).toString()), 'SIGKILL');
  } catch {
    // It has ended with its mount.
  }
}
