import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import type { Draft } from '../../vault/draft.ts';
import { redoChange } from './redo-change.ts';
import { undoChanges } from './undo-changes.ts';

const start = {
  'a.md': 'one\ntwo\nthree\nfour\nfive\n',
  'b.md': 'bee\n',
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
    draft.write(vaultPath(path), text);
const create =
  (path: string, text: string): Doing =>
  (draft) =>
    draft.create(vaultPath(path), text);
const remove =
  (path: string): Doing =>
  (draft) =>
    draft.delete(vaultPath(path));
const move =
  (from: string, to: string): Doing =>
  (draft) =>
    draft.move(vaultPath(from), vaultPath(to), { dotNames: to.startsWith('.') });
const moveFolder =
  (from: string, to: string): Doing =>
  (draft) =>
    draft.moveFolder(vaultPath(from), vaultPath(to));
const all =
  (...doings: readonly Doing[]): Doing =>
  async (draft) => {
    for (const doing of doings) await doing(draft);
  };

/** Makes one change and answers its number. */
async function make(doing: Doing): Promise<number> {
  const report = await vault.change(async (draft: Draft, _: object) => {
    await doing(draft);
    return {};
  }, {});
  return Number(report.change ?? 0);
}

type UndoRequest = Omit<Parameters<typeof undoChanges>[1], 'dryRun'> & {
  readonly dryRun?: boolean;
};
const undo = (request: UndoRequest) => vault.change(undoChanges, request);
const redo = (id?: number) => vault.change(redoChange, id === undefined ? {} : { id });

async function failure(call: Promise<unknown>): Promise<VaultError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(VaultError);
  return error as VaultError;
}

const changes: readonly [what: string, doing: Doing][] = [
  ['an edit', write('a.md', 'other\n')],
  ['a new note', create('new.md', 'x')],
  ['a new note in new folders', create('X/Y/new.md', 'x')],
  ['a deletion', remove('a.md')],
  ['a deletion into the trash', move('a.md', '.trash/a.md')],
  ['a move', move('a.md', 'X/a.md')],
  ['a move of an attachment', move('F/d.png', 'd.png')],
  ['a respelled name', move('a.md', 'A.md')],
  ['an edit with a move', all(write('a.md', 'other\n'), move('a.md', 'z.md'))],
  ['a moved folder', moveFolder('F', 'G/H')],
  ['a folder moved into one that moved', all(moveFolder('F', 'G'), moveFolder('E', 'G/E'))],
  ['a moved folder with an edit in it', all(write('F/c.md', 'x'), moveFolder('F', 'G'))],
  [
    'two files that change places',
    all(move('a.md', 't.md'), move('b.md', 'a.md'), move('t.md', 'b.md')),
  ],
  ['a note put in the place of another', all(remove('b.md'), move('a.md', 'b.md'))],
];

describe('undoChanges and redoChange', () => {
  it.each(changes)('takes back and brings back %s', async (_, doing) => {
    const id = await make(doing);
    const after = vault.files();
    const folders = vault.disk.folders();
    expect(after).not.toEqual(before);
    const undone = await undo({});
    expect(vault.files()).toEqual(before);
    expect(undone).toMatchObject({ undone: [id], merged: [], left: [] });
    expect(await redo()).toMatchObject({ undone: [undone.change], merged: [], left: [] });
    expect(vault.files()).toEqual(after);
    expect(vault.disk.folders()).toEqual(folders);
    await undo({});
    expect(vault.files()).toEqual(before);
    expect(vault.disk.folders()).toEqual(['E', 'F']);
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('redoes a change by its own number, unless it was undone with others', async () => {
    const first = await make(write('a.md', 'other\n'));
    expect((await failure(redo(first))).message).toContain('is not undone');
    await undo({ ids: [first] });
    expect(await redo(first)).toMatchObject({ redone: [first] });
    expect(vault.text('a.md')).toBe('other\n');
    const second = await make(write('b.md', 'other\n'));
    const { change } = await undo({ ids: [first, second] });
    expect((await failure(redo(first))).message).toBe(
      `Change ${first} was undone together with others, by change ${change}; redo that one to make all of them again.`,
    );
  });

  it('touches nothing in a dry run, and shows what it would do', async () => {
    await make(write('b.md', 'other\n'));
    const { diff, change } = await undo({ dryRun: true });
    expect(vault.text('b.md')).toBe('other\n');
    expect(diff).toContain('-other\n+bee\n');
    expect(change).toBeUndefined();
  });

  it('keeps later edits elsewhere in the note', async () => {
    const id = await make(write('a.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    await make(write('a.md', 'ONE\ntwo\nthree\nfour\nFIVE\n'));
    expect(await undo({ ids: [id] })).toMatchObject({ restored: [], merged: ['a.md'], left: [] });
    expect(vault.text('a.md')).toBe('one\ntwo\nthree\nfour\nFIVE\n');
  });

  it('keeps what was appended below an appended line, by a person and by another program', async () => {
    const id = await make(write('b.md', 'bee\nfirst\n'));
    await make(write('b.md', 'bee\nfirst\nsecond\n'));
    vault.disk.write('b.md', 'bee\nfirst\nsecond\nby hand');
    expect(await undo({ ids: [id] })).toMatchObject({ merged: ['b.md'], left: [] });
    expect(vault.text('b.md')).toBe('bee\nsecond\nby hand');
    await redo();
    expect(vault.text('b.md')).toBe('bee\nfirst\nsecond\nby hand');
  });

  it('does not speak of later edits where they were undone before', async () => {
    const before = vault.text('a.md');
    const first = await make(write('a.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    const second = await make(write('a.md', 'ONE\ntwo\nthree\nfour\nFIVE\n'));
    expect(await undo({ ids: [first] })).toMatchObject({ merged: ['a.md'] });
    expect(await undo({ ids: [second] })).toMatchObject({ restored: ['a.md'], merged: [] });
    expect(vault.text('a.md')).toBe(before);
    // The content with the later edit is known by now, but not from before the change.
    await redo();
    await redo();
    expect(await undo({ ids: [first] })).toMatchObject({ restored: [], merged: ['a.md'] });
  });

  it('keeps edits that another program made since', async () => {
    await make(write('a.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    vault.disk.write('a.md', 'ONE\ntwo\nthree\nfour\nby hand\n');
    expect(await undo({})).toMatchObject({ merged: ['a.md'] });
    expect(vault.text('a.md')).toBe('one\ntwo\nthree\nfour\nby hand\n');
  });

  it('has nothing to do where someone took the edit back by hand', async () => {
    await make(write('a.md', 'ONE\ntwo\nthree\nfour\nfive\n'));
    vault.disk.write('a.md', 'one\ntwo\nthree\nfour\nby hand\n');
    const answer = await undo({});
    expect(answer).toMatchObject({ restored: [], merged: [], left: [] });
    expect(answer.change).toBeUndefined();
  });

  it('leaves and lists what was edited in the same lines, and restores the rest', async () => {
    await make(all(write('a.md', 'x\n'), write('b.md', 'y\n')));
    vault.disk.write('a.md', 'by hand\n');
    const answer = await undo({});
    expect(answer).toMatchObject({ restored: ['b.md'], left: [{ path: 'a.md' }] });
    expect(vault.text('a.md')).toBe('by hand\n');
    expect(vault.text('b.md')).toBe('bee\n');
  });

  const inTheWay: readonly [what: string, doing: Doing, meanwhile: () => void][] = [
    [
      'an edited note that was edited in the same lines',
      write('b.md', 'x\n'),
      () => vault.disk.write('b.md', 'y\n'),
    ],
    ['an edited note that is gone', write('b.md', 'x\n'), () => vault.disk.erase('b.md')],
    ['a new note that was edited', create('n.md', 'x\n'), () => vault.disk.write('n.md', 'y\n')],
    ['a deleted note whose name is taken', remove('b.md'), () => vault.disk.write('b.md', 'y\n')],
    [
      'a moved note whose name is taken',
      move('b.md', 'z.md'),
      () => vault.disk.write('b.md', 'y\n'),
    ],
    ['a moved note that is gone', move('b.md', 'z.md'), () => vault.disk.erase('z.md')],
    [
      'a moved folder whose name is taken',
      moveFolder('F', 'G'),
      () => vault.disk.write('F/new.md', 'y\n'),
    ],
    ['a moved folder that is gone', moveFolder('F', 'G'), () => vault.disk.erase('G')],
    [
      'bytes that are no text and were changed',
      all(remove('F/d.png'), create('F/d.png', 'x')),
      () => vault.disk.write('F/d.png', 'y'),
    ],
  ];
  it.each(inTheWay)('is a conflict that changes nothing for %s', async (_, doing, meanwhile) => {
    await make(doing);
    meanwhile();
    const files = vault.files();
    const { code, details } = await failure(undo({}));
    expect(code).toBe('conflict');
    expect(details['left']).toHaveLength(1);
    expect(vault.files()).toEqual(files);
  });

  it('leaves what history does not have the former content of', async () => {
    const { state, hash } = vault.whole.parts;
    const id = await state.begin(
      {
        door: 'cli',
        tool: 'test',
        args: {},
        timeMs: 0,
        steps: [
          {
            do: 'write',
            path: vaultPath('b.md'),
            before: 'lost' as Version,
            after: hash.version(new TextEncoder().encode('bee\n')),
            token: 't',
          },
        ],
      },
      'single',
      [],
    );
    await state.finish(id, []);
    expect((await failure(undo({ ids: [id] }))).details['left']).toMatchObject([
      { path: 'b.md', reason: expect.stringContaining('not kept') },
    ]);
  });

  it('follows a note that was moved since', async () => {
    const id = await make(write('F/c.md', 'changed\n'));
    await make(move('F/c.md', 'F/e.md'));
    await make(moveFolder('F', 'G'));
    expect(await undo({ ids: [id] })).toMatchObject({ restored: ['G/e.md'] });
    expect(vault.text('G/e.md')).toBe('sea\n');
  });

  it('moves a note back into its folder where that is now', async () => {
    const id = await make(move('F/c.md', 'F/e.md'));
    await make(moveFolder('F', 'G'));
    await undo({ ids: [id] });
    expect(vault.text('G/c.md')).toBe('sea\n');
  });

  it('does not take another note of the same name for it', async () => {
    const id = await make(write('b.md', 'changed\n'));
    await make(move('b.md', 'z.md'));
    await make(create('b.md', 'changed\n'));
    await undo({ ids: [id] });
    expect(vault.text('z.md')).toBe('bee\n');
    expect(vault.text('b.md')).toBe('changed\n');
  });

  it('brings a note back from history when the trash was emptied or has another in its place', async () => {
    await make(move('b.md', '.trash/b.md'));
    vault.disk.erase('.trash/b.md');
    await undo({});
    expect(vault.text('b.md')).toBe('bee\n');
    await make(move('b.md', '.trash/b.md'));
    vault.disk.write('.trash/b.md', 'another\n');
    await undo({});
    expect(vault.text('b.md')).toBe('bee\n');
    expect(vault.text('.trash/b.md')).toBe('another\n');
  });

  it('takes a deletion into the trash up again beside what lies there now', async () => {
    await make(move('b.md', '.trash/b.md'));
    await undo({});
    vault.disk.write('.trash/b.md', 'another\n');
    await redo();
    expect(vault.text('.trash/b.md')).toBe('another\n');
    expect(vault.text('.trash/b 2.md')).toBe('bee\n');
  });

  it('undoes an edit of a note that came back from an emptied trash', async () => {
    const id = await make(write('b.md', 'changed\n'));
    await make(move('b.md', '.trash/b.md'));
    vault.disk.erase('.trash/b.md');
    await undo({});
    await undo({ ids: [id] });
    expect(vault.text('b.md')).toBe('bee\n');
  });

  it('undoes the last so many, which undos do not count among', async () => {
    await make(write('a.md', '1\n'));
    await make(write('a.md', '2\n'));
    await make(write('a.md', '3\n'));
    await undo({});
    expect(vault.text('a.md')).toBe('2\n');
    await undo({ last: 2 });
    expect(vault.files()).toEqual(before);
    expect((await failure(undo({}))).code).toBe('not_found');
  });

  const atOnce: readonly [what: string, doings: readonly Doing[]][] = [
    [
      'a folder with what happened in it',
      [create('F/n.md', 'x'), moveFolder('F', 'G'), remove('G/c.md')],
    ],
    [
      'a note that was made, moved and deleted',
      [create('n.md', 'x'), move('n.md', 'm.md'), move('m.md', '.trash/m.md')],
    ],
    [
      'a note that was deleted, and another in its place',
      [remove('a.md'), move('b.md', 'a.md'), remove('a.md')],
    ],
  ];
  it.each(atOnce)('undoes %s at once', async (_, doings) => {
    for (const doing of doings) await make(doing);
    const after = vault.files();
    expect(await undo({ last: doings.length })).toMatchObject({ left: [], merged: [], kept: [] });
    expect(vault.files()).toEqual(before);
    await redo();
    expect(vault.files()).toEqual(after);
  });

  it('redoes undos in turn, the last one first, and then has nothing to redo', async () => {
    await make(write('a.md', '1\n'));
    await make(write('a.md', '2\n'));
    await undo({});
    await undo({});
    await redo();
    expect(vault.text('a.md')).toBe('1\n');
    await redo();
    expect(vault.text('a.md')).toBe('2\n');
    expect((await failure(redo())).code).toBe('not_found');
  });

  it('chooses by client, session, time and path', async () => {
    const by = async (client: string, connection: string, path: string) => {
      await vault.as({ client, connection }).change(async (draft: Draft, _: object) => {
        await draft.create(vaultPath(path), client);
        return {};
      }, {});
    };
    await by('x', 's1', 'N/1.md');
    await by('x', 's2', 'N/2.md');
    await by('y', 's1', 'M/3.md');
    const made = (): string[] => Object.keys(vault.files()).filter((path) => /^[NM]/.test(path));
    await undo({ clients: ['y'], dryRun: false });
    expect(made()).toEqual(['N/1.md', 'N/2.md']);
    await redo();
    await undo({ session: 's1' });
    expect(made()).toEqual(['N/2.md']);
    await redo();
    await undo({ path: 'N' });
    expect(made()).toEqual(['M/3.md']);
    await redo();
    await undo({ sinceMs: 0 });
    expect(vault.files()).toEqual(before);
  });

  it('refuses numbers that do not exist, are undone, or are not alone', async () => {
    const id = await make(write('a.md', '1\n'));
    expect((await failure(undo({ ids: [id, 99] }))).message).toContain('There is no change 99');
    expect((await failure(undo({ ids: [id], clients: ['x'] }))).code).toBe('invalid_input');
    expect((await failure(redo(id))).code).toBe('invalid_input');
    const { change } = await undo({ ids: [id] });
    const again = await failure(undo({ ids: [id] }));
    expect(again.code).toBe('invalid_input');
    expect(again.details['undoneBy']).toBe(change);
  });
});
