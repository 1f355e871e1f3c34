import { afterEach, describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../../test/support/memory-disk.ts';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { limits } from '../../../base/limits.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';
import type { SystemTrash } from '../../ports/ports.ts';
import { createNote } from '../write/create-note.ts';
import { runBatch } from '../write/run-batch.ts';
import { deleteFile } from './delete-file.ts';
import { moveFolder } from './move-folder.ts';
import { renameFile } from './rename-file.ts';

let opened: MemoryVault | undefined;
afterEach(() => opened?.close());

type Files = Readonly<Record<string, string>>;

/** A trash of the system that is a list of what is in it. */
function listedTrash(): SystemTrash & { readonly inside: string[] } {
  const inside: string[] = [];
  return {
    inside,
    put: async (path) => {
      inside.push(path);
      return {
        where: `the trash: ${path}`,
        takeBack: async () => void inside.splice(inside.indexOf(path), 1),
      };
    },
  };
}

async function vaultWith(files: Files, trash?: SystemTrash): Promise<MemoryVault> {
  opened = await openWrittenVault(files, trash === undefined ? {} : { parts: { trash } });
  return opened;
}

const set = (trashOption: string) => ({
  '.obsidian/app.json': JSON.stringify({ trashOption }),
});

describe('a deleted file', () => {
  it('lists the links that the same batch has made or moved', async () => {
    const vault = await vaultWith({
      'Old.md': '',
      'n.md': '\n[[Old]]',
      'F/x.md': '',
      'o.md': '[[x]]',
    });
    const { results } = await vault.change(runBatch, {
      steps: [
        { label: '1', plan: (draft) => createNote(draft, { path: 'new', content: '[[Old]]' }) },
        { label: '2', plan: (draft) => renameFile(draft, { name: 'Old', newName: 'Older' }) },
        { label: '3', plan: (draft) => deleteFile(draft, { name: 'Older' }) },
        { label: '4', plan: (draft) => moveFolder(draft, { folder: 'F', to: 'G' }) },
        { label: '5', plan: (draft) => deleteFile(draft, { name: 'x' }) },
      ],
    });
    expect(results[2]).toMatchObject({
      linkedFrom: [
        { path: 'n.md', line: 2 },
        { path: 'new.md', line: 1 },
      ],
    });
    expect(results[4]).toMatchObject({ linkedFrom: [{ path: 'o.md', line: 1 }] });
  });

  it('R17: stays named by every link, and they are listed', async () => {
    const links = {
      'n.md': '\n[[Old]] ![[Old#h]]',
      'c.canvas': '{"nodes":[]}',
      'o.md': '[[Gone]]',
    };
    const vault = await vaultWith({ 'Old.md': '[[Old]]', ...links });
    const answer = await vault.change(deleteFile, { name: 'Old' });
    expect(answer).toMatchObject({
      path: 'Old.md',
      trash: 'local',
      where: '.trash/Old.md',
      linkedFrom: [
        { path: 'n.md', line: 2 },
        { path: 'n.md', line: 2 },
      ],
      unlinked: 0,
      left: [],
    });
    expect(vault.files()).toEqual({ '.trash/Old.md': '[[Old]]', ...links });
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('R18: goes to .trash by its name alone, then with a number', async () => {
    const vault = await vaultWith({ ...set('local'), 'n.md': '1', 'A/n.md': '2', 'B/n.md': '3' });
    for (const name of ['n.md', 'A/n.md', 'B/n.md']) await vault.change(deleteFile, { name });
    expect(vault.files()).toEqual({
      ...set('local'),
      '.trash/n.md': '1',
      '.trash/n 2.md': '2',
      '.trash/n 3.md': '3',
    });
  });

  it.each([
    ['the system, where there is a trash', 'system', {}, 'system', []],
    ['nowhere, as the vault wants it', 'none', {}, 'none', []],
    ['nowhere, when asked', 'local', { permanent: true }, 'none', []],
    ['.trash, when asked', 'system', { trash: 'local' }, 'local', ['.trash/a.png']],
  ] as const)('goes to %s', async (_, option, request, trash, left) => {
    const vault = await vaultWith({ ...set(option), 'a.png': 'p' }, listedTrash());
    expect(await vault.change(deleteFile, { name: 'a.png', ...request })).toMatchObject({ trash });
    expect(Object.keys(vault.files())).toEqual(['.obsidian/app.json', ...left].sort());
  });

  it('is not asked for in two ways at once', async () => {
    const vault = await vaultWith({ 'a.md': '' });
    const request = { name: 'a', permanent: true, trash: 'local' } as const;
    await expect(vault.change(deleteFile, request)).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(vault.disk.paths()).toEqual(['a.md']);
  });

  it('is not unlinked while a note cannot be read, unless forced', async () => {
    const disk = memoryDisk({ 'a.md': '', 'n.md': '[[a]]' });
    disk.write('cloud.md', '', { present: false });
    const vault = await openWrittenVault(disk);
    opened = vault;
    const request = { name: 'a', links: 'unlink' } as const;
    await expect(vault.change(deleteFile, request)).rejects.toMatchObject({ code: 'unavailable' });
    expect(vault.text('n.md')).toBe('[[a]]');
    await vault.change(deleteFile, { ...request, force: true });
    expect(vault.text('n.md')).toBe('a');
  });

  it('goes to .trash where the system has no trash', async () => {
    const vault = await vaultWith({ ...set('system'), 'a.png': 'p' });
    expect(await vault.change(deleteFile, { name: 'a.png' })).toMatchObject({
      trash: 'local',
      where: '.trash/a.png',
    });
  });

  it('that history cannot keep goes to .trash, whatever is asked for', async () => {
    const large = new Uint8Array(limits.historyContentBytesMax + 1);
    opened = await openWrittenVault({ 'film.mp4': large });
    const answer = await opened.change(deleteFile, { name: 'film.mp4', permanent: true });
    expect(answer).toMatchObject({ trash: 'local', where: '.trash/film.mp4' });
    expect(answer.warnings).toHaveLength(1);
  });

  it('lies in the trash of the system only once it is deleted', async () => {
    const trash = listedTrash();
    const files = { ...set('system'), 'a.md': 'p' };
    const vault = await vaultWith(files, trash);
    const preview = await vault.change(deleteFile, { name: 'a', dryRun: true });
    expect(preview).toMatchObject({ trash: 'system' });
    expect(preview.where).toBeUndefined();
    const failing: typeof deleteFile = async (draft, request) => {
      await deleteFile(draft, request);
      throw new Error('too late');
    };
    await expect(vault.change(failing, { name: 'a' })).rejects.toThrow('too late');
    expect(trash.inside).toEqual([]);
    expect(vault.files()).toEqual(files);
    expect(await vault.change(deleteFile, { name: 'a' })).toMatchObject({
      where: 'the trash: a.md',
    });
    expect(trash.inside).toEqual(['a.md']);
  });
});

describe('unlinking', () => {
  it.each([
    ['a [[Old]] b', 'a Old b'],
    ['[[Old|# h]]\n\n  [[Old|- x]]', '\\# h\n\n  \\- x'],
    ['> - [[Old|1. x]], [[Old|2) y]] [[Old|#tag]]', '> - 1\\. x, 2) y \\#tag'],
    ['[> q](A/Old.md) [- x](A/Old.md) [[Old|-x]]', '\\> q - x -x'],
    ['---\nup: "[[Old|# h]]"\n---\n', '---\nup: "# h"\n---\n'],
    ['[[A/Old#One#Two]]', 'A/Old > One > Two'],
    ['[[Old|*nice* one]] [[Old|]]', '*nice* one Old'],
    ['[the `text`](A/Old.md "title") [x](<A/Old.md#h>)', 'the `text` x'],
    ['[](A/Old.md)', 'A/Old.md'],
    ['[see [[Old]]](A/Old.md)', 'see Old'],
    ['| a |\n|---|\n| [[Old\\|x]] |', '| a |\n|---|\n| x |'],
    ['`[[Old]]` [[Older]] [[B/Old]]', '`[[Old]]` [[Older]] [[B/Old]]'],
    [
      '---\nup: "[[Old]]" # c\nl: [\'[[Old|it\'\'s]]\', "[t](A/Old.md)"]\n---\n',
      '---\nup: "Old" # c\nl: [\'it\'\'s\', "t"]\n---\n',
    ],
    ['---\nup: >-\n  [[Old]]\n---\n', '---\nup: >-\n  Old\n---\n'],
  ])('turns %j into %j', async (before, after) => {
    const vault = await vaultWith({ 'A/Old.md': '', 'n.md': before });
    await vault.change(deleteFile, { name: 'Old', links: 'unlink' });
    expect(vault.text('n.md')).toBe(after);
    expect(await vault.indexFaults()).toEqual([]);
  });

  it.each([
    ['a [[Old|see #x]] b [[Old]]', 'a [[Old|see #x]] b Old'],
    ['#[[Old]] [[Old]]', '#[[Old]] Old'],
    ['[[Old|**]]bold** [[Old|a_b]]', '[[Old|**]]bold** a_b'],
    ['[[Old|_a]]b_ [[Old|x=y]]', '[[Old|_a]]b_ x=y'],
    ['[[Old|==a]]b== [[Old|==c==]]', '[[Old|==a]]b== ==c=='],
    ['[[Old|5$]] 6$ [[Old|~~a]]b~~ [[Old]]', '[[Old|5$]] 6$ [[Old|~~a]]b~~ Old'],
    ['#[[Old|a]]b #c', '#[[Old|a]]b #c'],
    ['text\n[[Old|---]]\n\n[[Old]]', 'text\n[[Old|---]]\n\nOld'],
    ['#[[Old| x]]', '#[[Old| x]]'],
    ['a [[Old|%% x]] b [[Old|c]] d %% #e', 'a [[Old|%% x]] b c d %% #e'],
    ['a [[Old|<!-- x]] b [[Old|c]] d --> #e', 'a [[Old|<!-- x]] b c d --> #e'],
    ['- [[Old|[ ] x]]\n- [[Old]]', '- [[Old|[ ] x]]\n- Old'],
    ['[[Old|`a]] b` #c', '[[Old|`a]] b` #c'],
    ['text [[Old|^id]]', 'text [[Old|^id]]'],
    ['[[Old|```]]\n\n# h [[Old]]', '[[Old|```]]\n\n# h Old'],
    ['[[Old|[^1]]] [[Old]]\n\n[^1]: f', '[[Old|[^1]]] Old\n\n[^1]: f'],
    ['[[Old|> q]]\n> [[Old|[!note] x]]', '\\> q\n> [[Old|[!note] x]]'],
    ['---\ntags: "[[Old|x]]"\nup: "[[Old|x]]"\n---\n', undefined],
  ])('makes nothing else out of the text of a link in %j', async (before, after) => {
    const vault = await vaultWith({ 'Old.md': '', 'n.md': before });
    const facts = (): unknown => {
      const { headings, tags, listItems, comments, code, blockIds, footnoteReferences } = scanNote(
        vault.text('n.md'),
      );
      const counted = [headings, tags, comments, code, blockIds, footnoteReferences];
      return [...counted.map(({ length }) => length), listItems.map(({ task }) => task)];
    };
    const was = facts();
    const answer = await vault.change(deleteFile, { name: 'Old', links: 'unlink' });
    expect(facts()).toEqual(was);
    if (after !== undefined) expect(vault.text('n.md')).toBe(after);
    if (after !== undefined)
      expect(answer.left).toContainEqual({ path: 'n.md', line: expect.any(Number), kind: 'link' });
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('leaves and lists embeds, canvases and bases', async () => {
    const files = {
      'c.canvas': '{"nodes":[{"type":"file","file":"Old.md"}]}',
      'b.base': 'filters: file.hasLink([[Old]])\n',
      'n.md': 'x\n![[Old]]',
      'd.md': '[t][Old]\n\n[Old]: Old.md\n',
    };
    const vault = await vaultWith({ 'Old.md': '', ...files });
    const answer = await vault.change(deleteFile, { name: 'Old', links: 'unlink' });
    expect(answer).toMatchObject({
      unlinked: 0,
      left: [
        { path: 'b.base', line: 1, kind: 'base' },
        { path: 'c.canvas', line: 1, kind: 'canvas' },
        { path: 'n.md', line: 2, kind: 'embed' },
      ],
      warnings: [expect.stringContaining('1 definitions')],
    });
    expect(answer.linkedFrom.map(({ path }) => path)).toEqual([
      'b.base',
      'c.canvas',
      'd.md',
      'n.md',
    ]);
    expect(vault.files()).toEqual({ '.trash/Old.md': '', ...files });
  });
});
