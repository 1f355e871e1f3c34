import { spawnSync } from 'node:child_process';
import { bareEnv, bundle, type CliResult } from './run-cli.ts';

/** Whether this user may mount file systems that only its own processes see. */
export const canMountForItself = spawnSync('unshare', ['-rm', 'true']).status === 0;

/** Runs the built program with a folder that is read-only, for this process alone. */
export function runReadOnly(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): CliResult {
  const mount = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
  return runMounted(mount, folder, [process.execPath, bundle, ...args], env);
}

/** Runs shell commands with a small disk of its own at a folder; the folder is `$0`. */
export function runOnSmallDisk(
  folder: string,
  { script, bytes }: { readonly script: string; readonly bytes: number },
  env: Readonly<Record<string, string>>,
): CliResult {
  const mount = `mount -t tmpfs -o size=${bytes} vaultdoor-test "$0" || exit 99; ${script}`;
  return runMounted(mount, folder, [process.execPath, bundle], env);
}

function runMounted(
  script: string,
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): CliResult {
  const { stdout, stderr, status } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, folder, ...words],
    { env: { ...bareEnv(), ...env }, encoding: 'utf8' },
  );
  return { stdout, stderr, code: status ?? -1 };
}
