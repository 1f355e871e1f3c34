import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The program as it ships; `npm test` builds it first. */
export const bundle = fileURLToPath(new URL('../../dist/vaultdoor.js', import.meta.url));

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs the built program as its user would; what it reads from stdin ends there. */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin = '',
): Promise<CliResult> {
  return new Promise((resolve) => {
    const options = {
      env: cliEnv(env),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    } as const;
    const child = execFile(
      process.execPath,
      [bundle, ...args],
      options,
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ stdout, stderr, code });
      },
    );
    child.stdin?.on('error', () => undefined); // Whoever does not read may be gone already.
    child.stdin?.end(stdin);
  });
}

/** Starts the program without waiting for it. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [bundle, ...args], {
    env: cliEnv(env),
    stdio: 'ignore',
  });
}

/** The environment of a program that keeps its data where `env` says. */
export function cliEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { XDG_STATE_HOME: folder } = env;
  // Windows keeps all data in the folder of its user.
  const profile = process.platform === 'win32' && folder ? { USERPROFILE: folder } : {};
  return { ...bareEnv(), ...profile, ...env };
}

/** The environment without anything that would name a vault or change the output. */
export function bareEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot, USERPROFILE } = process.env;
  return { PATH, HOME, TMPDIR, SystemRoot, USERPROFILE, TZ: 'UTC', LANG: 'C.UTF-8' };
}
