import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';

/** Uses up the file descriptors that a process may have, then runs a program. */
const code = `
  import { openSync } from 'node:fs';
  import { runProgram } from './run-program.ts';
  const options = {
    env: {}, signal: new AbortController().signal, deadlineMs: 5_000, outputBytesMax: 1,
    says: { late: '', tooMuch: '', stopped: '' },
  };
  const held = [];
  try { for (;;) held.push(openSync('/dev/null')); } catch {}
  const failed = await runProgram(process.execPath, [], options).catch((error) => error);
  process.stdout.write(String(failed.code));
`;

it.skipIf(process.platform === 'win32')(
  'where no file descriptor is left, a program that cannot be started is a failure and no crash',
  async () => {
    const outfile = join(tempFolder(), 'exhausted.mjs');
    await build({
      stdin: { contents: code, resolveDir: import.meta.dirname },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
    const said = execFileSync('/bin/sh', [
      '-c',
      'ulimit -n 64; exec "$0" "$1"',
      process.execPath,
      outfile,
    ]);
    expect(said.toString()).toBe('EMFILE');
  },
);
