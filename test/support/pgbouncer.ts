import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { installPackage } from './install-package.ts';
import { nobody } from './postgres-server.ts';

const program = '/usr/sbin/pgbouncer';

/**
 * Starts Debian's PgBouncer before a PostgreSQL, in transaction mode: each transaction may come to
 * another of its four connections. Answers the address, and how to end it.
 */
export async function startPgBouncer(url: string): Promise<{ url: string; stop(): void }> {
  installPackage('pgbouncer');
  const { hostname, port, username } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-pgbouncer-'));
  const own = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `postgres = host=${hostname} port=${port} user=${username} dbname=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
  ];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, settings]) chownSync(path, nobody, nobody);
  const as = isRoot ? { uid: nobody, gid: nobody } : {};
  const child = spawn(program, [settings], { ...as, cwd: folder, stdio: 'ignore' });
  for (let tries = 0; !(await listens(own)); tries++) {
    if (tries === 600) throw new Error('PgBouncer has not started');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: `postgres://${username}@127.0.0.1:${own}/postgres`,
    stop() {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (does: boolean) => () => {
      socket.destroy();
      resolve(does);
    };
    socket.once('connect', answer(true));
    socket.once('error', answer(false));
  });
}
