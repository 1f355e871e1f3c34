import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { escapeForJson } from '../../../markdown/text/json-ranges.ts';
import { undoChanges } from '../history/undo-changes.ts';
import { queryBase } from '../query/query-base.ts';
import { moveFile } from './move-file.ts';
import { moveFolder } from './move-folder.ts';
import { renameFile } from './rename-file.ts';
import { renameProperty } from './rename-property.ts';
import { renameTag } from './rename-tag.ts';

let opened: MemoryVault | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function open(files: Readonly<Record<string, string>>): Promise<MemoryVault> {
  await opened?.close();
  opened = await openWrittenVault(files);
  return opened;
}

async function rowsOf({ vault }: MemoryVault, base: string): Promise<readonly string[]> {
  const { paths, errors } = await queryBase(vault, { base, limit: 100, offset: 0 });
  expect(errors).toEqual([]);
  return paths;
}

const notes = {
  'Work/Old.md': '# Old\n',
  'Work/a.md': '---\nstatus: open\ntags: [task/now]\nup: "[[Old]]"\n---\n[[Old]]\n',
  'b.md': '---\n# kept\nStatus: "done" # as it is\n---\n#task\n',
};

/** Each filter in a base and in a block, and what becomes of it. */
type Row = readonly [filter: string, after: string];

async function check(
  rows: readonly Row[],
  act: (vault: MemoryVault) => Promise<{ readonly bases?: number }>,
): Promise<void> {
  for (const [filter, after] of rows) {
    const base = `filters:\n  and:\n    - ${filter} # c\n`;
    const block = `Text\n\n~~~base\n${base}~~~\n`;
    const marked = (marks: string) => block.replaceAll(/^(?=.)/gm, marks);
    const blocks: Readonly<Record<string, string>> = {
      'Block.md': block,
      'Quote.md': marked('> '),
      'Callout.md': `> [!note] Title\n${marked('> > ')}`,
      'List.md': `- one\n  - two\n\n${marked('    ')}`,
      'Both.md': `- ${marked('  > ').trimStart()}`,
      'Cards.canvas': `{"nodes": [{"type":"text", "text":"${escapeForJson(`\\ "é"\n${marked('> ')}`)}"}]}`,
    };
    const files = { ...notes, 'B.base': base, ...blocks };
    const vault = await open(files);
    const rowsBefore = (await rowsOf(vault, 'B.base')).length;
    expect(rowsBefore).toBeGreaterThan(0);
    const { bases } = await act(vault);
    expect(vault.text('B.base')).toBe(base.replace(filter, after));
    for (const [path, text] of Object.entries(blocks)) {
      const [old, now] = path.endsWith('.canvas')
        ? [escapeForJson(filter), escapeForJson(after)]
        : [filter, after];
      expect(text).toContain(old);
      expect(vault.text(path)).toBe(text.replace(old, now));
      expect((await rowsOf(vault, path)).length).toBe(rowsBefore);
    }
    expect((await rowsOf(vault, 'B.base')).length).toBe(rowsBefore);
    expect(bases ?? 0).toBeGreaterThan(0);
    expect(await vault.indexFaults()).toEqual([]);
    await vault.change(undoChanges, { last: 1 });
    expect(vault.files()).toEqual(files);
  }
}

describe('bases follow', () => {
  it('the rename of a note, wherever its name is a link', () =>
    check(
      [
        ['file.hasLink("Old")', 'file.hasLink("New name")'],
        ['file.hasLink("Work/Old")', 'file.hasLink("Work/New name")'],
        ['file.hasLink("Old.md")', 'file.hasLink("New name.md")'],
        ['up == link("Old")', 'up == link("New name")'],
        ['up == "[[Old|x]]"', 'up == "[[New name|x]]"'],
        ['up.linksTo(file("Old"))', 'up.linksTo(file("New name"))'],
        ['file.path == "Work/Old.md"', 'file.path == "Work/New name.md"'],
      ],
      (vault) => vault.change(renameFile, { name: 'Work/Old.md', newName: 'New name' }),
    ));

  it('a note that moves', () =>
    check([['file.hasLink("Work/Old")', 'file.hasLink("Else/Old")']], (vault) =>
      vault.change(moveFile, { name: 'Work/Old.md', to: 'Else/' }),
    ));

  it('a folder', () =>
    check(
      [
        ['file.inFolder("Work")', 'file.inFolder("Life/Job")'],
        ['file.folder == "Work"', 'file.folder == "Life/Job"'],
        ['file.hasLink("Work/Old")', 'file.hasLink("Life/Job/Old")'],
      ],
      (vault) => vault.change(moveFolder, { folder: 'Work', to: 'Life/Job' }),
    ));

  it('a tag, and the tags nested under it', () =>
    check(
      [
        ['file.hasTag("task")', 'file.hasTag("todo")'],
        ['file.hasTag("#Task/now")', 'file.hasTag("#todo/now")'],
        ['tags.contains("task")', 'tags.contains("todo")'],
      ],
      (vault) => vault.change(renameTag, { tag: 'task', newTag: 'todo' }),
    ));

  it('a property', () =>
    check(
      [
        ['status == "open"', 'state == "open"'],
        ['note["STATUS"] != null', 'note["state"] != null'],
        ['file.hasProperty("status")', 'file.hasProperty("state")'],
      ],
      (vault) => vault.change(renameProperty, { property: 'status', newProperty: 'state' }),
    ));

  it('not a name that could mean several files, nor with links kept', async () => {
    const base = 'filters: file.hasLink("Old")\n';
    const vault = await open({ ...notes, 'Other/Old.md': '', 'B.base': base });
    await vault.change(renameFile, { name: 'Work/Old.md', newName: 'New' });
    expect(vault.text('B.base')).toBe(base);
    await vault.change(renameFile, { name: 'Other/Old.md', newName: 'Odd', links: 'keep' });
    expect(vault.text('B.base')).toBe(base);
  });

  it('only where the caller may see them, when a tag or a property is renamed', async () => {
    const base = 'filters: file.hasTag("task") && status\n';
    const vault = await open({ ...notes, 'Secret/B.base': base, 'C.base': base });
    const some = vault.as({
      scopes: { effects: ['read', 'write'], folders: [''], hide: ['Secret/**'] },
    });
    await some.change(renameTag, { tag: 'task', newTag: 'todo' });
    expect(vault.text('C.base')).toContain('hasTag("todo")');
    expect(vault.text('Secret/B.base')).toBe(base);
  });
});

describe('renameProperty', () => {
  it('keeps place, quotes, comments and values, and is undone as one change', async () => {
    const files = {
      'a.md': '---\r\n"Status" : x # c\r\nb: 1\r\n---\r\nstatus: y\r\n',
      'j.md': '---\n{"status": [1,  2], "b": "status"}\n---\n',
      'n.md': '---\nb:\n  status: 1\n---\n',
    };
    const vault = await open(files);
    const { notes: count, change } = await vault.change(renameProperty, {
      property: 'status',
      newProperty: 'my: state',
    });
    expect(count).toBe(2);
    expect(change).toBeDefined();
    expect(vault.files()).toEqual({
      'a.md': files['a.md'].replace('"Status"', '"my: state"'),
      'j.md': files['j.md'].replace('"status":', '"my: state":'),
      'n.md': files['n.md'],
    });
    await vault.change(undoChanges, { last: 1 });
    expect(vault.files()).toEqual(files);
  });

  it('changes nothing when a note has both names', async () => {
    const files = { 'a.md': '---\nx: 1\n---\n', 'b.md': '---\nx: 1\nY: 2\n---\n' };
    const vault = await open(files);
    const asked = vault.change(renameProperty, { property: 'x', newProperty: 'y' });
    await expect(asked).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('1 note has both "x" and "y"'),
    });
    expect(vault.files()).toEqual(files);
  });

  it('changes only the case of a name, and refuses one that no note has', async () => {
    const vault = await open({ 'a.md': '---\nÜber: 1\n---\n' });
    await vault.change(renameProperty, { property: 'über', newProperty: 'über' });
    expect(vault.text('a.md')).toBe('---\nüber: 1\n---\n');
    const asked = vault.change(renameProperty, { property: 'no', newProperty: 'yes' });
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    const empty = vault.change(renameProperty, { property: 'über', newProperty: ' ' });
    await expect(empty).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('says that the type in the settings of the app stays', async () => {
    const types = '{"types":{"Status":"text"}}';
    const vault = await open({ ...notes, '.obsidian/types.json': types });
    const request = { property: 'status', newProperty: 'state' };
    const { warnings } = await vault.change(renameProperty, request);
    expect(warnings.join()).toContain('.obsidian/types.json');
    expect(vault.text('.obsidian/types.json')).toBe(types);
  });
});

/** Pieces of filters about what is renamed, and about other things. */
const statements = fc.constantFrom(
  'file.hasTag("old")',
  '!file.hasTag("#old/x", "other")',
  'tags.containsAny("old", "b")',
  'file.inFolder("Old")',
  'file.folder == "Old/In"',
  'file.hasLink("Old note")',
  'file.hasLink("Old/Old note#h")',
  'up == link("Old note", "shown")',
  'up == link("deep")',
  'old > 1',
  'note.old.isEmpty()',
  'note["old"] == "old"',
  'this.old == old',
  '[old, 2].filter(value == old).length > 0',
  'file.name.contains("zzz")',
  'formula.old > 1',
);
const written = fc.constantFrom<(text: string) => string>(
  (text) => `'${text}'`,
  (text) => JSON.stringify(text),
  (text) => `>-\n      ${text}`,
  (text) => `|\n      ${text}`,
);
const base = fc
  .record({
    items: fc.array(fc.tuple(statements, written, fc.constantFrom('', ' # old')), {
      minLength: 1,
      maxLength: 5,
    }),
    ids: fc.subarray(['old', 'note.old', 'file.name', 'formula.old', '"note.old"', 'old x']),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ items, ids, eol }) => {
    const filters = items.map(([text, style, comment]) => {
      const put = style(text);
      return `    - ${put}${put.includes('\n') ? '' : comment}\n`;
    });
    const text = `filters:\n  or:\n${filters.join('')}formulas:\n  old: old + 1\nviews:\n  - type: table\n    name: old\n    order: [${ids.join(', ')}]\n    sort:\n      - property: old\n`;
    return text.replaceAll('\n', eol);
  });

const vaultNotes = {
  'Old/Old note.md': '---\nold: 3\n---\n',
  'Old/In/deep.md': '---\ntags: old\nup: "[[Old note]]"\n---\n',
  'n.md': '---\nold: old\nup: "[[deep]]"\n---\n#old/x [[Old note]]\n',
  'm.md': '#other\n',
};

describe('after any rename', () => {
  const renames: readonly (readonly [
    string,
    (vault: MemoryVault, back: boolean) => Promise<object>,
  ])[] = [
    [
      'of a note',
      (v, back) =>
        v.change(renameFile, {
          name: back ? 'Now' : 'Old note',
          newName: back ? 'Old note' : 'Now',
        }),
    ],
    [
      'of a folder',
      (v, back) =>
        v.change(moveFolder, back ? { folder: 'Now', to: 'Old' } : { folder: 'Old', to: 'Now' }),
    ],
    [
      'of a tag',
      (v, back) =>
        v.change(renameTag, back ? { tag: 'now', newTag: 'old' } : { tag: 'old', newTag: 'now' }),
    ],
    [
      'of a property',
      (v, back) =>
        v.change(
          renameProperty,
          back ? { property: 'now', newProperty: 'old' } : { property: 'old', newProperty: 'now' },
        ),
    ],
  ];
  it.each(renames)('%s the rows are the same, and back again every byte is', async (_, act) => {
    await fc.assert(
      fc.asyncProperty(base, async (text) => {
        const block = `> quote\n\n\`\`\`base\n${text}\`\`\`\n`;
        const vault = await open({ ...vaultNotes, 'B.base': text, 'Block.md': block });
        const where = (paths: readonly string[]) =>
          paths
            .map((path) => path.replace(/Now(?=\/)/g, 'Old').replace('Now.md', 'Old note.md'))
            .toSorted();
        const isBase = (path: string) => path === 'B.base' || path === 'Block.md';
        const before = where(await rowsOf(vault, 'B.base')).filter((path) => !isBase(path));
        await act(vault, false);
        for (const each of ['B.base', 'Block.md']) {
          expect(where(await rowsOf(vault, each)).filter((path) => !isBase(path))).toEqual(before);
        }
        await act(vault, true);
        expect([vault.text('B.base'), vault.text('Block.md')]).toEqual([text, block]);
      }),
      { numRuns: counted({ quick: 4, full: 60, soak: 500 }) },
    );
  });
});
