import { limits } from '../../base/limits.ts';
import { type InotifyUse, inotifyUse } from '../../node/watch/inotify-use.ts';
import type { ServedVault } from './examine-local-server.ts';
import { type Finding, known, ok, said, warning } from './finding.ts';

/** More watches than anybody needs; each takes about a kilobyte of the system's memory. */
const plentyWatches = 524_288;
const plentyInstances = 1_024;

/** Whether the system lets us watch all folders of the vaults. */
export function examineWatching(vaults: readonly ServedVault[]): readonly Finding[] {
  if (process.platform !== 'linux') {
    return [
      ok('watches', said`This system watches a whole vault at once; there is no limit to reach.`),
    ];
  }
  const use = inotifyUse();
  if (use === undefined) return [ok('watches', said`The system says nothing about a limit.`)];
  let folders = 0;
  const faults: string[] = [];
  for (const { look, isServed } of vaults) {
    if ('fault' in look) continue;
    const { drive, tree } = look;
    if (drive.watchFault !== undefined) faults.push(drive.watchFault);
    // The watches of a running server are in use already.
    if (drive.silent === undefined && !isServed) folders += tree?.folders ?? 0;
  }
  return [watchesFinding(use, folders, faults), instancesFinding(use, faults)];
}

const instead = `A server looks every ${limits.pollEveryMs / 1000} seconds instead, so it sees changes later.`;

function watchesFinding(
  { watches, watchesMax }: InotifyUse,
  folders: number,
  faults: readonly string[],
): Finding {
  const use = said`${watches} of ${watchesMax} watches are in use; folders that are still to be watched: ${folders}`;
  if (!faults.includes('ENOSPC') && watches + folders <= watchesMax)
    return ok('watches', said`${use}.`);
  return warning(
    'watches',
    said`The system has no more watches to give: ${use}. ${known(instead)}`,
    said`Raise the limit: ${sysctl('max_user_watches', plentyWatches)}`,
  );
}

function instancesFinding(
  { instances, instancesMax }: InotifyUse,
  faults: readonly string[],
): Finding {
  const use = said`${instances} of ${instancesMax} watchers are in use`;
  if (!faults.includes('EMFILE') && instances < instancesMax) return ok('watchers', said`${use}.`);
  return warning(
    'watchers',
    said`The system has no more watchers to give: ${use}. ${known(instead)}`,
    said`Raise the limit: ${sysctl('max_user_instances', plentyInstances)}`,
  );
}

function sysctl(name: string, value: number) {
  const setting = `fs.inotify.${name}=${value}`;
  return known(
    `sudo sysctl ${setting} (for good: echo ${setting} | sudo tee /etc/sysctl.d/60-inotify-${name}.conf).`,
  );
}
