import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { Caller } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { changeIds } from '../../history/change-ids.ts';
import type { Draft } from '../../vault/draft.ts';
import { listChanges } from './list-changes.ts';
import { showChange } from './show-change.ts';
import { undoChanges } from './undo-changes.ts';

let vault: MemoryVault;
beforeEach(async () => {
  vault = await openWrittenVault({
    'a.md': 'one\n',
    'F/b.md': 'bee\n',
    'F/c.md': 'sea\n',
    'F/d.png': new Uint8Array([1, 0, 255]),
  });
});
afterEach(() => vault.close());

const path = vaultPath;
const page = { limit: 10, offset: 0 };
const inF: Partial<Caller> = {
  scopes: { effects: ['read', 'write', 'destroy'], folders: [path('F')], hide: [] },
};

/** Makes one change by a tool with an argument, and answers its number. */
async function make(doing: (draft: Draft) => Promise<void>, caller: Partial<Caller> = {}) {
  const { caller: bound } = vault.as(caller);
  const made = vault.whole.bind(bound, { tool: 'edit', args: { name: 'a' } });
  const report = await made.change(async (draft: Draft, _: object) => {
    await doing(draft);
    return {};
  }, {});
  return report.change ?? 0;
}

const rows: readonly [what: string, doing: (draft: Draft) => Promise<void>, diff: string][] = [
  [
    'an edit',
    (draft) => draft.write(path('a.md'), 'two\n'),
    'diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-one\n+two\n',
  ],
  [
    'a new note',
    (draft) => draft.create(path('X/n.md'), 'x\n'),
    'diff --git a/X/n.md b/X/n.md\nnew file mode 100644\n--- /dev/null\n+++ b/X/n.md\n@@ -0,0 +1 @@\n+x\n',
  ],
  [
    'a deletion',
    (draft) => draft.delete(path('a.md')),
    'diff --git a/a.md b/a.md\ndeleted file mode 100644\n--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
  ],
  [
    'the text of a note that went into the trash',
    (draft) => draft.move(path('a.md'), path('.trash/a.md'), { dotNames: true }),
    'diff --git a/a.md b/a.md\ndeleted file mode 100644\n--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n',
  ],
  [
    'a moved attachment',
    (draft) => draft.move(path('F/d.png'), path('d.png')),
    'diff --git a/F/d.png b/d.png\nrename from F/d.png\nrename to d.png\n',
  ],
  [
    'a moved folder',
    (draft) => draft.moveFolder(path('F'), path('G')),
    'diff --git a/F b/G\nrename from F\nrename to G\n',
  ],
];

describe('showChange', () => {
  it.each(rows)('shows %s', async (_, doing, diff) => {
    const id = await make(doing);
    expect((await showChange(vault.vault, { id })).diff).toBe(diff);
  });

  it('says what is not kept any more', async () => {
    const { state } = vault.whole.parts;
    const versions = { before: 'old' as Version, after: 'new' as Version };
    const id = await state.begin(
      {
        door: 'cli',
        tool: 'edit',
        args: {},
        timeMs: 0,
        steps: [{ do: 'write', path: path('a.md'), ...versions, token: 't' }],
      },
      'single',
      [],
    );
    await state.finish(id, []);
    expect((await showChange(vault.vault, { id })).diff).toBe(
      'diff --git a/a.md b/a.md\nThe contents are not kept any more.\n',
    );
  });

  it('fails for a change that does not exist', async () => {
    await expect(showChange(vault.vault, { id: 7 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows a caller of one folder only what lies in it', async () => {
    const both = await make(async (draft) => {
      await draft.write(path('a.md'), 'secret\n');
      await draft.write(path('F/b.md'), 'open\n');
      await draft.move(path('F/c.md'), path('elsewhere.md'));
    });
    const outside = await make((draft) => draft.write(path('a.md'), 'more\n'));
    const limited = vault.as(inF);
    const [seen] = (await listChanges(limited, page)).items;
    const shown = await showChange(limited, { id: seen?.id ?? 0 });
    expect(shown.id).toMatch(/^c-\w{8}$/);
    expect(shown.args).toEqual({});
    expect(shown.files.map(({ path: at, did }) => `${did} ${at}`)).toEqual([
      'changed F/b.md',
      'deleted F/c.md',
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/secret|a\.md|elsewhere/);
    // Numbers mean nothing here, also those of changes that are seen.
    for (const id of [both, outside]) {
      await expect(showChange(limited, { id })).rejects.toMatchObject({ code: 'not_found' });
    }
    // A caller who sees the whole vault may use the word as well as the number.
    expect((await showChange(vault.vault, { id: shown.id })).id).toBe(both);
    const foreign = vault.as({ ...inF, token: 'other' });
    await expect(showChange(foreign, shown)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('listChanges', () => {
  it('lists changes newest first with who, how and what', async () => {
    const first = await make((draft) => draft.write(path('a.md'), 'two\n'), {
      client: 'x',
      connection: 's',
      token: 'phone',
    });
    expect(await vault.whole.parts.state.changes({ token: 'phone' }, page)).toMatchObject({
      total: 1,
      items: [{ id: first, token: 'phone' }],
    });
    const { change: second } = await vault.change(undoChanges, {});
    const { total, items } = await listChanges(vault.vault, page);
    expect(total).toBe(2);
    expect(items).toMatchObject([
      { id: second, undoes: [first], files: [{ path: 'a.md', did: 'changed' }] },
      {
        id: first,
        undoneBy: second,
        client: 'x',
        connection: 's',
        tool: 'edit',
        args: { name: 'a' },
      },
    ]);
    expect(items[0]?.files[0]?.after).toBe(items[1]?.files[0]?.before);
    expect(await listChanges(vault.vault, { limit: 1, offset: 1 })).toMatchObject({
      total: 2,
      items: [{ id: first }],
    });
  });

  it('narrows by client, session, time and path', async () => {
    const a = await make((draft) => draft.write(path('a.md'), 'x\n'), {
      client: 'x',
      connection: 's',
    });
    const b = await make((draft) => draft.write(path('F/b.md'), 'x\n'), {
      client: 'y',
      connection: 's',
    });
    const ids = async (which: object) =>
      (await listChanges(vault.vault, { ...page, ...which })).items.map(({ id }) => id);
    expect(await ids({ clients: ['x'] })).toEqual([a]);
    expect(await ids({ session: 's' })).toEqual([b, a]);
    expect(await ids({ path: 'F' })).toEqual([b]);
    expect(await ids({ path: 'a.md', clients: ['y'] })).toEqual([]);
    expect(await ids({ sinceMs: vault.whole.parts.clock.nowMs() + 1 })).toEqual([]);
  });

  it('counts for a caller of one folder only what touched it', async () => {
    await make((draft) => draft.write(path('a.md'), 'x\n'));
    const seen = await make((draft) => draft.write(path('F/b.md'), 'x\n'));
    await make((draft) => draft.write(path('a.md'), 'y\n'));
    const both = await make(async (draft) => {
      await draft.write(path('a.md'), 'z\n');
      await draft.write(path('F/c.md'), 'z\n');
    });
    const list = (which: object) => listChanges(vault.as(inF), { ...page, ...which });
    expect(await list({})).toMatchObject({
      total: 2,
      items: [{ args: {} }, {}],
    });
    const words = (await list({})).items.map(({ id }) => id);
    expect(new Set(words).size).toBe(2);
    for (const word of words) expect(word).toMatch(/^c-\w{8}$/);
    expect(await list({ offset: 1, limit: 1 })).toMatchObject({
      total: 2,
      items: [{ id: words[1] }],
    });
    // The words stay as they are, and those who see all know what they mean.
    expect((await list({})).items.map(({ id }) => id)).toEqual(words);
    const meant = await changeIds(vault.vault, words);
    expect(words.map((word) => meant.get(word))).toEqual([both, seen]);
    expect(await list({ path: 'a.md' })).toEqual({ total: 0, items: [] });
  });
});
