import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openScanSource } from './scan-source.ts';

test.runIf(process.platform === 'linux')('plain files can be peeked at, and nothing else', () => {
  const base = tempFolder({
    'vault/a/one.md': 'one',
    'vault/a/two.md': '',
    'vault/b/three.md': 'three',
    'vault/b/large.md': 'x'.repeat(300_000),
    'outside/secret.md': 'secret',
  });
  const vault = join(base, 'vault');
  symlinkSync('../b/three.md', join(vault, 'a/link.md'));
  symlinkSync('../outside', join(vault, 'out'));
  const peeked = openScanSource(vault).peek();
  const read = (path: string) => peeked.read(vaultPath(path))?.toString();
  const texts = ['a/one.md', 'a/two.md', 'b/three.md'].map(read);
  const others = ['b/large.md', 'a/link.md', 'out/secret.md', 'a', 'gone/x.md'].map(read);
  peeked.close();
  expect(texts).toEqual(['one', '', 'three']);
  expect(others.every((text) => text === undefined)).toBe(true);
});
