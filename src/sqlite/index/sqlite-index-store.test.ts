import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  batch,
  dumpOf,
  entry,
  fill,
  note,
  paths,
  text,
} from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import { type PackedLinks, packLink } from '../../engine/ports/note-detail.ts';
import type { View } from '../../engine/ports/view.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';

const all = { limit: 100, offset: 0 };
const withoutSecret: View = { folders: [''], hide: ['Secret'], exclude: [] };

let store: IndexStore;
beforeEach(async () => {
  store = await openSqliteIndex({ file: ':memory:' });
});
afterEach(() => store.close());

const targetsFrom = async (path: string, view = wholeVault) =>
  (await store.linksFrom(view, vaultPath(path))).map((link) => link.target);
const sourcesTo = async (path: string, view = wholeVault) =>
  (await store.linksTo(view, vaultPath(path), all)).items.map((link) => link.source);

describe('a walk', () => {
  it('asks for new files of parsed kinds that are here and not too large', async () => {
    const asked = await store.seen(
      1,
      batch(
        entry('Note.md'),
        entry('Board.canvas'),
        entry('Table.base'),
        entry('image.png'),
        entry('Cloud.md', 1, { present: false }),
        entry('Huge.md', 1, { size: limits.noteBytesMax + 1 }),
      ),
    );
    expect(asked).toEqual(['Note.md', 'Board.canvas', 'Table.base']);
    expect(await store.status(wholeVault)).toEqual({
      files: 6,
      notes: 3,
      indexed: 0,
      searchable: 0,
      absent: 1,
    });
  });

  it('asks for nothing that is stored at its stamp, and again for what changed', async () => {
    await fill(store, { notes: [note('A.md'), note('B.md')] });
    expect(await store.seen(2, batch(entry('A.md'), entry('B.md')))).toEqual([]);
    expect(await store.seen(3, batch(entry('A.md', 2), entry('B.md')))).toEqual(['A.md']);
  });

  it('asks for a racy file until it is put without that mark', async () => {
    await fill(store, {
      notes: [note('A.md', [], { racy: true })],
      texts: [text('A.md', 'old')],
    });
    expect(await store.seen(2, batch(entry('A.md')))).toEqual(['A.md']);
    await store.putNotes(packNotes([note('A.md', ['New'])]));
    expect(await store.seen(3, batch(entry('A.md')))).toEqual([]);
    // The text was read when the facts were, and may be as old.
    expect(await store.lackingText(10)).toEqual(['A.md']);
  });

  it('keeps old facts until the new ones are put', async () => {
    await fill(store, {
      notes: [note('A.md', ['B']), note('B.md')],
      texts: [text('A.md', 'apple')],
    });
    await store.seen(2, batch(entry('A.md', 2), entry('B.md')));
    expect(await sourcesTo('B.md')).toEqual(['A.md']);
    await store.putNotes(packNotes([note('A.md', [], { revision: 2 })]));
    expect(await sourcesTo('B.md')).toEqual([]);
  });

  it('forgets at its end what it did not see, in its folder only', async () => {
    await fill(store, {
      notes: [note('A.md', ['X/B']), note('X/B.md'), note('X/C.md'), note('Xy.md')],
    });
    await store.seen(2, batch(entry('X/C.md')));
    expect(await store.endWalk(2, vaultPath('X'))).toBe(1);
    expect(await targetsFrom('A.md')).toEqual([undefined]);
    expect((await store.status(wholeVault)).files).toBe(3);
  });

  it('spares files that came or were looked at after it began', async () => {
    await fill(store, { files: ['Old.md', 'Looked at.md'] });
    await store.seen(2, batch());
    await store.seen(3, batch(entry('New.md'), entry('Looked at.md')));
    await store.putNotes(packNotes([note('Newer.md')]));
    expect(await store.endWalk(2, '')).toBe(1);
    expect(await store.filesByName(wholeVault, ['old.md'])).toEqual([]);
    expect((await store.status(wholeVault)).files).toBe(3);
  });

  it('over an empty vault forgets everything', async () => {
    await fill(store, { notes: [note('A.md')] });
    expect(await store.endWalk(2, '')).toBe(1);
  });

  it('drops what was read of a file that is no longer here', async () => {
    await fill(store, { notes: [note('A.md', ['B'])], texts: [text('A.md', 'apple')] });
    expect(await store.seen(2, batch(entry('A.md', 1, { present: false })))).toEqual([]);
    expect(await store.facts(vaultPath('A.md'))).toBeUndefined();
    expect(await store.unresolved(wholeVault, all)).toEqual({ total: 0, items: [] });
  });
});

describe('records', () => {
  it('of an older state are not stored', async () => {
    await fill(store, { notes: [note('A.md', ['New'], { revision: 2 })] });
    await store.putNotes(packNotes([note('A.md', ['Old'], { revision: 1 })]));
    await store.putTexts(packTexts([text('A.md', 'old', 1)]));
    expect((await store.linksFrom(wholeVault, vaultPath('A.md')))[0]?.path).toBe('New');
    expect((await store.status(wholeVault)).searchable).toBe(0);
  });

  it('of a newer state bring their stat with them', async () => {
    await fill(store, { notes: [note('A.md')] });
    await store.putNotes(packNotes([note('A.md', [], { revision: 2 })]));
    expect(await store.seen(2, batch(entry('A.md', 2)))).toEqual([]);
  });

  it('of a file that is not known make it known', async () => {
    await fill(store, { notes: [note('A.md', ['B'])] });
    await store.putNotes(packNotes([note('B.md')]));
    expect(await targetsFrom('A.md')).toEqual(['B.md']);
  });

  it('keep every fact', async () => {
    const record = note('A.md', ['B'], {
      tags: [['Tag', 2]],
      aliases: ['The first', 'nul \0 and \ud800'],
      properties: [['up', 'text']],
      detail: {
        properties: [['up', 'text', '[[B]]']],
        headings: [[1, 'Heading', 3]],
        tasks: [['x', 4]],
      },
      problems: [{ code: 'yaml', message: 'Broken.' }],
    });
    await fill(store, { notes: [record] });
    expect(await store.facts(record.path)).toEqual({
      aliases: ['The first', 'nul \ufffd and \ufffd'],
      tags: [{ tag: 'Tag', count: 2 }],
      properties: [{ key: 'up', type: 'text', value: '[[B]]' }],
      headings: [{ level: 1, text: 'Heading', line: 3 }],
      tasks: [{ status: 'x', line: 4 }],
    });
    const { items } = await store.problems(wholeVault, { limit: 9, offset: 0 });
    expect(items).toEqual([{ path: 'A.md', code: 'yaml', message: 'Broken.' }]);
    const named = [
      { alias: 'The first', path: 'A.md' },
      { alias: 'nul \ufffd and \ufffd', path: 'A.md' },
    ];
    expect(await store.aliases(wholeVault, all)).toEqual({ total: 2, items: named });
    const second = { total: 2, items: named.slice(1) };
    expect(await store.aliases(withoutSecret, { limit: 1, offset: 1 })).toEqual(second);
  });
});

describe('links', () => {
  it('are answered whole, in the order of the note', async () => {
    const links = [
      {
        place: 'property',
        embed: false,
        path: 'B',
        subpath: '',
        key: 'up',
        start: 1,
        end: 2,
        line: 1,
      },
      { place: 'body', embed: true, path: 'b.md', subpath: '#H', start: 5, end: 9, line: 2 },
      { place: 'body', embed: false, path: 'B', subpath: '', start: 10, end: 12, line: 3 },
    ] as const;
    const packed: PackedLinks = { links: [], subpaths: [], keys: [] };
    for (const link of links) packLink(packed, link, link.path === 'B' ? 0 : 1);
    const record = note('A.md', ['B', 'b.md', 'B'], { detail: packed });
    await fill(store, { notes: [record, note('B.md')] });
    const expected = links.map((link) => ({ source: 'A.md', target: 'B.md', ...link }));
    expect(await store.linksFrom(wholeVault, vaultPath('A.md'))).toEqual(expected);
    expect(await store.linksTo(wholeVault, vaultPath('B.md'), all)).toEqual({
      total: 3,
      items: expected,
    });
  });

  it('that differ only in what SQLite cannot store are told apart by place, not by path', async () => {
    await fill(store, { notes: [note('A.md', ['x\ud800', 'x\0', 'x\ufffd'])] });
    const links = await store.linksFrom(wholeVault, vaultPath('A.md'));
    expect(links.map(({ path, line }) => [path, line])).toEqual([
      ['x\ufffd', 0],
      ['x\ufffd', 1],
      ['x\ufffd', 2],
    ]);
  });

  it('follow files that appear, go, and come back in another folder', async () => {
    await fill(store, { notes: [note('A.md', ['Target', 'x/Target', 'TARGET.md'])] });
    expect(await targetsFrom('A.md')).toEqual([undefined, undefined, undefined]);
    await store.seen(2, batch(entry('x/target.md')));
    expect(await targetsFrom('A.md')).toEqual(['x/target.md', 'x/target.md', 'x/target.md']);
    await store.seen(3, batch(entry('Target.md')));
    expect(await targetsFrom('A.md')).toEqual(['Target.md', 'x/target.md', 'Target.md']);
    await store.forget(paths('x'));
    expect(await targetsFrom('A.md')).toEqual(['Target.md', undefined, 'Target.md']);
  });

  it('without a path lead to their own file and make it no less of an orphan', async () => {
    await fill(store, { notes: [note('A.md', ['', 'B/']), note('B.md', ['B'])] });
    expect(await targetsFrom('A.md')).toEqual(['A.md', undefined]);
    expect(await sourcesTo('A.md')).toEqual(['A.md']);
    expect(await store.orphans(wholeVault, all)).toEqual({ total: 2, items: ['A.md', 'B.md'] });
  });

  it('come in pages that cut through files', async () => {
    await fill(store, {
      notes: [note('A.md', ['T', 'T', 'other', 'T']), note('B.md', ['T', 'T']), note('T.md')],
    });
    for (const [offset, expected] of [
      [0, ['A.md', 'A.md']],
      [2, ['A.md', 'B.md']],
      [4, ['B.md']],
      [6, []],
    ] as const) {
      const page = await store.linksTo(wholeVault, vaultPath('T.md'), { limit: 2, offset });
      expect(page.total).toBe(5);
      expect(page.items.map(({ source }) => source)).toEqual(expected);
    }
  });

  it('that lead nowhere are listed as written, without ".md"', async () => {
    await fill(store, {
      notes: [note('B.md', ['Foo Bar', 'Foo Bar.md', '']), note('A.md', ['foo bar', 'Foo Bar'])],
    });
    expect(await store.unresolved(wholeVault, all)).toEqual({
      total: 2,
      items: [
        { link: 'Foo Bar', count: 3, sources: ['A.md', 'B.md'] },
        { link: 'foo bar', count: 1, sources: ['A.md'] },
      ],
    });
  });

  it('to hidden files look as if they led nowhere, and links from them do not exist', async () => {
    await fill(store, {
      notes: [note('A.md', ['Plan']), note('Secret/Plan.md', ['A']), note('B.md', ['A'])],
    });
    expect(await targetsFrom('A.md', withoutSecret)).toEqual([undefined]);
    expect(await sourcesTo('A.md', withoutSecret)).toEqual(['B.md']);
    expect(await sourcesTo('Secret/Plan.md', withoutSecret)).toEqual([]);
    expect(await store.linksFrom(withoutSecret, vaultPath('Secret/Plan.md'))).toEqual([]);
    expect(await store.unresolved(withoutSecret, all)).toEqual({
      total: 1,
      items: [{ link: 'Plan', count: 1, sources: ['A.md'] }],
    });
    await store.forget(paths('B.md'));
    expect((await store.orphans(withoutSecret, all)).items).toEqual(['A.md']);
    expect((await store.orphans(wholeVault, all)).items).toEqual([]);
  });
});

describe('files', () => {
  const names = ['b/Note.md', 'NOTE.md', 'note.md', 'b/pic.png', 'b c.md'];
  beforeEach(() => fill(store, { files: names }));

  it('are found by their exact path, by key, and by name', async () => {
    expect(await store.file(wholeVault, vaultPath('Note.md'))).toBeUndefined();
    expect(await store.file(wholeVault, vaultPath('note.md'))).toEqual({
      path: 'note.md',
      kind: 'note',
      size: 101,
      mtimeMs: 1_000.5,
      birthMs: 500,
      present: true,
    });
    const byKey = await store.filesByKey(wholeVault, 'note.md');
    expect(byKey.map(({ path }) => path)).toEqual(['NOTE.md', 'note.md']);
    const byName = await store.filesByName(wholeVault, ['note.md', 'pic.png']);
    expect(byName.map(({ path }) => path)).toEqual([
      'NOTE.md',
      'b/Note.md',
      'b/pic.png',
      'note.md',
    ]);
  });

  it('are listed by folder and kind, with the total beside the page', async () => {
    const list = await store.files(wholeVault, {
      folder: vaultPath('b'),
      kinds: ['note', 'attachment'],
      sort: 'path',
      limit: 1,
      offset: 1,
    });
    expect(list.total).toBe(2);
    expect(list.items.map(({ path }) => path)).toEqual(['b/pic.png']);
  });

  it('are listed newest first when asked', async () => {
    await store.seen(2, batch(entry('b c.md', 9)));
    const list = await store.files(wholeVault, {
      ...all,
      folder: '',
      kinds: ['note'],
      sort: 'modified',
    });
    expect(list.items.map(({ path }) => path)).toEqual([
      'b c.md',
      'NOTE.md',
      'b/Note.md',
      'note.md',
    ]);
  });

  it('are forgotten with everything under them', async () => {
    await store.forget(paths('b', 'nothing'));
    expect((await dumpOf(store)).filter((line) => line.includes('b/'))).toEqual([]);
    expect((await store.status(wholeVault)).files).toBe(3);
  });
});

describe('tags and properties', () => {
  const tagged = (path: string, ...tags: string[]) =>
    note(path, [], { tags: tags.map((tag) => [tag, 1]) });

  it('show a tag as the vault first has it, by path and then by place', async () => {
    await fill(store, {
      notes: [tagged('c.md', 'work'), tagged('b.md', 'Work', 'WORK', 'a'), tagged('d.md', 'work')],
    });
    const expected = [
      { tag: '#a', files: 1, count: 1 },
      { tag: '#Work', files: 3, count: 4 },
    ];
    expect(await store.tags(wholeVault)).toEqual(expected);
    await store.seen(5, batch(entry('a.md')));
    await store.putNotes(packNotes([tagged('a.md', 'WORK')]));
    expect((await store.tags(wholeVault))[1]).toEqual({ tag: '#WORK', files: 4, count: 5 });
    const view: View = { folders: [''], hide: ['a.md', 'b.md'], exclude: [] };
    expect(await store.tags(view)).toEqual([{ tag: '#work', files: 2, count: 2 }]);
  });

  it('find files by tag with those nested under it, each once', async () => {
    await fill(store, {
      notes: [
        tagged('a.md', 'Work/x', 'work/y'),
        tagged('b.md', 'work'),
        tagged('c.md', 'workshop', 'my/work'),
      ],
    });
    const found = await store.filesWithTag(wholeVault, 'WORK', all);
    expect(found.items.map(({ path }) => path)).toEqual(['a.md', 'b.md']);
    expect(found.total).toBe(2);
  });

  it('count files by property, and name it as it is first seen', async () => {
    const property = (key: string, type: 'text' | 'date') => [key, type] as const;
    await fill(store, {
      notes: [
        note('b.md', [], { properties: [property('due', 'date'), property('up', 'text')] }),
        note('a.md', [], { properties: [property('Due', 'text')] }),
        note('c.md', [], { properties: [property('due', 'date'), property('up', 'text')] }),
      ],
    });
    expect(await store.properties(wholeVault)).toEqual([
      { key: 'Due', files: 3, types: ['date', 'text'] },
      { key: 'up', files: 2, types: ['text'] },
    ]);
  });
});

describe('conflict copies', () => {
  const copy = 'Plan.sync-conflict-20240101-120000-ABCDEFG.md';

  it('name their original while it is there and seen', async () => {
    await fill(store, { files: [copy, 'Plan.md'] });
    const [row] = await store.conflicts(wholeVault);
    expect(row).toMatchObject({ path: copy, conflictOf: 'Plan.md' });
    expect(await store.conflicts({ folders: [''], hide: ['Plan.md'], exclude: [] })).toEqual([]);
    await store.forget(paths('Plan.md'));
    expect(await store.conflicts(wholeVault)).toEqual([]);
  });
});
