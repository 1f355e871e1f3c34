import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import type { Shell } from '../../src/cli/shell/shell.ts';
import { run as runCommand } from '../../src/cli/start/run.ts';
import type { ClusterDatabase } from './cluster-database.ts';
import { bareEnv, bundle, type CliResult } from './run-cli.ts';
import { tempFolder } from './temp-folder.ts';

/**
 * Folders of a user with vaults, and how that user types commands. They run in this process, since
 * starting the program takes longer than most of them.
 */
export function clusterUser(
  database: ClusterDatabase,
  files: Readonly<Record<string, string>> = {},
) {
  const folder = tempFolder(files);
  const run = async (line: string): Promise<CliResult> => {
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
    const shell = {
      argv: line.split(' '),
      env: {
        ...bareEnv(),
        XDG_STATE_HOME: join(folder, 'state'),
        XDG_CACHE_HOME: join(folder, 'cache'),
        VAULTDOOR_CLUSTER: database.server().url,
      },
      currentFolder: folder,
      stdin: process.stdin,
      ...streams,
      version: '1.2.3',
      entryFile: bundle,
      signal: new AbortController().signal,
    };
    const code = await runCommand(shell as unknown as Shell);
    const textOf = (stream: PassThrough): string => String(stream.read() ?? '');
    return { code, stdout: textOf(streams.stdout), stderr: textOf(streams.stderr) };
  };
  /** The path of a file of this name in the state folder of the only vault. */
  const inState = (name: string): string => {
    const files = readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' });
    return join(folder, 'state', files.find((file) => file.endsWith(`/${name}`)) ?? '');
  };
  const json = async <T>(line: string): Promise<T> => {
    const { stdout, stderr, code } = await run(`${line} --json`);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    return JSON.parse(stdout) as T;
  };
  return { folder, run, json, inState };
}
