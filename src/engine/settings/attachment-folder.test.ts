import { expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { attachmentFolder } from './attachment-folder.ts';
import { readSettings } from './settings.ts';

it.each([
  [undefined, '', ''],
  ['/', '', ''],
  ['', '', ''],
  ['.', 'Deep/Sub', ''],
  ['./', 'Deep/Sub', ''],
  ['./files', 'Deep/Sub/files', 'files'],
  ['./files/', 'Deep/Sub/files', 'files'],
  ['Files', 'Files', 'Files'],
  ['/Files/Images', 'Files/Images', 'Files/Images'],
])('puts attachments where the setting %s says (D06)', async (setting, inSub, inRoot) => {
  const app = JSON.stringify({ attachmentFolderPath: setting });
  const settings = await readSettings(memoryDisk({ '.obsidian/app.json': app }));
  expect(attachmentFolder(settings, vaultPath('Deep/Sub/Note.md'))).toBe(inSub);
  expect(attachmentFolder(settings, vaultPath('Note.md'))).toBe(inRoot);
});
