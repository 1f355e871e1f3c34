import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import { NotTogether } from '../../history/undo-history.ts';
import type { Draft } from '../../vault/draft.ts';
import { redoChange } from './redo-change.ts';
import { undoChanges } from './undo-changes.ts';
import { undoSelection } from './undo-selection.ts';

const start = {
  'a.md': 'one\n',
  'E/e.md': 'eh\n',
  'F/c.md': 'sea\n',
  'F/d.png': new Uint8Array([1, 0, 255]),
};

let vault: MemoryVault;
let before: Readonly<Record<string, string>>;
beforeEach(async () => {
  vault = await openWrittenVault(start);
  before = vault.files();
});
afterEach(() => vault.close());

type Doing = (draft: Draft) => Promise<unknown>;
const write =
  (path: string, text: string): Doing =>
  (draft) =>
    draft.put(vaultPath(path), new TextEncoder().encode(text));
const move =
  (from: string, to: string): Doing =>
  (draft) =>
    draft.move(vaultPath(from), vaultPath(to));
const moveFolder =
  (from: string, to: string): Doing =>
  (draft) =>
    draft.moveFolder(vaultPath(from), vaultPath(to));

async function make(...doings: readonly Doing[]): Promise<void> {
  for (const doing of doings) {
    await vault.change(async (draft: Draft, _: object) => {
      await doing(draft);
      return {};
    }, {});
  }
}

it('warns of links that were written after an undone rename', async () => {
  await make(move('a.md', 'z.md'), write('E/e.md', 'see [[z]]\n'));
  const { warnings } = await undoSelection(vault.vault, { names: [1] });
  expect(warnings).toEqual([
    '1 link still has the name "z.md", which is undone, and leads nowhere now.',
  ]);
});

const apart: readonly [what: string, ...doings: Doing[]][] = [
  ['a folder moved there and back', moveFolder('F', 'G'), moveFolder('G', 'F')],
  ['a folder was made and moved', write('N/n.md', 'x'), moveFolder('N', 'M')],
  [
    'a note went into a folder that moved twice',
    move('a.md', 'X/Y/n.md'),
    moveFolder('X/Y', 'F/X'),
    moveFolder('F/X', 'Z'),
  ],
  ['a folder moved on', moveFolder('F', 'G'), write('G/c.md', 'x\n'), moveFolder('G', 'H/I')],
  ['another file is where the folder was', moveFolder('F', 'G'), write('F/new.md', 'x')],
  [
    'folders changed places',
    moveFolder('E', 'T'),
    moveFolder('F', 'E'),
    moveFolder('T', 'F'),
    write('F/e.md', 'x\n'),
    move('E/c.md', 'F/c.md'),
  ],
  ['a folder went into another', moveFolder('F', 'E/F'), moveFolder('E', 'K'), write('E/x.md', '')],
];

describe('undoSelection', () => {
  it.each(apart)('takes all back where %s', async (_, ...doings) => {
    await make(...doings);
    const after = vault.files();
    const request = { last: doings.length };
    await expect(vault.change(undoChanges, request)).rejects.toBeInstanceOf(NotTogether);
    const plan = await undoSelection(vault.vault, { ...request, dryRun: true });
    expect(vault.files()).toEqual(after);
    expect(plan).toMatchObject({ dryRun: true, changes: [], left: [], merged: [] });
    const answer = await undoSelection(vault.vault, request);
    expect(answer).toMatchObject({ left: [], merged: [], undone: plan.undone });
    expect(answer.changes.length).toBeGreaterThan(1);
    expect(answer.change).toBe(answer.changes.at(-1));
    expect(vault.files()).toEqual(before);
    expect(vault.disk.folders()).toEqual(['E', 'F']);
    // What it made is taken back by its numbers, all at once again, or one after the other.
    await undoSelection(vault.vault, { names: answer.changes });
    expect(vault.files()).toEqual(after);
    const again = await undoSelection(vault.vault, { ids: [...doings.keys()].map((n) => n + 1) });
    for (const _ of again.changes) await vault.change(redoChange, {});
    expect(vault.files()).toEqual(after);
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('shows and reports what it comes to in the end', async () => {
    await make(moveFolder('F', 'G'), write('G/c.md', 'x\n'), moveFolder('G', 'H'));
    const { diff } = await undoSelection(vault.vault, { last: 3, dryRun: true });
    expect(diff).toContain('rename from H/c.md\nrename to F/c.md\n');
    expect(diff).toContain('-x\n+sea\n');
    expect(diff).not.toContain('G/');
    const { files } = await undoSelection(vault.vault, { last: 3 });
    expect(files.map(({ path, from }) => [from, path])).toContainEqual(['H', 'F']);
    expect(files.some(({ path }) => path.startsWith('G'))).toBe(false);
  });

  it('is one change where that can say it all', async () => {
    await make(write('a.md', 'x\n'), moveFolder('F', 'G'));
    expect((await undoSelection(vault.vault, { last: 2 })).changes).toHaveLength(1);
    expect(vault.files()).toEqual(before);
  });

  it('lists what has moved on, and goes on with the rest', async () => {
    await make(moveFolder('F', 'G'), moveFolder('G', 'H'), write('a.md', 'x\n'));
    vault.disk.write('a.md', 'by hand\n');
    const answer = await undoSelection(vault.vault, { last: 3 });
    expect(answer.left).toMatchObject([{ path: 'a.md' }]);
    expect(answer.undone).toEqual([2, 1]);
    expect(vault.text('F/c.md')).toBe('sea\n');
  });

  it('is a conflict that changes nothing when all has moved on', async () => {
    await make(moveFolder('F', 'G'), moveFolder('G', 'H'));
    vault.disk.erase('H');
    const files = vault.files();
    await expect(undoSelection(vault.vault, { last: 2 })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(vault.files()).toEqual(files);
  });

  it('says what is undone when a later part fails', async () => {
    await make(moveFolder('F', 'G'), moveFolder('G', 'H'));
    let made = 0;
    const { caller } = vault.vault;
    const ending = new AbortController();
    const cancelled = vault.as({
      ...caller,
      signal: ending.signal,
      onCommit: () => {
        if (++made === 1) ending.abort();
      },
    });
    const error: VaultError = await undoSelection(cancelled, { last: 2 }).then(
      () => undefined as never,
      (reason) => reason,
    );
    expect(error.code).toBe('cancelled');
    expect(error.details['undone']).toEqual([2]);
    expect(error.message).toMatch(/^Change 2 had been undone already/);
    expect(vault.text('G/c.md')).toBe('sea\n');
  });
});
