/**
 * The command that runs a program so that it does not outlive us, not even after `kill -9`. It starts a
 * small Node process, the guard, which waits for one byte on its stdin, then starts the program, and
 * exits as the program exits. Only we hold the other end of that stdin. When it ends, we are gone, and
 * the guard kills the program; if the guard leads a process group of its own, it kills the whole group.
 */
export function guardCommand(
  file: string,
  args: readonly string[],
): { readonly file: string; readonly args: readonly string[] } {
  return { file: process.execPath, args: ['-e', guardSource, '--', file, ...args] };
}

/** The exit code of a guard that could not start its program; its stderr says why. */
const guardFailedCode = 126;

const guardSource = `
const { spawn } = require('node:child_process');
const [file, ...args] = process.argv.slice(1);
let child;
const leaves = () => {
  try {
    if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
  } catch {
    // The guard does not lead a group: it shares the terminal of whoever started us.
  }
  child?.kill('SIGKILL');
  process.exit(1);
};
// Whoever ends the group ends the program with it; the guard stays until the program has exited.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child?.kill(signal));
process.stdin.once('data', () => {
  child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  child.on('error', ({ message }) => {
    process.stderr.write(message);
    process.exitCode = ${guardFailedCode};
    process.stdin.destroy();
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
});
process.stdin.on('end', leaves);
process.stdin.on('error', leaves);
`;
