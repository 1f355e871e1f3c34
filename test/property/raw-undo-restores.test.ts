import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { redoChange } from '../../src/engine/operations/history/redo-change.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { undoSelection } from '../../src/engine/operations/history/undo-selection.ts';
import type { BoundVault } from '../../src/engine/vault/bound-vault.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { snapshot } from '../faults/snapshot.ts';
import { counted, soakTime } from '../support/counts.ts';
import { type MemoryVault, openWrittenVault, testCaller } from '../support/written-vault.ts';

// Promise 6 for the raw file tools: undo of any sequence of changes restores every byte and every
// folder, and redo brings it all back.

const start = { 'a.md': 'a', 'F/b.md': 'b', 'F/G/c': 'c', '.obsidian/app.json': '{}' };

const path = fc
  .constantFrom(
    'a.md',
    'F/b.md',
    'F/G/c',
    'F',
    'F/G',
    'n',
    'X',
    'X/Y',
    'X/Y/n',
    '.trash/a.md',
    '.x',
  )
  .map(vaultPath);
const text = fc.constantFrom('1', '2', 'a', 'b');

const step = fc.oneof(
  fc.record({ do: fc.constant('put' as const), path, text }),
  fc.record({ do: fc.constant('makeFolder' as const), path }),
  fc.record({ do: fc.constant('move' as const), path, to: path }),
  fc.record({ do: fc.constant('remove' as const), path }),
  fc.record({ do: fc.constant('removeFolder' as const), path, recursive: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const bind = ({ whole }: MemoryVault): BoundVault =>
  whole.bind(testCaller({ door: 'cli' }), { tool: 'fs', args: {}, raw: true });

/** Makes a change; answers whether there was something to change. */
async function make(vault: MemoryVault, request: Step): Promise<boolean> {
  // Of an empty folder that another replaced, undo brings nothing back.
  if (request.do === 'move' && (await vault.disk.kind(request.to)) === 'folder') return false;
  const plan = async ({ raw }: Draft): Promise<object> => {
    if (request.do === 'put') await raw.put(request.path, new TextEncoder().encode(request.text));
    else if (request.do === 'makeFolder') await raw.makeFolder(request.path);
    else if (request.do === 'move') await raw.move(request.path, request.to);
    else if (request.do === 'remove') await raw.remove(request.path);
    else await raw.removeFolder(request.path, { recursive: request.recursive });
    return {};
  };
  try {
    return (await bind(vault).change(plan, {})).change !== undefined;
  } catch (error) {
    if (error instanceof VaultError && error.code !== 'internal') return false;
    throw error;
  }
}

const runs = counted({ quick: 8, full: 40, soak: 1_000 });
const steps = fc.array(step, { minLength: 1, maxLength: 10 });

it('restores all one change after the other, and brings all of it back', {
  timeout: soakTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (doings) => {
      const vault = await openWrittenVault(start);
      try {
        const states = [snapshot(vault.disk)];
        for (const doing of doings) if (await make(vault, doing)) states.push(snapshot(vault.disk));
        for (const state of states.slice(0, -1).toReversed()) {
          expect(await bind(vault).change(undoChanges, {})).toMatchObject({ merged: [], left: [] });
          expect(snapshot(vault.disk)).toEqual(state);
        }
        for (const state of states.slice(1)) {
          expect(await bind(vault).change(redoChange, {})).toMatchObject({ merged: [], left: [] });
          expect(snapshot(vault.disk)).toEqual(state);
        }
        for (const state of states.slice(0, -1).toReversed()) {
          await bind(vault).change(undoChanges, {});
          expect(snapshot(vault.disk)).toEqual(state);
        }
        await vault.keeper.settle();
        expect(await vault.indexFaults()).toEqual([]);
      } finally {
        await vault.close();
      }
    }),
    { numRuns: runs },
  );
});

it('restores all at once', { timeout: soakTime(240_000) }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (doings) => {
      const vault = await openWrittenVault(start);
      try {
        const first = snapshot(vault.disk);
        let changes = 0;
        for (const doing of doings) if (await make(vault, doing)) changes++;
        fc.pre(changes > 0);
        const answer = await undoSelection(bind(vault), { last: changes });
        expect(answer).toMatchObject({ merged: [], left: [] });
        expect(snapshot(vault.disk)).toEqual(first);
      } finally {
        await vault.close();
      }
    }),
    { numRuns: runs },
  );
});
