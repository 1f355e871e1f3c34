import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import type { VaultFolder } from '../../../base/vault-path.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { countWords, fileInfo, readOutline } from '../read/file-info.ts';
import { randomNote } from '../read/read-note.ts';
import { listTemplates, readTemplate } from '../read/read-template.ts';
import { folderInfo, listFolders } from './list-folders.ts';
import { listDeadEnds } from './list-graph.ts';
import { listAliases } from './list-properties.ts';

const page = { limit: 50, offset: 0 };
let opened: MemoryVault;

beforeAll(async () => {
  opened = await openWrittenVault({
    '.obsidian/app.json': '{"userIgnoreFilters":["Archive/"]}',
    '.obsidian/templates.json': '{"folder":"Templates","dateFormat":"YYYY"}',
    '.trash/gone.md': '# gone',
    'Home.md':
      '---\naliases: [Start, Way in]\ntags: [Garden]\n---\n# First\n[[Log]] #garden #Garden\n```\n# code\n```\nSecond\n---\n### Deep **bold**\n',
    'Log.md': 'Three short words',
    'Templates/Day.md': '# {{title}}\n{{date}}',
    'Templates/Sub/Meeting.md': 'about {{title}}',
    'Templates/picture.png': 'x',
    'Secret/Plan.md': '---\naliases: Hush\n---\n12345',
    'Archive/Old.md': '---\naliases: Older\n---\n',
    'Files/Deep/picture.png': '1234567',
    'Board.canvas': '{}',
  });
  await opened.disk.makeFolder(vaultPath('Empty'));
  await opened.disk.makeFolder(vaultPath('Files/Empty too'));
  await opened.disk.makeFolder(vaultPath('Files/.hidden'));
});
afterAll(() => opened.close());

const everyone = (): BoundVault => opened.vault;
const without = (): BoundVault => opened.as({ scopes: { ...allScopes, hide: ['Secret'] } });
const inFiles = (): BoundVault =>
  opened.as({ scopes: { ...allScopes, folders: [vaultPath('Files/Deep')] } });
const folder = (name: string): VaultFolder => (name === '' ? '' : vaultPath(name));

describe('readOutline', () => {
  it('answers the headings with their lines, as written', async () => {
    expect(await readOutline(everyone(), { name: 'home' })).toEqual({
      path: 'Home.md',
      headings: [
        { level: 1, text: 'First', line: 5 },
        { level: 2, text: 'Second', line: 10 },
        { level: 3, text: 'Deep **bold**', line: 12 },
      ],
    });
  });

  it.each([
    ['Board.canvas', 'invalid_input'],
    ['Secret/Plan', 'not_found'],
    ['.trash/gone', 'not_found'],
  ])('refuses %s', async (name, code) => {
    await expect(readOutline(without(), { name })).rejects.toMatchObject({ code });
  });
});

describe('templates', () => {
  it('are the notes of the template folder, by the names that find them', async () => {
    const { folder: at, templates } = await listTemplates(everyone());
    expect([at, ...templates.map(({ name, path }) => `${name} = ${path}`)]).toEqual([
      'Templates',
      'Day = Templates/Day.md',
      'Sub/Meeting = Templates/Sub/Meeting.md',
    ]);
    for (const { name, path } of templates) {
      expect((await readTemplate(everyone(), { template: name })).path).toBe(path);
    }
  });

  it('are none for a caller who does not see the folder', async () => {
    expect(await listTemplates(inFiles())).toEqual({ templates: [] });
  });

  it.each([
    [{ template: 'Day', title: 'Mine' }, '# Mine\n2023'],
    [{ template: 'meeting', title: '$& {{date}}' }, 'about $& {{date}}'],
    [{ template: 'Meeting' }, 'about {{title}}'],
  ])('are filled in as a new note would be: %j', async (request, text) => {
    expect((await readTemplate(everyone(), request)).text).toBe(text);
  });

  it('that are not there are refused with those that are', async () => {
    await expect(readTemplate(everyone(), { template: 'None' })).rejects.toMatchObject({
      code: 'not_found',
      details: { candidates: ['Templates/Day.md', 'Templates/Sub/Meeting.md'] },
    });
  });
});

describe('listFolders', () => {
  const all = [
    'Archive',
    'Empty',
    'Files',
    'Files/Deep',
    'Files/Empty too',
    'Secret',
    'Templates',
    'Templates/Sub',
  ];
  it.each<readonly [who: string, vault: () => BoundVault, folder: string, found: string[]]>([
    ['everyone', everyone, '', all],
    ['everyone', everyone, 'Files', ['Files/Deep', 'Files/Empty too']],
    ['everyone', everyone, 'Empty', []],
    ['everyone, in whatever case,', everyone, 'fILES', ['Files/Deep', 'Files/Empty too']],
    ['one who sees one folder', inFiles, 'files/dEEP', []],
    ['one who does not see Secret', without, '', all.filter((name) => name !== 'Secret')],
    ['one who sees one folder', inFiles, '', ['Files', 'Files/Deep']],
  ])('for %s in %3$j', async (_, vault, at, found) => {
    expect(await listFolders(vault(), { folder: folder(at), ...page })).toEqual({
      total: found.length,
      folders: found,
    });
  });

  it('comes in pages, and refuses what is no folder that is seen', async () => {
    expect(await listFolders(everyone(), { folder: '', limit: 1, offset: 2 })).toEqual({
      total: all.length,
      folders: ['Files'],
    });
    for (const at of ['Nowhere', 'Secret', 'secret', '.obsidian', '.Obsidian']) {
      const asked = listFolders(without(), { folder: folder(at), ...page });
      await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

describe('folderInfo', () => {
  it.each<readonly [string, () => BoundVault, string, object]>([
    [
      'counts what lies in a folder at any depth',
      everyone,
      'Files',
      { files: 1, folders: 2, bytes: 7 },
    ],
    ['counts nothing in an empty one', everyone, 'Empty', { files: 0, folders: 0, bytes: 0 }],
    ['counts excluded files', everyone, 'Archive', { files: 1, folders: 0, bytes: 23 }],
    ['does not count what is hidden', without, '', { files: 8, folders: 7 }],
    [
      'nor what lies outside of the folders one sees',
      inFiles,
      '',
      { files: 1, folders: 2, bytes: 7 },
    ],
  ])('%s', async (_, vault, at, info) => {
    expect(await folderInfo(vault(), { folder: folder(at) })).toMatchObject({ path: at, ...info });
  });
});

describe('listAliases', () => {
  it.each<readonly [string, () => BoundVault, object, string[]]>([
    [
      'of all notes that are listed',
      everyone,
      {},
      ['Start Home.md', 'Way in Home.md', 'Hush Secret/Plan.md'],
    ],
    ['without those of hidden notes', without, {}, ['Start Home.md', 'Way in Home.md']],
    ['of one note', everyone, { name: 'Plan' }, ['Hush Secret/Plan.md']],
    ['of one note that has none', everyone, { name: 'Log' }, []],
    ['of one that is no note', everyone, { name: 'Board.canvas' }, []],
  ])('%s', async (_, vault, request, found) => {
    const { total, aliases } = await listAliases(vault(), { ...page, ...request });
    expect(aliases.map(({ alias, path }) => `${alias} ${path}`)).toEqual(found);
    expect(total).toBe(found.length);
  });

  it('comes in pages', async () => {
    expect(await listAliases(everyone(), { limit: 1, offset: 1 })).toEqual({
      total: 3,
      aliases: [{ alias: 'Way in', path: 'Home.md' }],
    });
  });
});

describe('listDeadEnds', () => {
  it('leaves out excluded and hidden notes', async () => {
    expect(await listDeadEnds(without(), page)).toEqual({
      total: 3,
      items: ['Log.md', 'Templates/Day.md', 'Templates/Sub/Meeting.md'],
    });
  });
});

describe('fileInfo', () => {
  it('says what is known of a note', async () => {
    const { version } = await opened.vault.readText(vaultPath('Home.md'));
    const info = await fileInfo(everyone(), { name: 'home' });
    expect(info).toMatchObject({
      path: 'Home.md',
      name: 'Home',
      extension: 'md',
      kind: 'note',
      bytes: opened.text('Home.md').length,
      version,
      tags: ['#Garden', '#garden'],
      aliases: ['Start', 'Way in'],
    });
    expect(info.modifiedMs).toBeGreaterThan(0);
  });

  it('reads no attachment', async () => {
    opened.disk.resetCalls();
    expect(await fileInfo(everyone(), { name: 'Files/Deep/picture.png' })).toMatchObject({
      name: 'picture',
      extension: 'png',
      kind: 'attachment',
      bytes: 7,
    });
    expect(opened.disk.calls.read).toBe(0);
  });

  it('hides what is hidden', async () => {
    const asked = fileInfo(without(), { name: 'Plan' });
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('countWords', () => {
  it('counts a note, and nothing that is none', async () => {
    const counted = await countWords(everyone(), { name: 'Log' });
    expect(counted).toEqual({ path: 'Log.md', words: 3, characters: 17 });
    const refused = countWords(everyone(), { name: 'Board.canvas' });
    await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('randomNote', () => {
  const chosen = async (vault: BoundVault, at: string): Promise<Set<string>> => {
    const found = new Set<string>();
    // The numbers of the tests go through all remainders in turn.
    for (let tries = 0; tries < 20; tries++) {
      found.add((await randomNote(vault, { folder: folder(at) })).path);
    }
    return found;
  };

  it('may choose every note that is listed, and no other', async () => {
    expect(await chosen(without(), '')).toEqual(
      new Set(['Home.md', 'Log.md', 'Templates/Day.md', 'Templates/Sub/Meeting.md']),
    );
    expect(await chosen(everyone(), 'Templates/Sub')).toEqual(
      new Set(['Templates/Sub/Meeting.md']),
    );
  });

  it('answers its text as it is on disk', async () => {
    const { text } = await randomNote(everyone(), { folder: folder('Secret') });
    expect(text).toBe(opened.text('Secret/Plan.md'));
  });

  it.each(['Files', 'Empty', 'Nowhere'])('refuses %s, where there is none', async (at) => {
    const asked = randomNote(everyone(), { folder: folder(at) });
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
  });
});
