import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from './postgres-server.ts';

/** One folder of GlusterFS, seen through two mounts, as two machines would see it. */
export interface TwoMounts {
  readonly first: string;
  readonly next: string;
  stop(): void;
}

/**
 * Starts GlusterFS with one brick on this machine, and mounts it twice. Each mount remembers names, stats
 * and small files for a second, which is what GlusterFS does by default. Debian's package is installed if it is
 * missing. Answers why not, where that is not possible: it needs root and /dev/fuse.
 */
export async function mountTwice(): Promise<TwoMounts | string> {
  if (process.getuid?.() !== 0) return 'only root can mount';
  if (!existsSync('/dev/fuse')) return 'there is no /dev/fuse';
  try {
    install();
  } catch {
    return 'Debian\'s package "glusterfs-server" cannot be installed';
  }
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-gluster-'));
  const port = await freePort();
  const at = (name: string): string => join(folder, name);
  for (const name of ['brick', 'first', 'next']) mkdirSync(at(name));
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
  writeFileSync(
    at('client.vol'),
    volumes([
      ['client', 'protocol/client', [...client, 'remote-subvolume brick']],
      ...['write-behind', 'open-behind', 'quick-read', 'md-cache'].map(
        (name): Volume => [name, `performance/${name}`, []],
      ),
    ]),
  );
  const start = (program: string, volume: string, name: string, mount: readonly string[] = []) =>
    execFileSync(
      program,
      ['-f', at(volume), '-p', at(`${name}.pid`), '-l', at(`${name}.log`), ...mount],
      { stdio: 'ignore', timeout: 20_000 },
    );
  const stop = (): void => {
    for (const name of ['first', 'next']) {
      execFileSync('umount', ['-l', at(name)], { stdio: 'ignore' });
    }
    for (const name of ['first', 'next', 'server']) end(at(`${name}.pid`));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  start('glusterfsd', 'server.vol', 'server');
  for (const name of ['first', 'next']) start('glusterfs', 'client.vol', name, [at(name)]);
  for (let tries = 0; tries < 100; tries++) {
    if (isMounted(at('first')) && isMounted(at('next'))) {
      return { first: at('first'), next: at('next'), stop };
    }
    await setTimeout(100);
  }
  return 'GlusterFS cannot be mounted here';
}

function install(): void {
  if (existsSync('/usr/sbin/glusterfsd')) return;
  const apt = ['install', '-y', '--no-install-recommends', 'glusterfs-server'];
  execFileSync('apt-get', apt, { stdio: 'ignore', timeout: 300_000 });
}

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
