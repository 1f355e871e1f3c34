import { expect, it } from 'vitest';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { readPicture } from './console-picture.ts';

it.each([
  ['a.png', '\x89PNG\r\n\x1a\n…', 'image/png'],
  ['a.txt', 'GIF89a…', 'image/gif'],
  ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'image/svg+xml'],
  ['a.svg', '<?xml version="1.0"?>\n<!-- made -->\n<svg>', 'image/svg+xml'],
  ['a.svg', '<html><svg></svg></html>', 'invalid_input'],
  ['a.png', '<!doctype html><script>1</script>', 'invalid_input'],
  ['a.md', 'text of a note', 'invalid_input'],
  ['.obsidian/a.png', '\x89PNG\r\n\x1a\n…', 'not_found'],
])('%s with %j is %s', async (path, text, expected) => {
  // The disk keeps text as UTF-8; what is tested begins with bytes that are not.
  const { whole, disk } = await openWrittenVault({ 'A.md': 'a' });
  disk.write(path, Buffer.from(text, 'latin1'));
  const picture = readPicture(openedVault(whole), path, { ...testCaller(), door: 'console' });
  const said = await picture.then(
    ({ type }) => type,
    (error: { code: string }) => error.code,
  );
  expect(said).toBe(expected);
});

it.each(['../secret.png', '/etc/passwd', ''])('%j is not in the vault', async (path) => {
  const { whole } = await openWrittenVault({});
  const picture = readPicture(openedVault(whole), path, { ...testCaller(), door: 'console' });
  await expect(picture).rejects.toMatchObject({ name: 'VaultError' });
});
