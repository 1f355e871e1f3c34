import { describe, expect, it } from 'vitest';
import { recoverChanges } from '../../src/engine/change/recover-changes.ts';
import { counted } from '../support/counts.ts';
import { failingDisk } from '../support/failing-disk.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { memoryState } from '../support/memory-state.ts';
import { openWrittenVault } from '../support/written-vault.ts';
import { type FaultyChange, faultVault, faultyChanges, fewFaultyChanges } from './changes.ts';
import { fewRawFaultyChanges, rawFaultyChanges, someRawFaultyChanges } from './raw-changes.ts';
import { snapshot } from './snapshot.ts';

// A disk whose n-th call fails, before or after its effect, for every n of every kind of change:
// all files are old or all are new, nothing is left behind, and what is open is recovered.

const errnos = counted({
  quick: ['EIO'],
  // One for each code of ours that such a failure has.
  full: ['EIO', 'EACCES'],
  soak: ['EIO', 'EACCES', 'EBUSY', 'ENOSPC', 'EPERM'],
});

const changes = counted({
  quick: [...fewFaultyChanges, ...fewRawFaultyChanges],
  full: [...faultyChanges, ...someRawFaultyChanges],
  soak: [...faultyChanges, ...rawFaultyChanges],
});

/** Every call fails once, every second, or every third. */
const callStep = counted({ quick: 3, full: 2, soak: 1 });

const known = new Map<string, ReturnType<typeof findOutcomes>>();

/** The files before a change, and after it when nothing goes wrong. */
function outcomes(change: FaultyChange) {
  const found = known.get(change.name) ?? findOutcomes(change);
  known.set(change.name, found);
  return found;
}

async function findOutcomes(change: FaultyChange) {
  const vault = await openWrittenVault(faultVault);
  await change.first?.(vault);
  const before = snapshot(vault.disk);
  await change.run(vault);
  const after = snapshot(vault.disk);
  expect(after).not.toEqual(before);
  await vault.close();
  return { before, after };
}

async function run(
  change: FaultyChange,
  fault: { disk?: { failAt: number; errno: string; when: 'before' | 'after' }; state?: object },
) {
  const disk = memoryDisk(faultVault);
  const shared = await memoryState();
  if (change.first !== undefined) {
    const first = await openWrittenVault(disk, { process: shared.open() });
    await change.first(first);
    await first.close();
  }
  const process = shared.open(fault.state);
  const failing = failingDisk(disk, fault.disk ?? { failAt: 0, errno: '', when: 'before' });
  const vault = await openWrittenVault(disk, { process });
  // The index is built; only the change itself meets the failing disk.
  Object.assign(vault.whole.parts, { disk: failing });
  let left = false;
  const failure = await change.run(vault).then(
    (answer) => {
      // An undo goes on without files that may not be read, and lists them.
      left = hasLeft(answer);
    },
    (error: unknown) => error ?? 'failed',
  );
  const untouched = fault.disk !== undefined ? failing.failed === undefined : !process.faulted();
  process.kill();
  Object.assign(vault.whole.parts, { disk });
  const next = shared.open();
  // What is still open is another process's to finish, and its index's to know.
  const isOpen = (await next.state.unfinished()).length > 0;
  await vault.keeper.settle(); // Nobody waits for it after a raw change.
  const indexFaults = isOpen ? [] : await vault.indexFaults();
  await recoverChanges({ disk, state: next.state });
  const open = await next.state.unfinished();
  await vault.close();
  return {
    failure,
    left,
    untouched,
    open,
    files: snapshot(disk),
    indexFaults,
  };
}

describe.each(changes)('$name', (change) => {
  it.each(
    errnos.flatMap((errno) => (['before', 'after'] as const).map((when) => ({ errno, when }))),
  )('is all or nothing with $errno $when any call', async ({ errno, when }) => {
    const { before, after } = await outcomes(change);
    for (let failAt = 1; ; failAt += callStep) {
      const end = await run(change, { disk: { failAt, errno, when } });
      const where = `call ${failAt}`;
      if (end.left) expectEachOldOrNew(end.files, before, after);
      else expect([before, after], where).toContainEqual(end.files);
      // Who is told that it worked finds it done.
      if (end.failure === undefined && !end.left) expect(end.files, where).toEqual(after);
      expect(end.open, where).toEqual([]);
      expect(end.indexFaults, where).toEqual([]);
      if (end.untouched) break;
    }
  });

  it.each(['before', 'after'] as const)(
    'is all or nothing when the state fails %s any call',
    async (when) => {
      const { before, after } = await outcomes(change);
      for (let failAt = 1; ; failAt++) {
        const end = await run(change, { state: { failAt, when } });
        const where = `call ${failAt}`;
        expect([before, after], where).toContainEqual(end.files);
        if (end.failure === undefined) expect(end.files, where).toEqual(after);
        expect(end.open, where).toEqual([]);
        if (end.untouched) break;
      }
    },
  );
});

function hasLeft(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || !('left' in answer)) return false;
  return Array.isArray(answer.left) && answer.left.length > 0;
}

type Files = Readonly<Record<string, string>>;

function expectEachOldOrNew(files: Files, before: Files, after: Files): void {
  for (const [path, text] of Object.entries(files)) {
    expect([before[path], after[path]], path).toContain(text);
  }
}
