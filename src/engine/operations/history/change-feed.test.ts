import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  change,
  make as makeChange,
  startMs,
  write,
} from '../../../../test/support/change-records.ts';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { Caller } from '../../../base/caller.ts';
import { allScopes } from '../../../base/caller.ts';
import { limits } from '../../../base/limits.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Draft } from '../../vault/draft.ts';
import { deleteFile } from '../move/delete-file.ts';
import { moveFile } from '../move/move-file.ts';
import { moveFolder } from '../move/move-folder.ts';
import { changeTexts } from './change-texts.ts';
import { countChanges } from './count-changes.ts';
import { listFeed, type WhichFeed } from './list-feed.ts';
import { listSessions } from './list-sessions.ts';
import { redoChange } from './redo-change.ts';
import { undoSelection } from './undo-selection.ts';

let vault: MemoryVault;
beforeEach(async () => {
  vault = await openWrittenVault({
    'a.md': 'one\n',
    'b.md': 'see [[a]]\n',
    'c.md': 'also [[a]]\n',
    'F/d.md': 'sea\n',
    'p.png': new Uint8Array([0xff, 0xd8, 0xff]),
  });
});
afterEach(() => vault.close());

type Doing = (draft: Draft) => Promise<unknown>;
const put =
  (path: string, text: string): Doing =>
  async (draft) =>
    (await draft.kind(vaultPath(path))) === undefined
      ? draft.create(vaultPath(path), text)
      : draft.write(vaultPath(path), text);

const agent = (more: Partial<Caller> = {}): Partial<Caller> => ({
  door: 'mcp-stdio',
  client: 'claude-ai/0.14.0',
  connection: 's1',
  ...more,
});

/** Makes one change as someone, and answers its number. */
async function make(who: Partial<Caller>, ...doings: readonly Doing[]): Promise<number> {
  const { change } = await vault.as(who).change(async (draft: Draft, _: object) => {
    for (const doing of doings) await doing(draft);
    return {};
  }, {});
  return Number(change);
}
const owner = () => vault.as({ door: 'console', connection: 'page' });
const feed = async (which: WhichFeed = {}, limit = 100) =>
  (await listFeed(owner(), { ...which, limit })).items.map(({ id }) => id);
const limited = () => vault.as({ scopes: { ...allScopes, folders: [vaultPath('F')] } });

describe('listFeed', () => {
  it('lists changes with who undid them, without the undos of the owner', async () => {
    const first = await make(agent(), put('a.md', '1'));
    const second = await make(agent({ client: 'Cursor/3' }), put('b.md', '2'));
    await undoSelection(owner(), { names: [first] });
    const { total, items } = await listFeed(owner(), { limit: 100 });
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { id: second, client: 'Cursor/3', files: [{ path: 'b.md', did: 'changed' }] },
      { id: first, undoneBy: 3, undone: { door: 'console', changes: 1 } },
    ]);
    expect(items[0]).not.toHaveProperty('undone');
    await undoSelection(vault.as(agent()), { names: [second] });
    expect(await feed()).toEqual([4, second, first]);
  });

  it('filters', async () => {
    const created = await make(agent(), put('n.md', 'n'));
    const changed = await make(agent({ client: 'claude-ai/2' }), put('n.md', 'm'));
    await vault.as(agent({ client: 'Cursor/3', connection: 's2' })).change(moveFile, {
      name: 'a',
      to: 'F/a.md',
    });
    await vault.as({ door: 'cli' }).change(deleteFile, { name: 'n' });
    const rows: readonly [which: WhichFeed, ids: readonly number[]][] = [
      [{ client: 'claude-ai' }, [changed, created]],
      [{ client: 'claude' }, []],
      [{ session: 's2' }, [3]],
      [{ door: 'cli' }, [4]],
      [{ path: 'n.md' }, [4, changed, created]],
      [{ path: 'F' }, [3]],
      [{ kinds: ['moved', 'deleted'] }, [4, 3]],
      [{ kinds: ['created'], client: 'claude-ai' }, [created]],
      [{ before: 3 }, [changed, created]],
      [{ undone: 'only' }, []],
      [{ sinceMs: 0, untilMs: 1 }, []],
    ];
    for (const [which, ids] of rows) expect([which, await feed(which)]).toEqual([which, ids]);
    await undoSelection(owner(), { names: [3] });
    expect(await feed({ undone: 'only' })).toEqual([3]);
    expect(await feed({ undone: 'hide' })).toEqual([4, changed, created]);
  });

  it('goes on where a page ended, whatever was changed meanwhile', async () => {
    for (const text of ['1', '2', '3', '4']) await make(agent(), put('a.md', text));
    for (const kinds of [undefined, ['changed'] as const]) {
      const page = await listFeed(owner(), { limit: 2, kinds });
      await make(agent(), put('a.md', `${kinds?.[0]}`));
      const rest = await listFeed(owner(), { limit: 2, kinds, before: page.next });
      const all = [...page.items, ...rest.items].map(({ id }) => id);
      expect(all).toEqual(all.map((_, at) => (all[0] ?? 0) - at));
    }
    expect(await listFeed(owner(), { limit: 9, kinds: ['changed'] })).not.toHaveProperty('next');
  });

  it('is refused to those who do not see everything', async () => {
    for (const call of [
      listFeed(limited(), { limit: 1 }),
      listSessions(limited(), { limit: 1, offset: 0 }),
      changeTexts(limited(), { id: 1 }),
      countChanges(limited(), { days: 1 }),
    ]) {
      await expect(call).rejects.toMatchObject({ code: 'forbidden' });
    }
  });
});

describe('changeTexts', () => {
  const textsOf = async (id: number, paths?: readonly string[]) =>
    (await changeTexts(owner(), { id, paths })).texts;

  it('has the texts before and after', async () => {
    const id = await make(agent(), put('a.md', 'two\n'), put('n.md', '\ufeffnew\r\n'));
    expect(await textsOf(id)).toEqual([
      { path: 'a.md', did: 'changed', before: 'one\n', after: 'two\n' },
      { path: 'n.md', did: 'created', after: '\ufeffnew\r\n' },
    ]);
    expect(await textsOf(id, ['n.md'])).toHaveLength(1);
    await expect(textsOf(99)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [{ permanent: true }, {}],
    [{ trash: 'local' as const }, { trash: '.trash/a.md' }],
  ])('has the words of a deleted note %j, and where it is: %j', async (how, where) => {
    const { change } = await vault.as(agent()).change(deleteFile, { name: 'a', ...how });
    expect(await textsOf(Number(change))).toEqual([
      { path: 'a.md', did: 'deleted', before: 'one\n', linksLost: 2, ...where },
    ]);
  });

  it('has only the names of what moved, and the texts of what changed with it', async () => {
    const { change } = await vault.as(agent()).change(moveFile, { name: 'a', to: 'z.md' });
    const texts = await textsOf(Number(change));
    expect(texts.toSorted((x, y) => (x.path < y.path ? -1 : 1))).toEqual([
      { path: 'b.md', did: 'changed', before: 'see [[a]]\n', after: 'see [[z]]\n' },
      { path: 'c.md', did: 'changed', before: 'also [[a]]\n', after: 'also [[z]]\n' },
      { path: 'z.md', did: 'moved', from: 'a.md' },
    ]);
  });

  it('says what is a folder, is no text, or is not kept', async () => {
    await vault.as(agent()).change(moveFolder, { folder: 'F', to: 'G' });
    expect(await textsOf(1)).toEqual([{ path: 'G', did: 'moved', from: 'F', isFolder: true }]);
    await vault.as(agent()).change(deleteFile, { name: 'p.png', permanent: true });
    expect(await textsOf(2)).toEqual([{ path: 'p.png', did: 'deleted', binary: true }]);
    await vault.as(agent()).change(deleteFile, { name: 'a', trash: 'local' });
    vault.disk.erase('.trash/a.md');
    expect((await textsOf(3))[0]).toMatchObject({ did: 'deleted' });
  });

  it('leaves out texts that are too long in all', async () => {
    const long = 'x'.repeat(limits.changeTextsCharsMax);
    const id = await make(agent(), put('a.md', long), put('b.md', 'short'));
    expect(await textsOf(id)).toEqual([
      { path: 'a.md', did: 'changed', before: 'one\n', after: long },
      { path: 'b.md', did: 'changed', more: true },
    ]);
    expect(await textsOf(id, ['b.md'])).toMatchObject([{ after: 'short' }]);
  });
});

describe('undo of single files', () => {
  it('takes back a file of a change and leaves the others, and can be redone', async () => {
    const { change } = await vault.as(agent()).change(moveFile, { name: 'a', to: 'z.md' });
    const id = Number(change);
    const after = vault.files();
    const request = { names: [id], paths: ['b.md'] };
    const preview = await undoSelection(owner(), { ...request, dryRun: true });
    expect(preview).toMatchObject({ restored: ['b.md'], left: [], dryRun: true });
    expect(vault.files()).toEqual(after);
    const undone = await undoSelection(owner(), request);
    expect(vault.files()).toEqual({ ...after, 'b.md': 'see [[a]]\n' });
    // The change is not undone, but one of its files is, and the list shows who did it.
    const { texts, ...row } = await changeTexts(owner(), { id });
    expect(row).not.toHaveProperty('undoneBy');
    expect(texts.flatMap(({ path, undoneBy }) => (undoneBy ? [[path, undoneBy]] : []))).toEqual([
      ['b.md', undone.change],
    ]);
    const { items } = await listFeed(owner(), { limit: 2 });
    expect(items).toMatchObject([{ partly: [id] }, { id, undoneInPart: true }]);
    // Also where a filter leaves the undo out.
    const others = (await listFeed(owner(), { client: 'claude-ai', limit: 2 })).items;
    expect(others).toMatchObject([{ id, undoneInPart: true }]);
    const redone = await owner().change(redoChange, { id: Number(undone.change) });
    expect(redone.redone).toEqual([id]);
    expect(vault.files()).toEqual(after);
    expect((await listFeed(owner(), { limit: 9 })).items.at(-1)).not.toHaveProperty('undoneInPart');
    // The file that moved, by its name before; then the whole change.
    await undoSelection(owner(), { names: [id], paths: ['a.md'] });
    expect(vault.files()).toEqual({ ...after, 'a.md': 'one\n', 'z.md': undefined });
    expect(await undoSelection(owner(), { names: [id] })).toMatchObject({ left: [] });
    expect(vault.text('c.md')).toBe('also [[a]]\n');
    expect((await changeTexts(owner(), { id })).undone).toMatchObject({ door: 'console' });
  });

  it('follows a file into a folder that the same change moved', async () => {
    const id = await make(agent(), put('F/d.md', 'changed\n'), (draft) =>
      draft.moveFolder(vaultPath('F'), vaultPath('G')),
    );
    await undoSelection(owner(), { names: [id], paths: ['G/d.md'] });
    expect(vault.text('G/d.md')).toBe('sea\n');
    await undoSelection(owner(), { names: [id], paths: ['G'] });
    expect(vault.text('F/d.md')).toBe('sea\n');
  });

  it('removes the folder that was made for the file', async () => {
    const id = await make(agent(), put('New/x.md', 'x'), put('y.md', 'y'));
    await undoSelection(owner(), { names: [id], paths: ['New/x.md'] });
    expect(await vault.vault.vault.parts.disk.list(vaultPath('New'))).toBeUndefined();
    expect(vault.text('y.md')).toBe('y');
  });

  it('looks into several changes, and refuses what none is about', async () => {
    const ids = [
      await make(agent(), put('a.md', '1'), put('b.md', '1')),
      await make(agent(), put('b.md', '2')),
    ];
    const failed = await undoSelection(owner(), { names: ids, paths: ['c.md'] }).catch((e) => e);
    expect(failed).toMatchObject({ code: 'not_found' });
    await expect(undoSelection(owner(), { session: 's1', paths: ['a.md'] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    const { undone } = await undoSelection(owner(), { names: ids, paths: ['a.md'] });
    expect(undone).toEqual([ids[0]]);
    expect([vault.text('a.md'), vault.text('b.md')]).toEqual(['one\n', '2']);
    expect(await feed({ undone: 'only' })).toEqual([]);
  });
});

describe('listSessions', () => {
  it('puts changes together by connection, and else by client and time', async () => {
    const bridge = { door: 'bridge', client: 'script' } as const;
    await make(agent(), put('a.md', '1'));
    await make(bridge, put('b.md', '1'));
    await make(agent(), put('a.md', '2'), put('b.md', '2'));
    await undoSelection(owner(), { names: [3] });
    await make(bridge, put('c.md', '1'));
    const page = await listSessions(owner(), { limit: 10, offset: 0 });
    expect(page).toMatchObject({ total: 2, clients: ['claude-ai', 'script'] });
    expect(page.items).toMatchObject([
      { key: 'from-2', door: 'bridge', changes: 2, files: 2, undoable: 2, ids: [5, 2] },
      { key: 's1', connection: 's1', changes: 2, files: 2, undoable: 1, ids: [3, 1] },
    ]);
    expect(await listSessions(owner(), { limit: 1, offset: 1 })).toMatchObject({
      items: [{ key: 's1' }],
    });
    expect(await listSessions(owner(), { client: 'script', limit: 9, offset: 0 })).toMatchObject({
      total: 1,
    });
  });

  it('begins another session after ten minutes where there is no connection', async () => {
    const { state } = vault.vault.vault.parts;
    for (const minutes of [0, 9, 18, 28]) {
      const timeMs = startMs + minutes * 60_000;
      await makeChange(state, change([write('a.md', 'a', 'b')], { door: 'bridge', timeMs }));
    }
    const page = await listSessions(owner(), { limit: 9, offset: 0 });
    expect(page.items.map(({ ids }) => ids)).toEqual([[4], [3, 2, 1]]);
  });
});

describe('countChanges', () => {
  it('counts by day and client', async () => {
    await make(agent(), put('a.md', '1'), put('b.md', '1'));
    await make(agent({ client: 'claude-ai/2' }), put('a.md', '2'));
    await make({ door: 'cli' }, put('a.md', '3'));
    const { items } = await countChanges(owner(), { days: 1 });
    expect(items).toMatchObject([
      { changes: 1, files: 1 },
      { client: 'claude-ai', door: 'mcp-stdio', changes: 2, files: 3 },
    ]);
  });
});
