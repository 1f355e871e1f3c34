import { describe, expect, it } from 'vitest';
import { limits } from '../base/limits.ts';
import { VaultError } from '../base/vault-error.ts';
import { type RunProgramOptions, runProgram } from './run-program.ts';

const says = { late: 'It is late.', tooMuch: 'It is too much.', stopped: 'Who knows.' };
const details = { outcome: 'unknown' };

function run(code: string, options: Partial<RunProgramOptions> = {}, args: string[] = []) {
  return runProgram(process.execPath, ['-e', code, ...args], {
    env: {},
    signal: new AbortController().signal,
    deadlineMs: 60_000,
    outputBytesMax: 1_000_000,
    says,
    ...options,
  });
}

describe('runProgram', () => {
  it('answers both outputs and the exit code', async () => {
    const code = 'process.stdout.write("ä"); process.stderr.write("ö"); process.exitCode = 3';
    const { exitCode, stdout, stderr } = await run(code);
    expect([exitCode, Buffer.from(stdout).toString(), stderr]).toEqual([3, 'ä', 'ö']);
  });

  it('gives the program its arguments as they are, and no environment but the given', async () => {
    const args = ['a b', '$HOME', '"; exit 1', '', 'ä\n*'];
    const code =
      'console.log(JSON.stringify([process.argv.slice(1), process.env.GIVEN, process.env.HOME]))';
    const { stdout } = await run(code, { env: { GIVEN: 'x' } }, ['--', ...args]);
    expect(JSON.parse(Buffer.from(stdout).toString())).toEqual([args, 'x', null]);
  });

  it('keeps only so much of stderr, and reads the rest', async () => {
    const code = 'process.stderr.write("e".repeat(2_000_000), () => console.log("done"))';
    const { stdout, stderr } = await run(code);
    expect(Buffer.from(stdout).toString()).toBe('done\n');
    expect(stderr.length).toBeGreaterThanOrEqual(limits.programErrorBytesMax);
    expect(stderr.length).toBeLessThan(2 * limits.programErrorBytesMax);
  });

  it('answers when a signal has ended it', async () => {
    const { exitCode } = await run('process.kill(process.pid, "SIGKILL")');
    expect(exitCode).toBeUndefined();
  });

  it('ends at the deadline', async () => {
    await expect(run('setInterval(() => {}, 1000)', { deadlineMs: 50 })).rejects.toEqual(
      new VaultError('timeout', says.late, { details }),
    );
  });

  it('ends when too much is printed', async () => {
    const code = 'setInterval(() => process.stdout.write("x".repeat(10_000)), 1)';
    await expect(run(code, { outputBytesMax: 50_000 })).rejects.toEqual(
      new VaultError('too_large', says.tooMuch),
    );
  });

  it('ends when the call is called off, and says that nobody knows what it did', async () => {
    const controller = new AbortController();
    const running = run('setInterval(() => {}, 1000)', { signal: controller.signal });
    controller.abort(new VaultError('timeout', 'The call took too long.'));
    await expect(running).rejects.toEqual(
      new VaultError('timeout', 'The call took too long. Who knows.', { details }),
    );
  });

  it('does not start for a call that is over, and says why it is', async () => {
    const ending = new VaultError('timeout', 'The call took too long.');
    const controller = new AbortController();
    controller.abort(ending);
    await expect(run('', { signal: controller.signal })).rejects.toBe(ending);
  });

  it('fails as the system does when there is no such program', async () => {
    const options = { env: {}, deadlineMs: 1_000, outputBytesMax: 1, says };
    const { signal } = new AbortController();
    await expect(runProgram('/nowhere/x', [], { ...options, signal })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
