import { describe, expect, it } from 'vitest';
import { change, put, startMs, write } from '../../../test/support/change-records.ts';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { memoryState, type StateFault } from '../../../test/support/memory-state.ts';
import { newProposal } from '../../../test/support/owner-stores-contract.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { ChangePlan } from '../draft/plan-change.ts';
import { commitChange } from './commit-change.ts';
import { recoverChanges } from './recover-changes.ts';

/** Makes these files, as the change that carries out `p1`; the process dies by this fault. */
async function accept(names: readonly string[], fault: StateFault) {
  const disk = memoryDisk({});
  const shared = await memoryState();
  await shared.open().proposals.add(newProposal());
  const steps = names.map((name) => ({ ...write(name, undefined, name), token: name }));
  const plan: ChangePlan = {
    steps,
    bytes: new Map(names.map((name) => [name, new TextEncoder().encode(name)])),
    contents: names.map((name) => put(name)),
    seen: new Map(),
    free: names.map((name) => vaultPath(name)),
  };
  const process = shared.open(fault);
  const options = {
    signal: new AbortController().signal,
    onCommit: () => undefined,
    onTakenBack: () => undefined,
  };
  const commit = commitChange(
    { disk, state: process.state },
    { plan, change: change(steps, { proposal: 'p1' }), options },
  );
  await commit.then(({ finished }) => finished).catch(() => undefined);
  return { disk, shared, faulted: process.faulted() };
}

describe.each([
  ['one file', ['a.md']],
  ['several files', ['a.md', 'b.md']],
])('an accepted proposal of %s', (_, names) => {
  it.each(['kill', 'power cut'] as const)(
    'is accepted exactly when its change is made, whenever a %s comes',
    async (end) => {
      const outcomes = new Set<string>();
      for (let crashAt = 1, faulted = true; faulted; crashAt++) {
        for (const when of ['before', 'after'] as const) {
          const run = await accept(names, { crashAt, when });
          faulted = run.faulted;
          if (end === 'power cut') await run.shared.cutPower({ lose: 'unsynced' });
          const { state, proposals } = run.shared.open();
          await recoverChanges({ disk: run.disk, state });
          const made = run.disk.paths().length;
          expect([0, names.length]).toContain(made);
          const { items } = await state.changes({}, { limit: 9, offset: 0 });
          const [id] = items.map((item) => item.id);
          const proposal = await proposals.get('p1', startMs);
          const where = `call ${crashAt}, ${when}`;
          expect([proposal?.state, proposal?.change], where).toEqual(
            made === 0 ? ['open', undefined] : ['accepted', id],
          );
          outcomes.add(`${proposal?.state} after call ${crashAt}`);
        }
      }
      expect([...outcomes].some((outcome) => outcome.startsWith('open'))).toBe(true);
      expect([...outcomes].some((outcome) => outcome.startsWith('accepted'))).toBe(true);
    },
  );
});
