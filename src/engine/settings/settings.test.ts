import { expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { readSettings } from './settings.ts';

it("has Obsidian's defaults for a folder that was never opened", async () => {
  const settings = await readSettings(memoryDisk({ 'a.md': '' }));
  expect(settings).toEqual({
    newLinkFormat: 'shortest',
    useMarkdownLinks: false,
    alwaysUpdateLinks: false,
    trashOption: 'system',
    trashOptionSet: false,
    newFileLocation: 'root',
    newFileFolderPath: '',
    attachmentFolderPath: '/',
    exclude: [],
    opened: false,
    problems: [],
  });
});

it('reads what the app wrote, and takes no value it does not know', async () => {
  const app = {
    newLinkFormat: 'relative',
    useMarkdownLinks: true,
    trashOption: 'shredder',
    userIgnoreFilters: ['Archive/', 5, '/x$/'],
  };
  const settings = await readSettings(memoryDisk({ '.obsidian/app.json': JSON.stringify(app) }));
  expect(settings).toMatchObject({
    newLinkFormat: 'relative',
    useMarkdownLinks: true,
    trashOption: 'system',
    trashOptionSet: false,
    exclude: ['Archive/', '/x$/'],
    opened: true,
    problems: [],
  });
});

it('survives a settings file that is broken, and says so', async () => {
  for (const text of ['{', '[]', 'null']) {
    const settings = await readSettings(memoryDisk({ '.obsidian/app.json': text }));
    expect(settings.newLinkFormat).toBe('shortest');
    expect(settings.problems).toHaveLength(1);
  }
});
