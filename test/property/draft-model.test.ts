import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { isInside, vaultPath } from '../../src/base/vault-path.ts';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { counted, soakTime } from '../support/counts.ts';
import { openWrittenVault } from '../support/written-vault.ts';

// Promise 4: whatever operations come together in one change, the disk is afterwards what a plain
// list of files would be, and undo restores every byte.

const start: Readonly<Record<string, string>> = {
  'a.md': 'a',
  'b.md': 'b',
  'F/c.md': 'c',
  'F/G/d.md': 'd',
  'F/pic.png': 'pixels',
  'H/e.md': 'e',
};

const path = fc.constantFrom(
  'a.md',
  'b.md',
  'B.md',
  'F',
  'F/c.md',
  'F/G/d.md',
  'F/pic.png',
  'H/e.md',
  'N/n.md',
  'N/G/d.md',
  'H/a.md',
  'a.md/x.md',
);
const folder = fc.constantFrom('F', 'F/G', 'H', 'N', 'N/G', 'f', 'H/F', 'a.md');
const text = fc.constantFrom('', 'a', 'c', 'new', 'newer');

const step = fc.oneof(
  fc.record({ do: fc.constant('create' as const), path, text }),
  fc.record({ do: fc.constant('write' as const), path, text }),
  fc.record({ do: fc.constant('put' as const), path, text }),
  fc.record({ do: fc.constant('move' as const), path, to: path }),
  fc.record({ do: fc.constant('move folder' as const), path: folder, to: folder }),
  fc.record({ do: fc.constant('delete' as const), path }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function draftStep(draft: Draft, doing: Step): Promise<void> {
  const at = vaultPath(doing.path);
  switch (doing.do) {
    case 'create':
      return draft.create(at, doing.text);
    case 'write':
      return draft.write(at, doing.text);
    case 'put':
      return draft.put(at, new TextEncoder().encode(doing.text));
    case 'move':
      return draft.move(at, vaultPath(doing.to));
    case 'move folder':
      return draft.moveFolder(at, vaultPath(doing.to));
    case 'delete':
      return draft.delete(at);
  }
}

/** What the vault would be: a plain list of files. */
type Model = Map<string, string>;

function modelStep(model: Model, doing: Step): void {
  const { path: at } = doing;
  switch (doing.do) {
    case 'create':
    case 'put':
      model.set(at, doing.text);
      return;
    case 'write':
      expect(model.has(at)).toBe(true);
      model.set(at, doing.text);
      return;
    case 'delete':
      expect(model.delete(at)).toBe(true);
      return;
    case 'move': {
      const content = model.get(at);
      expect(content).toBeDefined();
      model.delete(at);
      expect(model.has(doing.to)).toBe(false);
      model.set(doing.to, content ?? '');
      return;
    }
    case 'move folder':
      for (const [file, content] of Array.from(model)) {
        if (!isInside(file, vaultPath(at))) continue;
        model.delete(file);
        model.set(doing.to + file.slice(at.length), content);
      }
  }
}

/** No file lies in another. */
function checkTree(model: Model): void {
  for (const file of model.keys()) {
    for (const other of model.keys()) expect(isInside(file, vaultPath(other))).toBe(false);
  }
}

/** Does a step to both, unless the draft refuses it: then nothing may have happened. */
async function doStep(draft: Draft, model: Model, doing: Step): Promise<void> {
  const had = model.has(doing.path);
  try {
    await draftStep(draft, doing);
  } catch (error) {
    if (error instanceof VaultError && error.code !== 'internal') return;
    throw error;
  }
  if (doing.do === 'create') expect(had).toBe(false);
  modelStep(model, doing);
  checkTree(model);
}

async function checkDraft(draft: Draft, model: Model): Promise<void> {
  for (const [file, content] of model) {
    expect(await draft.kind(vaultPath(file)), file).toBe('file');
    expect((await draft.read(vaultPath(file))).text, file).toBe(content);
  }
  for (const file of Object.keys(start)) {
    if (!model.has(file)) expect(await draft.kind(vaultPath(file)), file).not.toBe('file');
  }
  for (const name of ['F', 'H', 'N']) {
    const inside = Array.from(model.keys()).filter((file) => isInside(file, vaultPath(name)));
    expect(await draft.filesIn(vaultPath(name)), name).toEqual(inside.sort());
  }
}

/** Found once: the folder that the file needs on its way is where another one then moves to. */
const madeAndMovedAway: Step[] = [
  { do: 'create', path: 'N/G/d.md', text: '' },
  { do: 'move folder', path: 'N/G', to: 'f' },
  { do: 'move folder', path: 'F', to: 'N' },
];

/** Found once: another file is made where one was that moved away, in a folder that moves. */
const madeWhereOneWas: Step[] = [
  { do: 'move', path: 'F/G/d.md', to: 'B.md' },
  { do: 'move folder', path: 'F', to: 'N' },
  { do: 'create', path: 'N/G/d.md', text: '' },
  { do: 'delete', path: 'a.md' },
];

const runs = counted({ quick: 40, full: 300, soak: 20_000 });

it('leaves on disk what the operations of a change say, and undo takes it back', {
  timeout: soakTime(600_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (doings) => {
      const vault = await openWrittenVault(start);
      try {
        let model: Model = new Map();
        const change = vault.change(async (draft: Draft) => {
          model = new Map(Object.entries(start));
          for (const doing of doings) await doStep(draft, model, doing);
          await checkDraft(draft, model);
          return {};
        }, {});
        // A file in the place of a folder, or the other way round, may be refused as a whole; so is
        // a folder that moves to where another was made and moved away.
        const report = await change.catch((error: unknown) => {
          const refusals = ['not_a_folder', 'already_exists'];
          if (error instanceof VaultError && refusals.includes(error.code)) return undefined;
          throw error;
        });
        if (report === undefined) {
          expect(vault.files()).toEqual(start);
          return;
        }
        expect(report.kept).toEqual([]);
        expect(vault.files()).toEqual(Object.fromEntries(model));
        expect(await vault.indexFaults()).toEqual([]);
        if (report.change === undefined) return;
        const undo = await vault.change(undoChanges, {});
        expect(undo).toMatchObject({ merged: [], left: [], kept: [] });
        expect(vault.files()).toEqual(start);
        expect(await vault.indexFaults()).toEqual([]);
      } finally {
        await vault.close();
      }
    }),
    { numRuns: runs, examples: [[madeAndMovedAway], [madeWhereOneWas]] },
  );
});
