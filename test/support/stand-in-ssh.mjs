#!/usr/bin/env node
// A stand-in for `ssh` whose other machine is this one: runs the command in a shell, or forwards a
// socket to another.
//
// STAND_IN_SSH  "works" unless given; "refuses" as with a key that is not let in; "no-forward" as
//               where the server does not allow it; "greets" prints text before the command does
// STAND_IN_LOG  a file that gets one line of JSON for every start: the arguments

import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const args = process.argv.slice(2);
const log = process.env.STAND_IN_LOG;
const how = process.env.STAND_IN_SSH ?? 'works';
if (log) appendFileSync(log, `${JSON.stringify(args)}\n`);

const forwarded = args[args.indexOf('-L') + 1];
if (how === 'refuses') {
  process.stderr.write('Welcome, stranger.\nme@host: Permission denied (publickey).\n');
  process.exitCode = 255;
} else if (!args.includes('-L')) {
  if (how === 'greets') process.stdout.write('<hello>\n<and welcome>\n');
  const env = { ...process.env, PATH: '/usr/bin:/bin' };
  const { status } = spawnSync('/bin/sh', ['-c', args.at(-1)], { stdio: 'inherit', env });
  process.exitCode = status;
} else if (how === 'no-forward') {
  process.stderr.write('Could not request local forwarding.\n');
  process.exitCode = 255;
} else {
  const [here, there] = forwarded.split(':');
  const server = createServer((socket) => {
    const other = connect(there);
    for (const end of [socket, other]) end.on('error', () => undefined);
    socket.pipe(other).pipe(socket);
    other.on('close', () => socket.destroy());
  });
  server.listen(here);
}
