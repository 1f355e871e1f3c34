import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { installPackage } from './install-package.ts';

/** A PostgreSQL of its own, in a temporary folder, on a free port of this machine. */
export interface PostgresServer {
  readonly url: string;
  /** Ends it as a crash would, and starts it again on the same files. */
  restart(): Promise<void>;
  /** Ends it as a crash would; what it answers starts it again. */
  pause(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

/** The user `nobody`: PostgreSQL does not run as root. */
export const nobody = 65_534;

/**
 * Starts Debian's PostgreSQL. As root it runs as nobody; Debian's package is installed if it is
 * missing. Without `flushes` it does not flush the disk: a killed PostgreSQL loses nothing by that.
 */
export async function startPostgres(
  how: { readonly flushes?: boolean } = {},
): Promise<PostgresServer> {
  const programs = installed();
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-postgres-'));
  const as = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  if ('uid' in as) chownSync(folder, nobody, nobody);
  const data = join(folder, 'data');
  const run = { ...as, cwd: folder, stdio: 'ignore' } as const;
  const making = [
    '-D',
    data,
    '-U',
    'vaultdoor',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ];
  execFileSync(join(programs, 'initdb'), [...making, '--no-sync'], run);
  const port = await freePort();
  const options = [
    '-p',
    `${port}`,
    '-h',
    '127.0.0.1',
    '-k',
    folder,
    '-c',
    'max_connections=60',
    '-c',
    `fsync=${how.flushes === true ? 'on' : 'off'}`,
  ];
  const start = async () => {
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...options], run);
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await answers(programs, port, run);
    return { child, ended };
  };
  let running = await start();
  return {
    url: `postgres://vaultdoor@127.0.0.1:${port}/postgres`,
    async restart() {
      running.child.kill('SIGQUIT'); // Without a checkpoint: it has to recover when it starts.
      await running.ended;
      running = await start();
    },
    async pause() {
      running.child.kill('SIGQUIT');
      await running.ended;
      return async () => {
        running = await start();
      };
    },
    async stop() {
      running.child.kill('SIGQUIT');
      await running.ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The folder of PostgreSQL's programs, the newest one. */
function installed(): string {
  installPackage('postgresql');
  const root = '/usr/lib/postgresql';
  const versions = readdirSync(root).map(Number);
  return join(root, `${Math.max(...versions)}`, 'bin');
}

async function answers(programs: string, port: number, run: object): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      execFileSync(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', `${port}`], run);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error('PostgreSQL has not started');
}
