import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { limits } from '../../base/limits.ts';

/** How many watches and watchers (`inotify`) the user may have on Linux, and has now. */
export interface InotifyUse {
  readonly watchesMax: number;
  readonly watches: number;
  readonly instancesMax: number;
  readonly instances: number;
}

/**
 * The limits of the system and what the processes of this user have open now, as far as they may be
 * looked at. Undefined where the system has no such limits.
 */
export function inotifyUse(): InotifyUse | undefined {
  const watchesMax = smallest('fs/inotify/max_user_watches', 'user/max_inotify_watches');
  const instancesMax = smallest('fs/inotify/max_user_instances', 'user/max_inotify_instances');
  if (watchesMax === undefined || instancesMax === undefined) return undefined;
  return { watchesMax, instancesMax, ...inUse() };
}

/** The smallest of the numbers in these files: a container may have limits of its own. */
function smallest(...files: readonly string[]): number | undefined {
  const numbers = files.map((file) => Number(textOf(`/proc/sys/${file}`) ?? Number.NaN));
  const known = numbers.filter((number) => Number.isFinite(number));
  return known.length === 0 ? undefined : Math.min(...known);
}

function inUse(): Pick<InotifyUse, 'watches' | 'instances'> {
  const user = process.getuid?.();
  let [watches, instances, left] = [0, 0, Number(limits.doctorOpenFilesMax)];
  for (const id of namesIn('/proc').filter((name) => /^\d+$/.test(name))) {
    if (left <= 0 || ownerOf(`/proc/${id}`) !== user) continue;
    const files = namesIn(`/proc/${id}/fd`);
    left -= files.length;
    for (const file of files) {
      if (linkOf(`/proc/${id}/fd/${file}`) !== 'anon_inode:inotify') continue;
      instances += 1;
      const info = textOf(`/proc/${id}/fdinfo/${file}`) ?? '';
      watches += info.split('\n').filter((line) => line.startsWith('inotify ')).length;
    }
  }
  return { watches, instances };
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined; // The process has ended.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It has ended, or may not be looked at.
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
