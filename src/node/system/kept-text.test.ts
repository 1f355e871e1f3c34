import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { keptText } from './kept-text.ts';

it('a text is there after it was kept, and only its owner may read it', async () => {
  const file = join(tempFolder(), 'a/b/text.json');
  expect(await keptText(file).load()).toBeUndefined();
  await keptText(file).save('ä\n');
  expect(await keptText(file).load()).toBe('ä\n');
  await keptText(file).save('next');
  expect(await keptText(file).load()).toBe('next');
  if (process.platform === 'win32') return;
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect((statSync(dirname(file)).mode & 0o777).toString(8)).toBe('700');
});

it('what cannot be read is a failure, and no absence', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'file'), '');
  await expect(keptText(folder).load()).rejects.toThrow('EISDIR');
  await expect(keptText(join(folder, 'file/text')).save('')).rejects.toThrow();
});
