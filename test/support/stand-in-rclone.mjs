#!/usr/bin/env node
// A stand-in for `rclone`: notes what it was given, copies the files of a folder, and speaks as
// rclone does with --use-json-log.
//
// STAND_IN_RCLONE  "copies" unless given; "fails" copies and then says that a file failed; "hangs"
//                  runs on with a child of its own; "refuses" does not know an option; "loses-all"
//                  copies nothing, fails with a name of the vault's folder in its words
// STAND_IN_LOG     a file that gets one line of JSON for every start: arguments and environment

import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
const log = process.env.STAND_IN_LOG;
const names = Object.keys(process.env).filter((name) => /VAULTDOOR|RCLONE/.test(name));
if (log) appendFileSync(log, `${JSON.stringify({ args, env: names })}\n`);

const [from, to] = args.slice(args.indexOf('--') + 1);
const say = (entry) => process.stderr.write(`${JSON.stringify({ time: 'now', ...entry })}\n`);
const stats = (transfers, bytes) => {
  const counts = { transfers, totalTransfers: 2, bytes, totalBytes: 8, deletes: 1 };
  say({ level: 'info', msg: '\nTransferred …', stats: counts });
};

switch (process.env.STAND_IN_RCLONE ?? 'copies') {
  case 'refuses':
    process.stderr.write('Error: unknown flag: --compare-dest\nUsage:\n  rclone copy …\n');
    process.exitCode = 1;
    break;
  case 'hangs': {
    stats(0, 1);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    if (log) appendFileSync(log, `${JSON.stringify({ pids: [process.pid, child.pid] })}\n`);
    break;
  }
  case 'loses-all':
    say({ level: 'error', msg: `directory ${from} not found`, object: 'a.md' });
    say({ level: 'error', msg: `directory ${from} not found`, object: 'a.md' });
    say({ level: 'critical', msg: `Failed: ${'x'.repeat(5_000)}\n${to}` });
    process.exitCode = 3;
    break;
  default:
    stats(1, 4);
    if (args[0] === 'copy') cpSync(from, to, { recursive: true, preserveTimestamps: true });
    else {
      const work = args[args.indexOf('--workdir') + 1];
      for (const end of ['path1', 'path2']) writeFileSync(join(work, `x.${end}.lst`), '');
    }
    stats(2, 8);
    if (process.env.STAND_IN_RCLONE !== 'fails') break;
    say({ level: 'error', msg: 'Failed to copy: no permission', object: 'secret.md' });
    process.exitCode = 1;
}
