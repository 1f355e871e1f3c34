import { describe, expect, it } from 'vitest';
import { recoverChanges } from '../../src/engine/change/recover-changes.ts';
import { vaultGone } from '../../src/node/place/vault-gone.ts';
import { counted } from '../support/counts.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { memoryState } from '../support/memory-state.ts';
import { wrapDisk } from '../support/wrap-disk.ts';
import { openWrittenVault } from '../support/written-vault.ts';
import { changesNamed, type FaultyChange, faultVault, faultyChanges } from './changes.ts';

// A drive that is taken out at the n-th call, before or after its effect, and put back later: all
// files are old or all are new once what is open was recovered, and the index equals the disk.

const changes = counted({
  quick: ['append', 'rename'],
  full: ['append', 'create in new folders', 'rename', 'move a folder', 'delete'],
});

async function run(change: FaultyChange, leaveAt: number, when: 'before' | 'after') {
  const disk = memoryDisk(faultVault);
  const process = (await memoryState()).open();
  const vault = await openWrittenVault(disk, { process });
  const before = vault.files();
  let calls = 0;
  const leaving = wrapDisk(disk, async (_call, work) => {
    calls += 1;
    if (calls !== leaveAt) return work();
    if (when === 'after') await work();
    disk.unmount();
    throw vaultGone('unmounted');
  });
  Object.assign(vault.whole.parts, { disk: leaving });
  const code = await change.run(vault).then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  );
  Object.assign(vault.whole.parts, { disk });
  disk.mount();
  await recoverChanges({ disk, state: process.state });
  await vault.keeper.reconcile();
  const open = await process.state.unfinished();
  const indexFaults = await vault.indexFaults();
  await vault.close();
  return { code, before, open, indexFaults, files: vault.files(), stayed: calls < leaveAt };
}

describe.each(changesNamed(faultyChanges, changes))('$name', (change) => {
  it.each(['before', 'after'] as const)(
    'is all or nothing when the vault goes away %s any call',
    async (when) => {
      const { files: after } = await run(change, Number.POSITIVE_INFINITY, when);
      for (let leaveAt = 1; ; leaveAt++) {
        const end = await run(change, leaveAt, when);
        const where = `call ${leaveAt}`;
        expect([end.before, after], where).toContainEqual(end.files);
        expect([undefined, 'vault_not_found'], where).toContain(end.code);
        if (end.code === undefined) expect(end.files, where).toEqual(after);
        expect(end.open, where).toEqual([]);
        expect(end.indexFaults, where).toEqual([]);
        if (end.stayed) break;
      }
    },
  );
});
