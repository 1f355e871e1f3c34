import { describe, expect, it } from 'vitest';
import { recoverChanges } from '../../src/engine/change/recover-changes.ts';
import { counted } from '../support/counts.ts';
import {
  Crash,
  chooseBySeed,
  crashingDisk,
  dropAll,
  dyingWith,
  keepAll,
  keepNames,
} from '../support/crashing-disk.ts';
import type { CrashChoice } from '../support/durable-tree.ts';
import { type MemoryDisk, memoryDisk } from '../support/memory-disk.ts';
import { type MemoryState, memoryState, type StateFault } from '../support/memory-state.ts';
import { openWrittenVault } from '../support/written-vault.ts';
import { type FaultyChange, faultVault, faultyChanges, fewFaultyChanges } from './changes.ts';
import { fewRawFaultyChanges, rawFaultyChanges, someRawFaultyChanges } from './raw-changes.ts';
import { snapshot } from './snapshot.ts';

// The power goes out at every moment of every kind of change. What was not synced is kept, lost or
// torn. After recovery all files are old or all are new, and nothing is left behind.

const changes = counted({
  quick: [...fewFaultyChanges, ...fewRawFaultyChanges],
  full: [...faultyChanges, ...someRawFaultyChanges],
  soak: [...faultyChanges, ...rawFaultyChanges],
});

/** How many mixtures of what is kept and what is lost are tried at each moment. */
const seeds = counted({ quick: 1, full: 2, soak: 40 });

/** The power goes out at each moment, at every second, or at every third. */
const momentStep = counted({ quick: 3, full: 2, soak: 1 });

/** Recovery is cut off at each of its moments, at every third, or at every twelfth. */
const recoveryStep = counted({ quick: 12, full: 3, soak: 1 });

/** A vault whose process dies with its disk. */
async function start(change: FaultyChange, options: { crashAt?: number; state?: StateFault }) {
  const disk = memoryDisk(faultVault);
  const shared = await memoryState();
  if (change.first !== undefined) {
    const first = await openWrittenVault(disk, { process: shared.open() });
    await change.first(first);
    await first.close();
  }
  const crashing = crashingDisk(disk, options);
  const process = dyingWith(crashing, shared.open(options.state));
  const vault = await openWrittenVault(disk, { process });
  Object.assign(vault.whole.parts, { disk: crashing });
  const before = snapshot(disk);
  // Whatever it answers after a crash, nobody is left to hear it.
  await change.run(vault).catch(() => undefined);
  return { disk, crashing, shared, process, before, after: snapshot(disk) };
}

/** Recovers until nothing is open, and answers what is there then. */
async function afterwards(disk: MemoryDisk, shared: MemoryState) {
  const { state } = shared.open();
  await recoverChanges({ disk, state });
  return { files: snapshot(disk), open: await state.unfinished(), latest: await state.latest() };
}

describe.each(changes)('$name', (change) => {
  it('is all or nothing when the power goes out at any moment', async () => {
    const { before, after, crashing } = await start(change, {});
    const moments = crashing.moments;
    const choices: readonly (readonly [string, CrashChoice])[] = [
      ['all kept', keepAll],
      ['all lost', dropAll],
      ['names kept', keepNames],
      ...Array.from({ length: seeds }, (_, n) => [`seed ${n}`, undefined as never] as const),
    ];
    for (let crashAt = 1; crashAt <= moments; crashAt += momentStep) {
      for (const [name, fixed] of choices) {
        const choice = fixed ?? chooseBySeed(crashAt * 1_000 + Number(name.slice(5)));
        const run = await start(change, { crashAt });
        expect(run.crashing.crashed).toBe(true);
        const where = `moment ${crashAt} of ${moments}, ${name}`;
        await run.shared.cutPower({ lose: crashAt % 2 === 0 ? 'unsynced' : 'nothing' });
        const end = await afterwards(run.crashing.afterCrash(choice), run.shared);
        expect([before, after], where).toContainEqual(end.files);
        expect(end.open, where).toEqual([]);
      }
    }
  });

  it('is all or nothing when the process is killed at any call of its state', async () => {
    const whole = await start(change, {});
    for (let crashAt = 1; ; crashAt++) {
      for (const when of ['before', 'after'] as const) {
        const run = await start(change, { state: { crashAt, when } });
        const where = `call ${crashAt}, ${when}`;
        const end = await afterwards(run.disk, run.shared);
        expect([whole.before, whole.after], where).toContainEqual(end.files);
        expect(end.open, where).toEqual([]);
        if (!run.process.faulted()) return;
      }
    }
  });

  it('recovers after a crash in the middle of recovery', async () => {
    const { before, after, crashing } = await start(change, {});
    for (let crashAt = 1; crashAt <= crashing.moments; crashAt += momentStep) {
      const run = await start(change, { crashAt });
      await run.shared.cutPower({ lose: 'unsynced' });
      let disk = run.crashing.afterCrash(chooseBySeed(crashAt));
      for (let again = 1; ; again += recoveryStep) {
        const second = crashingDisk(disk, { crashAt: again });
        const { state } = dyingWith(second, run.shared.open());
        const crashed = await recoverChanges({ disk: second, state }).then(
          () => false,
          (error: unknown) => error instanceof Crash || second.crashed,
        );
        if (!crashed) break;
        await run.shared.cutPower({ lose: again % 2 === 0 ? 'unsynced' : 'nothing' });
        disk = second.afterCrash(chooseBySeed(again));
      }
      const end = await afterwards(disk, run.shared);
      const where = `moment ${crashAt}`;
      expect([before, after], where).toContainEqual(end.files);
      expect(end.open, where).toEqual([]);
    }
  });
});
