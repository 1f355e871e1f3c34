import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { limits } from '../../../base/limits.ts';
import { VaultError } from '../../../base/vault-error.ts';

// While rclone writes into the vault, a file in the state folder names its process group. Whoever takes
// the commit lock and finds that file knows that the server was killed in the middle of a sync.

const pollMs = 10;

/** The folder in a vault's state folder in which everything about its syncs is kept. */
export function syncFolderIn(stateFolder: string): string {
  return join(stateFolder, 'sync');
}

/** The file that names the running rclone. `folder` is that of `syncFolderIn`. */
function recordIn(folder: string): string {
  return join(folder, 'running.json');
}

/** Records that this process group is about to write into the vault. */
export function recordRclone(folder: string, group: number): void {
  const record = { group, started: startOf(group), boot: bootOf() };
  writeFileSync(recordIn(folder), JSON.stringify(record), { mode: 0o600 });
}

/** To be called when the recorded rclone has ended. */
export function forgetRclone(folder: string): void {
  rmSync(recordIn(folder), { force: true });
}

/**
 * Ends the rclone that a killed process has left behind, and resolves when it is gone. The caller holds
 * the commit lock, so no sync of ours is running. Usually there is none, which costs one look at the
 * disk. Fails with `unavailable` when it cannot be ended.
 */
export async function endLeftRclone(folder: string): Promise<void> {
  const file = recordIn(folder);
  if (!existsSync(file)) return;
  const group = recordedGroup(file);
  const endMs = Date.now() + limits.programKillMs;
  while (group !== undefined && isAlive(group)) {
    if (Date.now() > endMs) throw cannotEnd(group);
    await setTimeout(pollMs);
  }
  rmSync(file, { force: true });
}

/** The recorded group, if it is still the one that was recorded. */
function recordedGroup(file: string): number | undefined {
  try {
    const { group, started, boot } = JSON.parse(readFileSync(file).toString('utf8'));
    const isNumber = Number.isSafeInteger(group) && group > 1;
    if (!isNumber || started === undefined || boot !== bootOf()) return undefined;
    const now = startOf(group);
    // When its first process is gone, the system keeps the number as long as the group has others.
    if (now === undefined) return membersOf(group).some(isRclone) ? group : undefined;
    return now === started ? group : undefined;
  } catch {
    return undefined; // The process was killed while it wrote the file, before rclone was started.
  }
}

/**
 * When a process was started, in the kernel's own count, which tells it from a later process with the
 * same number. Undefined when there is no such process, and on systems other than Linux: there the
 * guard alone ends rclone (`guardCommand`).
 */
function startOf(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** The fields after the name in Linux's `/proc/<pid>/stat`: state, parent, group … */
function statFields(pid: number | string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Tells one run of the machine from the next; undefined on systems other than Linux. */
function bootOf(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** The processes of a group that have not ended. */
function membersOf(group: number): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const [state, , its] = statFields(name) ?? [];
    return its === String(group) && state !== 'Z' && state !== 'X';
  });
}

function isRclone(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('rclone');
  } catch {
    return false;
  }
}

/** Kills a group; returns whether a process of it is still there. Ended ones (zombies) do not count. */
function isAlive(group: number): boolean {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    return false;
  }
  return membersOf(group).length > 0;
}

function cannotEnd(group: number): VaultError {
  return new VaultError(
    'unavailable',
    `An earlier server was killed during a sync, and its rclone (process group ${group}) is still writing to the vault and cannot be ended. Nothing was changed. End it, then try again.`,
  );
}
