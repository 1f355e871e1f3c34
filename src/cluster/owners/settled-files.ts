import { clusterLimits } from '../../base/door-limits.ts';
import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type { Clock, Disk } from '../../engine/ports/ports.ts';
import type { StateStore, StoredChange } from '../../engine/ports/state-store.ts';

interface SettlePorts {
  readonly disk: Pick<Disk, 'read' | 'stat'>;
  readonly state: Pick<StateStore, 'changes'>;
  readonly clock: Clock;
}

/** More changes than this are not compared: the first walk of the index finds the rest. */
const changesMax = 500;

/**
 * Whether the files that were changed in the last minute are on disk as the journal says. A network
 * drive may show a machine for a while what it had shown before.
 */
export async function areFilesSettled(ports: SettlePorts): Promise<boolean> {
  const { state, clock } = ports;
  const sinceMs = clock.nowMs() - clusterLimits.settleBackMs;
  const { items } = await state.changes({ sinceMs }, { limit: changesMax, offset: 0 });
  for (const [path, expected] of expectedFiles(items)) {
    if (!(await isAsExpected(ports, path, expected))) return false;
  }
  return true;
}

/** What each path should have; undefined for nothing. Changes are given newest first. */
function expectedFiles(
  changes: readonly StoredChange[],
): ReadonlyMap<VaultPath, Version | undefined> {
  const expected = new Map<VaultPath, Version | undefined>();
  const unknown = new Set<VaultPath>();
  const learn = (path: VaultPath, version: Version | undefined): void => {
    if (!expected.has(path) && !unknown.has(path)) expected.set(path, version);
  };
  for (const { steps, kept } of changes) {
    for (const path of kept) unknown.add(path);
    for (const step of steps.toReversed()) {
      if (step.do === 'moveFolder') return expected; // Earlier paths are elsewhere by now.
      if (step.do === 'append' || step.do === 'cut') unknown.add(step.path);
      if (step.do === 'write' && step.leadsTo === undefined) learn(step.path, step.after);
      if (step.do === 'delete') learn(step.path, undefined);
      if (step.do === 'move') {
        if (step.version === undefined || step.leadsTo !== undefined) unknown.add(step.to);
        else learn(step.to, step.version);
        learn(step.path, undefined);
      }
    }
  }
  return expected;
}

async function isAsExpected(
  { disk }: SettlePorts,
  path: VaultPath,
  expected: Version | undefined,
): Promise<boolean> {
  try {
    if ((await disk.stat(path)) === undefined) return expected === undefined;
    const { version } = await disk.read(path, { bytesMax: limits.historyContentBytesMax });
    return version === expected;
  } catch {
    return true; // It cannot be compared, for example because it is too large.
  }
}
