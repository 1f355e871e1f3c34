import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { makesSymlinks } from '../../../test/support/makes-symlinks.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { checkVaultPlace } from './vault-place.ts';

/** A folder with `vaults/a/b` and `vaults/c`, links to a vault and out of the root, and a link to the root. */
function places() {
  const folder = tempFolder();
  for (const path of ['vaults/a/b', 'vaults/c', 'out'])
    mkdirSync(join(folder, path), { recursive: true });
  if (!makesSymlinks) return folder;
  symlinkSync('c', join(folder, 'vaults', 'link'));
  symlinkSync('../out', join(folder, 'vaults', 'leads-out'));
  symlinkSync('vaults', join(folder, 'also-vaults'));
  return folder;
}

describe('checkVaultPlace', () => {
  it.each([
    ['a/b', [], undefined],
    ['a/b', ['c', 'a/bc', '<folder>/elsewhere/a'], undefined],
    ['<folder>/vaults/c', ['a'], undefined],
    ['gone', [], 'is not there'],
    ['.', [], 'is not below'],
    ['<folder>/vaults', [], 'is not below'],
    ['<folder>/out', [], 'is not below'],
    ['a/b', ['a/b'], 'is that of "other"'],
    ['a/b', ['a'], 'is that of "other"'],
    ['a', ['a/b'], 'is that of "other"'],
    ['c', ['<folder>/vaults/c'], 'is that of "other"'],
  ] as const)('"%s" beside %j: %s', checkPlace);

  it.runIf(makesSymlinks).each([
    ['<folder>/also-vaults/c', ['a'], undefined],
    ['leads-out', [], 'is not below'],
    ['link', [], 'through a symlink'],
    ['<folder>/also-vaults/c', ['c'], 'is that of "other"'],
  ] as const)('through a symlink, "%s" beside %j: %s', checkPlace);
});

async function checkPlace(path: string, paths: readonly string[], says?: string): Promise<void> {
  const folder = places();
  const full = (text: string): string => text.replace('<folder>', folder);
  const vault = { id: 1, name: 'garden', path: full(path) };
  const others = paths.map((other, at) => ({ id: at + 2, name: 'other', path: full(other) }));
  const checked = checkVaultPlace(vault, {
    root: join(folder, 'vaults'),
    others: [vault, ...others],
  });
  if (says === undefined) await expect(checked).resolves.toBeUndefined();
  else expect((await failureOf(checked)).message).toContain(says);
}
