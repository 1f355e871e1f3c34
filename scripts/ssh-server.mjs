import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { run, startProgram, systemProgram, until } from './outside-programs.mjs';

/**
 * Starts Debian's sshd on the loopback address, with new keys. SSH sessions have this HOME and
 * PATH. The returned `env` has a PATH with an `ssh` that knows two hosts: "vault" is this server,
 * and "stranger" is the same server with a key that it refuses.
 */
export async function startSshServer(folder, { HOME, PATH }) {
  const sshd = await systemProgram('sshd', 'openssh-server');
  const ssh = await systemProgram('ssh', 'openssh-client');
  const programs = join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  for (const name of ['host', 'client', 'stranger']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  }
  const port = await freePort();
  if (process.getuid() === 0) mkdirSync('/run/sshd', { recursive: true });
  const server = join(folder, 'sshd_config');
  writeFileSync(
    server,
    `ListenAddress 127.0.0.1:${port}
HostKey ${join(folder, 'host')}
AuthorizedKeysFile ${join(folder, 'client.pub')}
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
PidFile none
SetEnv HOME=${HOME} PATH=${PATH}
`,
  );
  const client = join(folder, 'ssh_config');
  const host = (name, key) => `Host ${name}
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${join(folder, key)}
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${join(folder, 'known_hosts')}
  StrictHostKeyChecking accept-new
  LogLevel ERROR
`;
  writeFileSync(client, host('vault', 'client') + host('stranger', 'stranger'));
  // ssh reads its configuration from the account's home folder and ignores HOME, hence this
  // wrapper.
  const wrapper = `#!/bin/sh\nexec ${ssh} -F ${client} "$@"\n`;
  writeFileSync(join(programs, 'ssh'), wrapper, { mode: 0o755 });
  const started = startProgram([sshd, '-D', '-e', '-f', server], { PATH: process.env.PATH });
  await until(
    () => started.seen.stderr.includes('listening on'),
    () => started.seen.stderr,
  );
  return { ...started, env: { PATH: `${programs}:${process.env.PATH}` } };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
