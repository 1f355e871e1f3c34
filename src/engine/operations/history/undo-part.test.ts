import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Draft } from '../../vault/draft.ts';
import { listChanges } from './list-changes.ts';
import { undoChanges } from './undo-changes.ts';
import { undoSelection } from './undo-selection.ts';

let vault: MemoryVault;
let before: Readonly<Record<string, string>>;
beforeEach(async () => {
  vault = await openWrittenVault({ 'a.md': 'one\n', 'b.md': 'bee\n', 'F/c.md': 'sea\n' });
  before = vault.files();
});
afterEach(() => vault.close());

type Doing = (draft: Draft) => Promise<unknown>;
const write =
  (path: string, text: string): Doing =>
  (draft) =>
    draft.write(vaultPath(path), text);
const create =
  (path: string, text: string): Doing =>
  (draft) =>
    draft.create(vaultPath(path), text);
const move =
  (from: string, to: string): Doing =>
  (draft) =>
    draft.move(vaultPath(from), vaultPath(to));

/** Makes one change, as someone who sees all, and answers its number. */
async function make(...doings: readonly Doing[]): Promise<number> {
  const { change } = await vault.change(async (draft: Draft, _: object) => {
    for (const doing of doings) await doing(draft);
    return {};
  }, {});
  return Number(change);
}

type UndoRequest = Omit<Parameters<typeof undoChanges>[1], 'dryRun'>;
const undo = (request: UndoRequest) => vault.change(undoChanges, request);

async function failure(call: Promise<unknown>): Promise<VaultError> {
  return call.then(
    () => expect.unreachable(),
    (error: VaultError) => error,
  );
}

describe('undo for a caller of one folder', () => {
  const limited = () =>
    vault.as({
      scopes: { effects: ['read', 'write', 'destroy'], folders: [vaultPath('F')], hide: [] },
      token: 'laptop',
    });
  const undoAs = (request: UndoRequest) => limited().change(undoChanges, request);
  const listed = async (as = limited()) => (await listChanges(as, { limit: 9, offset: 0 })).items;

  it('undoes only what lies in it', async () => {
    await make(create('o.md', 'x'));
    await make(create('F/o.md', 'x'));
    expect(await undoAs({ last: 5 })).toMatchObject({ restored: ['F/o.md'], warnings: [] });
    expect(Object.keys(vault.files())).toContain('o.md');
    expect((await failure(undoAs({ last: 5 }))).code).toBe('not_found');
  });

  it('undoes the part that it sees, and tells nothing of the rest', async () => {
    const both = await make(create('F/n.md', 'x'), create('n.md', 'x'));
    const [row] = await listed();
    const word = row?.id ?? '';
    expect((await failure(undoAs({ names: [both] }))).code).toBe('not_found');
    const report = await undoSelection(limited(), { names: [word] });
    expect(report).toMatchObject({
      undone: [word],
      restored: ['F/n.md'],
      left: [],
      warnings: [],
      files: [{ path: 'F/n.md', did: 'deleted' }],
    });
    expect(report.change).toMatch(/^c-/);
    expect(vault.files()).toEqual({ ...before, 'n.md': 'x' });
    // For the caller the change is undone, by one that it knows and can undo in turn.
    expect(await listed()).toMatchObject([
      { id: report.change, undoes: [word] },
      { id: word, undoneBy: report.change },
    ]);
    const again = await failure(undoAs({ names: [word] }));
    expect(again.message).toBe(`Change ${word} is undone already, by change ${report.change}.`);
    // For those who see all it is not, and can be undone whole.
    const seen = await listed(vault.vault);
    expect(seen.find(({ id }) => id === both)).not.toHaveProperty('undoneBy');
    expect(await undo({ names: [both] })).toMatchObject({ restored: ['n.md'], left: [] });
    expect(vault.files()).toEqual(before);
    expect((await listed()).find(({ id }) => id === word)?.undoneBy).toBe(report.change);
  });

  it('brings its part back when the undo of its part is undone', async () => {
    await make(write('F/c.md', 'new\n'), create('n.md', 'x'));
    const after = vault.files();
    const word = (await listed())[0]?.id ?? '';
    const { change = '' } = await undoAs({ names: [word] });
    await undoAs({ names: [change] });
    expect(vault.files()).toEqual(after);
    const rows = await listed();
    expect(rows.find(({ id }) => id === word)).not.toHaveProperty('undoneBy');
    await undoAs({ names: [word] });
    expect(vault.files()['n.md']).toBe('x');
  });

  it('takes a note that was moved away for deleted, and one that came for new', async () => {
    const moveRead = (from: string, to: string) => async (draft: Draft) => {
      await draft.read(vaultPath(from)); // So that history keeps it.
      await draft.move(vaultPath(from), vaultPath(to));
    };
    await make(moveRead('F/c.md', 'away.md'));
    await make(moveRead('away.md', 'F/back.md'));
    const [back, away] = (await listed()).map(({ id }) => id);
    const { 'F/back.md': text, ...rest } = vault.files();
    expect(await undoAs({ names: [back ?? ''] })).toMatchObject({ restored: ['F/back.md'] });
    expect(vault.files()).toEqual(rest);
    expect(await undoAs({ names: [away ?? ''] })).toMatchObject({ restored: ['F/c.md'] });
    expect(vault.files()).toEqual({ ...rest, 'F/c.md': text });
  });

  it('leaves what came without its text being read', async () => {
    await make(move('F/c.md', 'away.md'), write('b.md', 'x'));
    await make(move('away.md', 'F/back.md'), write('b.md', 'y'));
    const files = vault.files();
    const error = await failure(undoAs({ names: [(await listed())[0]?.id ?? ''] }));
    expect(error.message).toBe(
      'Nothing could be undone. "F/back.md": nothing is kept of what was there.',
    );
    expect(vault.files()).toEqual(files);
  });

  it.each<[string, readonly Doing[], string]>([
    ['gone', [], '"F/c.md": it is not there any more'],
    [
      'replaced by another',
      [create('F/c.md', 'another\n')],
      '"F/c.md": there is something else of that name now',
    ],
  ])('tells that a note which went out of its sight is %s', async (_, then, reason) => {
    await make(write('F/c.md', 'new\n'));
    const [word] = (await listed()).map(({ id }) => id);
    await make(move('F/c.md', 'away.md'));
    if (then.length > 0) await make(...then);
    const files = vault.files();
    const error = await failure(undoAs({ names: [word ?? ''] }));
    expect(error.message).toBe(`Nothing could be undone. ${reason}.`);
    expect(vault.files()).toEqual(files);
  });

  it('names a note that went out of its sight as it last knew it', async () => {
    await make(move('F/c.md', 'F/d.md'));
    const [word] = (await listed()).map(({ id }) => id);
    await make(move('F/d.md', 'away.md'));
    const error = await failure(undoAs({ names: [word ?? ''] }));
    expect(error.message).toBe('Nothing could be undone. "F/d.md": it is not there any more.');
  });

  it('names no change that it does not see', async () => {
    const hidden = await make(create('o.md', 'x'));
    const seen = await make(create('F/o.md', 'x'));
    await undo({ names: [hidden, seen] });
    expect(await listed()).toMatchObject([
      { undoes: [expect.stringMatching(/^c-/)] },
      { undoneBy: expect.stringMatching(/^c-/) },
    ]);
  });
});
