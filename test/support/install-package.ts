import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Installs a package of Debian, unless it is there. Fails where that is not possible. Files of tests run
 * side by side, so one installs after the other.
 */
export function installPackage(name: string): void {
  if (isInstalled(name)) return;
  const words = ['apt-get', '-o', 'DPkg::Lock::Timeout=120'];
  const install = [...words, 'install', '-y', '-qq', '--no-install-recommends', name].join(' ');
  const script = `${install} || { ${words.join(' ')} update -qq && ${install}; }`;
  const lock = join(tmpdir(), 'vaultdoor-apt.lock');
  execFileSync('flock', [lock, 'sh', '-c', script], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 280_000,
  });
  if (!isInstalled(name)) throw new Error(`Debian's package "${name}" cannot be installed.`);
}

/** Whether it is there as a whole: its files alone may be those of an installation that still runs. */
function isInstalled(name: string): boolean {
  const { stdout } = spawnSync('dpkg', ['-s', name], { encoding: 'utf8' });
  return /^Status: install ok installed$/m.test(stdout);
}
