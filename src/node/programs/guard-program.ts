import { limits } from '../../base/limits.ts';

/**
 * The command that runs a program so that it does not outlive us, not even after `kill -9`. It starts a
 * small Node process, the guard, which waits for one byte on its stdin, then starts the program, and
 * exits as the program exits. Only we hold the other end of that stdin. When it ends, we are gone, and
 * the guard ends the program. With `leads`, the guard must be started as the leader of a process group
 * of its own, and ends the whole group.
 */
export function guardCommand(
  file: string,
  args: readonly string[],
  { leads }: { readonly leads: boolean },
): { readonly file: string; readonly args: readonly string[] } {
  const role = leads ? 'leads' : 'follows';
  return { file: process.execPath, args: ['-e', guardSource, '--', role, file, ...args] };
}

/** The exit code of a guard that could not start its program; its stderr says why. */
const guardFailedCode = 126;

const guardSource = `
const { spawn } = require('node:child_process');
const [isLeader, file, ...args] = process.argv.slice(1);
const killAll = () => {
  if (isLeader === 'leads') process.kill(-process.pid, 'SIGKILL');
  child?.kill('SIGKILL');
  process.exit(1);
};
let child;
let isLeaving = false;
// git removes its lock files when it is asked to end; what does not end soon is killed.
const leaves = () => {
  if (child === undefined) process.exit(1);
  if (isLeaving) return;
  isLeaving = true;
  if (isLeader === 'leads') process.kill(-process.pid, 'SIGTERM');
  else child.kill('SIGTERM');
  setTimeout(killAll, ${limits.programKillMs});
};
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {
    if (child === undefined) process.exit(1);
    // The others of a group have got the signal already.
    if (isLeader !== 'leads') child.kill(signal);
  });
}
process.stdin.once('data', () => {
  child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  child.on('error', ({ message }) => {
    process.stderr.write(message);
    process.exit(${guardFailedCode});
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Node itself does not end by some signals.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);
  });
});
process.stdin.on('end', leaves);
process.stdin.on('error', leaves);
`;
