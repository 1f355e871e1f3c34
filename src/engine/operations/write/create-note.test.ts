import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { createNote } from './create-note.ts';

type CreateNoteRequest = Parameters<typeof createNote>[1];

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

async function vaultWith(files: Readonly<Record<string, string>>): Promise<MemoryVault> {
  opened = await openWrittenVault(files);
  return opened;
}

describe('a new note', () => {
  it.each([
    ['Note', 'Note.md'],
    ['Note v1.2', 'Note v1.2.md'],
    ['board.canvas', 'board.canvas'],
    ['table.base', 'table.base'],
    ['photo.png', 'photo.png.md'],
    ['new/deep/Note', 'new/deep/Note.md'],
    ['sub/Note', 'Sub/Note.md'],
    ['Meeting', 'Meeting.md'],
  ])('"%s" is made at "%s"', async (path, made) => {
    const vault = await vaultWith({ 'Sub/Meeting.md': 'there' });
    expect(await vault.change(createNote, { path, content: 'new' })).toMatchObject({ path: made });
    expect(vault.files()).toEqual({ 'Sub/Meeting.md': 'there', [made]: 'new' });
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('asks the index once for the names that matter', async () => {
    const vault = await vaultWith({ 'Sub/Other.md': 'there' });
    const store = await vault.keeper.store();
    const asked: string[] = [];
    for (const method of ['filesByName', 'filesByKey', 'sourcesNaming'] as const) {
      const call = store[method].bind(store) as (...args: unknown[]) => Promise<never>;
      Object.assign(store, {
        [method]: (...args: unknown[]) => {
          asked.push(method);
          return call(...args);
        },
      });
    }
    await vault.change(createNote, { path: 'Sub/Note', content: 'new' });
    expect(asked).toEqual(['filesByName']);
  });

  it.each([
    ['there', 'already_exists', undefined],
    ['THERE.md', 'already_exists', undefined],
    ['a?b', 'invalid_input', 'ab.md'],
    ['a\\b', 'invalid_input', 'a-b.md'],
    ['x/', 'invalid_input', undefined],
    ['', 'invalid_input', undefined],
    ['../x', 'outside_vault', undefined],
    ['/x', 'outside_vault', undefined],
    ['.obsidian/x', 'invalid_input', 'obsidian/x.md'],
  ])('"%s" is refused with %s', async (path, code, replacement) => {
    const files = { 'there.md': 'text' };
    const vault = await vaultWith(files);
    await expect(vault.change(createNote, { path })).rejects.toMatchObject({
      code,
      ...(replacement === undefined ? {} : { details: { replacement } }),
    });
    expect(vault.files()).toEqual(files);
  });

  it('has the properties that are asked for, as the app writes them', async () => {
    const vault = await vaultWith({});
    const properties = { tags: ['a'], up: '[[x]]' };
    await vault.change(createNote, { path: 'n', content: 'text\n', properties });
    expect(vault.text('n.md')).toBe('---\ntags:\n  - a\nup: "[[x]]"\n---\ntext\n');
    const canvas = vault.change(createNote, { path: 'c.canvas', properties });
    await expect(canvas).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('replaces what is there only when that is asked for, under its own spelling', async () => {
    const vault = await vaultWith({ 'Sub/Note.md': 'old', 'n.md': '[[Note]]' });
    const request: CreateNoteRequest = { path: 'sub/NOTE', content: 'new', overwrite: true };
    expect(await vault.change(createNote, request)).toMatchObject({
      path: 'Sub/Note.md',
      others: [],
    });
    expect(vault.files()).toEqual({ 'Sub/Note.md': 'new', 'n.md': '[[Note]]' });
  });

  it.each([
    [['Untitled.md'], 'Untitled 1.md'],
    [['untitled.md', 'UNTITLED 1.md', 'Untitled 3.md'], 'Untitled 2.md'],
    [['A/Untitled.md'], 'Untitled.md'],
    [['Untitled.md/x.md'], 'Untitled 1.md'],
  ])('R19: beside %j a counted one is "%s"', async (there, made) => {
    const vault = await vaultWith(Object.fromEntries(there.map((path) => [path, ''])));
    expect(await vault.change(createNote, { path: 'Untitled', counted: true })).toMatchObject({
      path: made,
    });
  });

  it('R13: links of others that it would make unclear, or take, keep their target', async () => {
    const vault = await vaultWith({
      'a/Foo.md': '',
      'n.md': '[[Foo]] [[Foo#h|x]] [[a/Foo]]',
      'z/deep/m.md': '---\nup: "[[foo]]"\n---\n',
    });
    const { others } = await vault.change(createNote, { path: 'b/Foo' });
    expect(others).toEqual(['a/Foo.md']);
    expect(vault.files()).toEqual({
      'a/Foo.md': '',
      'b/Foo.md': '',
      'n.md': '[[a/Foo]] [[a/Foo#h|x]] [[a/Foo]]',
      'z/deep/m.md': '---\nup: "[[a/Foo]]"\n---\n',
    });
  });

  it('R13: links that lead to their note all the same are not touched', async () => {
    const files = { 'Foo.md': '', 'n.md': '[[Foo]]', 'b/n.md': '[[Foo]]' };
    const vault = await vaultWith(files);
    await vault.change(createNote, { path: 'b/Foo' });
    expect(vault.files()).toEqual({ ...files, 'b/Foo.md': '' });
  });

  it('where its caller may not look gives the same answer whether something is there or not', async () => {
    const vault = await vaultWith({ 'Secret/Plan.md': 'there' });
    const caller = vault.as({ scopes: { ...allScopes, hide: ['Secret/**'] } });
    const answers = await Promise.all(
      ['Secret/Plan', 'secret/plan', 'Secret/Other'].map((path) =>
        caller.change(createNote, { path }).catch(({ code, message, details }) => ({
          code,
          message,
          details,
        })),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: 'forbidden' });
  });

  it('that links were waiting for is what they lead to', async () => {
    const files = { 'n.md': '[[Foo]]' };
    const vault = await vaultWith(files);
    await vault.change(createNote, { path: 'deep/Foo' });
    expect(vault.files()).toEqual({ ...files, 'deep/Foo.md': '' });
  });
});
