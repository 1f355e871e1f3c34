import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listUnresolved } from '../src/engine/operations/list/list-graph.ts';
import { listBacklinks } from '../src/engine/operations/list/list-links.ts';
import { deleteFile } from '../src/engine/operations/move/delete-file.ts';
import { renameFile } from '../src/engine/operations/move/rename-file.ts';
import { readNote } from '../src/engine/operations/read/read-note.ts';
import { searchNotes } from '../src/engine/operations/search/search-notes.ts';
import { appendNote } from '../src/engine/operations/write/append-note.ts';
import { createNote } from '../src/engine/operations/write/create-note.ts';
import { setNoteProperty } from '../src/engine/operations/write/set-note-property.ts';
import { tempFolder } from './support/temp-folder.ts';
import { openWrittenFolder } from './support/written-vault.ts';

// The rows of the "correctness probe" that other programs were put through, on a real disk. Its
// rows about protocols (exit at the end of stdin, one payload or two) belong to the doors, which
// are still to come.

const alpha = `---
# the main project
title: "Alpha: the first"
tags: [project, work/active]
created: 2024-01-05
count: 007
aliases:
  - AlphaProj
---

# Alpha

## H
alpha beta ^b

![[pic.png]]
`;
const daily = `Worked on [[Alpha]] and [[Alpha#H]], see [[Alpha#^b|x]] or [[AlphaProj]].
The same as [a link](../Projects/Alpha.md), and as code: \`[[Alpha]]\`.
`;
const canvas =
  '{\n\t"nodes":[\n\t\t{"id":"1","type":"file","file":"Projects/Alpha.md","x":0,"y":0,"width":400,"height":400}\n\t],\n\t"edges":[]\n}';
const base =
  'filters:\n  and:\n    - file.hasLink(link("Projects/Alpha")) # kept\nviews:\n  - type: table\n';
const nfd = 'Cafe\u0301';
const cafe = '# Café\nfirst\nsecond\r\nthird\r\n';

const vault: Readonly<Record<string, string>> = {
  'Projects/Alpha.md': alpha,
  'Daily/2024-01-05.md': daily,
  'Daily/2024-01-06.md': 'alpha, alpha and alpha again.\n',
  [`Places/${nfd}.md`]: cafe,
  'Board.canvas': canvas,
  'Table.base': base,
  'pic.png': 'not really a picture',
};

async function openProbe() {
  const folder = tempFolder(vault);
  const opened = await openWrittenFolder(folder);
  onTestFinished(() => opened.close());
  return { ...opened, files: () => filesIn(folder) };
}

/** Every file with its text, hidden ones too. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [relative(folder, file).replaceAll(sep, '/'), readFileSync(file, 'utf8')]),
  );
}

describe('reading', () => {
  it.each(['Places/Café.md', 'Places/Café', 'Café'])(
    'finds a file named in NFD as %s',
    async (name) => {
      const { vault } = await openProbe();
      expect((await readNote(vault, { name: name.normalize('NFC') })).text).toBe(cafe);
    },
  );

  it('has Markdown links among the backlinks', async () => {
    const { vault } = await openProbe();
    const { items } = await listBacklinks(vault, { name: 'Alpha', limit: 50, offset: 0 });
    const fromDaily = items.filter(({ source }) => source === 'Daily/2024-01-05.md');
    expect(fromDaily.map(({ path, subpath }) => path + subpath)).toEqual([
      'Alpha',
      'Alpha#H',
      'Alpha#^b',
      '../Projects/Alpha.md',
    ]);
  });

  it('lists as broken what the app does not resolve, and nothing else', async () => {
    // An alias is not resolved by the app either (L46); the picture and the base exist.
    const { vault } = await openProbe();
    const { items } = await listUnresolved(vault, { limit: 50, offset: 0 });
    expect(items.map(({ link }) => link)).toEqual(['AlphaProj']);
  });

  it('finds the note of that name first', async () => {
    const { vault } = await openProbe();
    const request = { query: 'alpha', folder: '', limit: 10, offset: 0 } as const;
    const { hits } = await searchNotes(vault, request);
    expect(hits[0]?.path).toBe('Projects/Alpha.md');
    expect(hits.length).toBeGreaterThan(2);
  });
});

describe('writing', () => {
  it('changes one property and keeps the rest byte for byte', async () => {
    const { change, files } = await openProbe();
    await change(setNoteProperty, { name: 'Alpha', key: 'title', value: 'Beta' });
    const changed = alpha.replace('title: "Alpha: the first"', 'title: "Beta"');
    expect(files()).toEqual({ ...vault, 'Projects/Alpha.md': changed });
  });

  it('adds one property and keeps the rest byte for byte', async () => {
    const { change, files } = await openProbe();
    await change(setNoteProperty, { name: 'Alpha', key: 'status', value: 'open' });
    const changed = alpha.replace('  - AlphaProj\n', '  - AlphaProj\nstatus: open\n');
    expect(files()).toEqual({ ...vault, 'Projects/Alpha.md': changed });
  });

  it('appends with the line ends that the end of the note has', async () => {
    const { change, files } = await openProbe();
    await change(appendNote, { name: 'Café'.normalize('NFC'), text: 'fourth' });
    expect(files()).toEqual({ ...vault, [`Places/${nfd}.md`]: `${cafe}fourth\r\n` });
  });

  it('renames with every link, and leaves code, aliases and all else alone', async () => {
    const { change, files } = await openProbe();
    await change(renameFile, { name: 'Alpha', newName: 'Alpha2' });
    const { 'Projects/Alpha.md': _, ...others } = vault;
    expect(files()).toEqual({
      ...others,
      'Projects/Alpha2.md': alpha,
      'Daily/2024-01-05.md': `Worked on [[Alpha2]] and [[Alpha2#H]], see [[Alpha2#^b|x]] or [[AlphaProj]].
The same as [a link](Alpha2.md), and as code: \`[[Alpha]]\`.
`,
      'Board.canvas': canvas.replace('Projects/Alpha.md', 'Projects/Alpha2.md'),
      'Table.base': base.replace('Projects/Alpha', 'Alpha2'),
    });
  });

  it('creates nothing over a note that is there', async () => {
    const { change, files } = await openProbe();
    const create = change(createNote, { path: 'Projects/Alpha', content: 'x' });
    await expect(create).rejects.toMatchObject({ code: 'already_exists' });
    expect(files()).toEqual(vault);
  });

  it('loses none of 20 appends to one note at once', async () => {
    const { change, files } = await openProbe();
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map((text) => change(appendNote, { name: '2024-01-06', text })));
    const added = files()['Daily/2024-01-06.md']?.slice(vault['Daily/2024-01-06.md']?.length);
    expect(added?.split('\n').toSorted()).toEqual(['', ...lines].toSorted());
  });

  it('deletes into the trash', async () => {
    const { change, files } = await openProbe();
    expect(await change(deleteFile, { name: 'Alpha' })).toMatchObject({ trash: 'local' });
    const { 'Projects/Alpha.md': _, ...others } = vault;
    expect(files()).toEqual({ ...others, '.trash/Alpha.md': alpha });
  });

  it('leaves no litter in the vault', async () => {
    const { change, files, indexFaults } = await openProbe();
    await change(setNoteProperty, { name: 'Alpha', key: 'count', value: 8 });
    await change(renameFile, { name: 'Alpha', newName: 'Alpha2' });
    await change(createNote, { path: 'New/Note', content: 'x' });
    await change(appendNote, { name: 'Note', text: 'y' });
    const expected = Object.keys(vault).map((path) => path.replace('/Alpha.', '/Alpha2.'));
    expect(Object.keys(files()).toSorted()).toEqual([...expected, 'New/Note.md'].toSorted());
    expect(await indexFaults()).toEqual([]);
  });
});
