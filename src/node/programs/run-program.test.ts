import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { guardCommand } from './guard-program.ts';
import { runProgram, streamProgram } from './run-program.ts';

type RunProgramOptions = Parameters<typeof runProgram>[2];
type StreamProgramOptions = Parameters<typeof streamProgram>[2];

const says = { late: 'It is late.', tooMuch: 'It is too much.', stopped: 'Who knows.' };
const details = { outcome: 'unknown' };
// Windows has no signals: a program is ended at once, and has an exit code.
const onPosix = it.skipIf(process.platform === 'win32');

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

  it('gives the program its input, also one that reads nothing of it', async () => {
    const input = 'ä'.repeat(200_000);
    const { stdout } = await run('process.stdin.pipe(process.stdout)', { input });
    expect(Buffer.from(stdout).toString()).toBe(input);
    expect((await run('process.exit(4)', { input })).exitCode).toBe(4);
    const none = await run('process.stdin.on("end", () => console.log("end")).resume()');
    expect(Buffer.from(none.stdout).toString()).toBe('end\n');
  });

  it('keeps only so much of stderr, and reads the rest', async () => {
    const code = 'process.stderr.write("e".repeat(2_000_000), () => console.log("done"))';
    const { stdout, stderr } = await run(code);
    expect(Buffer.from(stdout).toString()).toBe('done\n');
    expect(stderr.length).toBeGreaterThanOrEqual(limits.programErrorBytesMax);
    expect(stderr.length).toBeLessThan(2 * limits.programErrorBytesMax);
  });

  onPosix('answers when a signal has ended it', async () => {
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

  it.each([
    ['cancelled', 'The call was cancelled.', 'The call was cancelled. Who knows.'],
    ['timeout', 'The call took too long; ask for less.', says.late],
  ] as const)('ends with the call (%s), and says that nobody knows what it did', async (...row) => {
    const [code, reason, message] = row;
    const controller = new AbortController();
    const running = run('setInterval(() => {}, 1000)', { signal: controller.signal });
    await setTimeout(20); // It is started in a later turn of the event loop.
    controller.abort(new VaultError(code, reason));
    await expect(running).rejects.toEqual(new VaultError(code, message, { details }));
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

describe('streamProgram', () => {
  const stream = (code: string, options: Partial<StreamProgramOptions> = {}) =>
    streamProgram(process.execPath, ['-e', code], {
      env: {},
      signal: new AbortController().signal,
      deadlineMs: 60_000,
      says: { late: 'It is late.' },
      onOutput: () => undefined,
      ...options,
    });
  const endless = 'setInterval(() => process.stdout.write("x".repeat(1_000)), 1)';

  it('hands on what is printed while it runs, on either stream', async () => {
    const seen: string[] = [];
    const code = 'console.error("e"); console.log("o"); process.exitCode = 3';
    const end = await stream(code, {
      onOutput: (bytes) => void seen.push(String(bytes)),
      onErrorOutput: (bytes) => void seen.push(String(bytes)),
    });
    expect(end).toEqual({ exitCode: 3, stderr: 'e\n' });
    expect(seen.toSorted()).toEqual(['e\n', 'o\n']);
  });

  it('runs in the folder that is given', async () => {
    const cwd = tempFolder();
    const seen: string[] = [];
    await stream('process.stdout.write(process.cwd())', {
      cwd,
      onOutput: (bytes) => void seen.push(String(bytes)),
    });
    expect(seen.join('')).toBe(cwd);
  });

  it('ends the program as soon as there is enough, and hands on nothing more', async () => {
    let calls = 0;
    const end = await stream(endless, {
      onOutput: () => {
        calls += 1;
        return calls === 3 ? 'enough' : undefined;
      },
    });
    expect([end, calls]).toEqual([{ exitCode: undefined, stderr: '' }, 3]);
  });

  it('fails with what the reader throws', async () => {
    const error = new Error('no');
    const onOutput = (): never => {
      throw error;
    };
    await expect(stream(endless, { onOutput })).rejects.toBe(error);
  });

  it('does not say that nobody knows what was done by a program that only looks', async () => {
    const controller = new AbortController();
    const running = stream(endless, { signal: controller.signal });
    controller.abort(new VaultError('timeout', 'The call took too long.'));
    await expect(running).rejects.toEqual(new VaultError('timeout', 'The call took too long.'));
    await expect(stream(endless, { deadlineMs: 50 })).rejects.toEqual(
      new VaultError('timeout', 'It is late.'),
    );
  });
});

describe('a program that dies with us', () => {
  it('is run as any other, with its exit code, its outputs and its arguments', async () => {
    const code = 'console.log(process.argv.slice(1).join()); console.error("e"); process.exit(3)';
    const groups: number[] = [];
    const diesWithUs = { beforeStart: (group: number) => void groups.push(group) };
    const { exitCode, stdout, stderr } = await run(code, { diesWithUs }, ['--', '--x', 'a b']);
    expect([exitCode, String(Buffer.from(stdout)), stderr]).toEqual([3, '--x,a b\n', 'e\n']);
    expect(groups).toEqual([expect.any(Number)]);
  });

  onPosix('answers that a signal has ended it', async () => {
    const code = 'process.kill(process.pid, "SIGTERM"); setInterval(() => {}, 1000)';
    expect((await run(code, { diesWithUs: {} })).exitCode).toBeUndefined();
  });

  it('is not started when what comes before it fails', async () => {
    const file = join(tempFolder(), 'started');
    const error = new Error('no');
    const beforeStart = (): never => {
      throw error;
    };
    const code = `fs.writeFileSync(${JSON.stringify(file)}, '')`;
    await expect(run(code, { diesWithUs: { beforeStart } })).rejects.toBe(error);
    expect(existsSync(file)).toBe(false);
  });

  it('ends with its children when the deadline passes', async () => {
    const endless = 'setInterval(() => {}, 1000)';
    const options = { deadlineMs: 300, diesWithUs: {}, awaitsEnd: true } as const;
    await expect(run(endless, options)).rejects.toMatchObject({ code: 'timeout' });
  });

  onPosix('is not kept by a signal that Node itself ignores', async () => {
    const shell = runProgram('/bin/sh', ['-c', 'kill -PIPE $$'], {
      env: {},
      signal: new AbortController().signal,
      deadlineMs: 60_000,
      outputBytesMax: 1_000,
      says,
      diesWithUs: {},
    });
    expect((await shell).exitCode).toBeUndefined();
  });

  onPosix('does not go on when its guard alone is killed', async () => {
    const file = join(tempFolder(), 'pid');
    const code = `fs.writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    let group = 0;
    const running = run(code, {
      diesWithUs: {
        beforeStart: (id) => {
          group = id;
        },
      },
    });
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 10_000);
    process.kill(group, 'SIGKILL');
    expect((await running).exitCode).toBeUndefined();
    await vi.waitUntil(() => hasEnded(Number(readFileSync(file, 'utf8'))), 10_000);
  });

  onPosix('is asked to end before it is killed, so that it can tidy up', async () => {
    const folder = tempFolder();
    const [ready, tidied] = [join(folder, 'ready'), join(folder, 'tidied')];
    const code = `process.once('SIGTERM', () => { fs.writeFileSync(${JSON.stringify(tidied)}, ''); process.exit(); }); fs.writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => {}, 1000)`;
    const { file, args } = guardCommand(process.execPath, ['-e', code], { leads: true });
    const guard = spawn(file, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    guard.stdin?.write('\n');
    await vi.waitUntil(() => existsSync(ready), 10_000);
    guard.stdin?.destroy();
    await vi.waitUntil(() => existsSync(tidied), 10_000);
  });

  onPosix('is killed when we are killed', async () => {
    const file = join(tempFolder(), 'pid');
    const endless = `fs.writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
    const { file: program, args } = guardCommand(process.execPath, ['-e', endless], {
      leads: true,
    });
    // A shell in between would outlive the kill; this process starts the guard and waits.
    const parent = spawn(process.execPath, [
      '-e',
      `const child = child_process.spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'ignore', 'ignore'], detached: true }); child.stdin.write('\\n');`,
      '--',
      program,
      ...args,
    ]);
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 10_000);
    const pid = Number(readFileSync(file, 'utf8'));
    parent.kill('SIGKILL');
    await vi.waitUntil(() => hasEnded(pid), 10_000);
  });
});

/** Whether a process is gone, or only waits for whoever started it to notice its end. */
function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && / Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return true;
  }
}
