import { afterEach, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { undoChanges } from '../history/undo-changes.ts';
import { createInBase } from './create-in-base.ts';
import { queryBase } from './query-base.ts';

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

const notes = { 'Authors/Ann.md': '', 'Books/One.md': '---\ntype: [book]\n---\n' };

/** A base with these filters; what the new note is, and what it lacks. */
type Row = readonly [
  filters: readonly string[],
  path: string,
  text: string,
  unmet?: readonly string[],
];

describe('createInBase', () => {
  const rows: readonly Row[] = [
    [['status == "open"'], 'New.md', '---\nstatus: open\n---\n'],
    [
      ['file.inFolder("Books")', 'n == 3', 'done == true'],
      'Books/New.md',
      '---\nn: 3\ndone: true\n---\n',
    ],
    [['file.folder == "Books/Sub"', 'file.inFolder("Books")'], 'Books/Sub/New.md', ''],
    [['file.inFolder("Books") && note["a b"] == -1'], 'Books/New.md', '---\na b: -1\n---\n'],
    [['file.hasTag("movie", "film")'], 'New.md', '---\ntags:\n  - movie\n---\n'],
    [
      ['file.tags.containsAll("a", "b/c")', 'tags.contains("#a")'],
      'New.md',
      '---\ntags:\n  - a\n  - b/c\n---\n',
    ],
    [
      ['type.contains("x")', 'list(type).contains("y")', 'author == link("Ann")'],
      'New.md',
      '---\ntype:\n  - x\n  - y\nauthor: "[[Ann]]"\n---\n',
    ],
    [['file.hasLink("Ann")', 'up == link("Ann")'], 'New.md', '---\nup: "[[Ann]]"\n---\n'],
    [['people.containsAny(link("Ann"), "x")'], 'New.md', '---\npeople:\n  - "[[Ann]]"\n---\n'],
    [['day == date("2025-01-02")', 'x == null'], 'New.md', '---\nday: 2025-01-02\n---\n'],
    [['about == this'], 'New.md', '---\nabout: "[[B.base]]"\n---\n'],
    [['title.contains("x")'], 'New.md', '---\ntitle: x\n---\n'],
    [
      ['rating > 6', '!last.isEmpty()', 'a == 1', 'a == 2', 'nope('],
      'New.md',
      '---\na: 1\n---\n',
      ['rating > 6', '!last.isEmpty()', 'a == 2', 'nope('],
    ],
    [['file.hasLink("Ann")'], 'New.md', '', ['file.hasLink("Ann")']],
    [['file.inFolder("../x")'], 'New.md', '', ['file.inFolder("../x")']],
  ];
  it.each(rows.map((row) => ({ row })))('$row', async ({ row }) => {
    const [filters, path, text, unmet = []] = row;
    const listed = filters.map((filter) => `    - ${JSON.stringify(filter)}\n`).join('');
    const base = `filters:\n  and:\n${listed}`;
    const files = {
      ...notes,
      'B.base': base,
      '.obsidian/types.json': '{"types":{"title":"text"}}',
    };
    const vault = await open(files);
    const made = await vault.change(createInBase, { base: 'B', name: 'New' });
    expect(made.path).toBe(path);
    expect(vault.text(path)).toBe(text);
    expect(made.unmet).toEqual(unmet);
    const { paths } = await queryBase(vault.vault, { base: 'B', limit: 100, offset: 0 });
    expect(paths.includes(path)).toBe(made.row);
    expect(made.row).toBe(unmet.length === 0);
    await vault.change(undoChanges, { last: 1 });
    expect(vault.files()).toEqual(files);
  });

  const viewed = `filters:\n  or:\n    - status == "a"\n    - status == "b"\nviews:\n  - name: One\n    filters:\n      not: [done]\n  - name: Two\n    filters: kind == "k"\n`;

  it('takes nothing from "or" and "not", and both filters of base and view', async () => {
    const vault = await open({ ...notes, 'B.base': viewed });
    const one = await vault.change(createInBase, { base: 'B', name: 'x' });
    expect(one).toMatchObject({
      view: 'One',
      set: {},
      row: false,
      unmet: ['(status == "a" or status == "b")'],
    });
    const two = await vault.change(createInBase, {
      base: 'B',
      view: 'two',
      name: 'y',
      content: '---\nstatus: b\n---\nText\n',
    });
    expect(two).toMatchObject({ view: 'Two', set: { kind: 'k' }, row: true, unmet: [] });
    expect(vault.text('y.md')).toBe('---\nstatus: b\nkind: k\n---\nText\n');
  });

  it('leaves what the caller says, and adds to its lists', async () => {
    const base = `filters:\n  and: ['status == "open"', 'file.hasTag("a")', 'type.contains("x")']\n`;
    const vault = await open({ ...notes, 'B.base': base });
    const content = '---\nStatus: done\ntags: [b]\n---\n';
    const made = await vault.change(createInBase, {
      base: 'B',
      name: 'n',
      content,
      properties: { type: ['y'] },
    });
    expect(vault.text('n.md')).toBe('---\nStatus: done\ntags: [b, a]\ntype:\n  - y\n  - x\n---\n');
    expect(made).toMatchObject({ row: false, unmet: ['status == "open"'] });
  });

  it('puts a note where new notes go, where the name says, or beside a taken name', async () => {
    const app = '{"newFileLocation":"folder","newFileFolderPath":"Inbox"}';
    const vault = await open({
      ...notes,
      'B.base': 'filters: a == 1\n',
      'F.base': 'filters: file.inFolder("Books")\n',
      '.obsidian/app.json': app,
    });
    const path = async (request: { base: string; name?: string }) =>
      (await vault.change(createInBase, request)).path;
    expect(await path({ base: 'B', name: 'n' })).toBe('Inbox/n.md');
    expect(await path({ base: 'F', name: 'Else/n' })).toBe('Else/n.md');
    expect(await path({ base: 'F' })).toBe('Books/Untitled.md');
    expect(await path({ base: 'F' })).toBe('Books/Untitled 1.md');
    await expect(path({ base: 'F', name: 'one' })).rejects.toMatchObject({
      code: 'already_exists',
    });
  });

  it('refuses a view, a base and a file that are none', async () => {
    const vault = await open({ ...notes, 'B.base': viewed });
    const failing = (request: { base: string; view?: string }, code: string) =>
      expect(vault.change(createInBase, { ...request, name: 'n' })).rejects.toMatchObject({ code });
    await failing({ base: 'B', view: 'No' }, 'not_found');
    await failing({ base: 'No' }, 'not_found');
    await failing({ base: 'Books/One.md' }, 'invalid_input');
  });

  it('takes a block, whose note is "this"', async () => {
    const block = 'x\n\n```base\nfilters: list(author).contains(this)\n```\n';
    const vault = await open({ ...notes, 'Authors/Bob.md': block });
    const made = await vault.change(createInBase, { base: 'Bob.md', name: 'n', dryRun: true });
    expect(made).toMatchObject({ row: true, set: { author: ['[[Bob]]'] }, dryRun: true });
  });
});

it('knows the note in which a base is embedded', async () => {
  const { vault } = await open({
    'Sub.base': 'filters: parent == this\n',
    'Hub.md': '![[Sub.base]]\n',
  });
  const made = await vault.change(createInBase, { base: 'Hub', name: 'Child' });
  expect(made).toMatchObject({ set: { parent: '[[Hub]]' }, row: true });
  const { paths } = await queryBase(vault, { base: 'Hub', limit: 9, offset: 0 });
  expect(paths).toEqual(['Child.md']);
});
