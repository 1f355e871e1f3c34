import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { readStdioOptions } from '../options/stdio-options.ts';
import { vaultsToServe } from './vaults-to-serve.ts';

const shell = { env: {}, currentFolder: '/' };

function check(mode: number, expected: string): void {
  const folder = tempFolder({ 'vault/a.md': '' });
  const path = join(folder, 'vault');
  chmodSync(folder, 0o755);
  chmodSync(path, mode);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.('nobody'); // Root may read all.
  let says = 'fine';
  try {
    const options = readStdioOptions(['--vault', path]);
    vaultsToServe(shell, options, () => undefined);
  } catch (error) {
    says = (error as Error).message.replace(path, '…');
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(path, 0o755);
  }
  expect(says).toBe(expected);
}

const refusal =
  'The vault "…" cannot be opened: its folder may not be read. Check its permissions, and which user this runs as.';

// Windows has no such modes.
it.skipIf(process.platform === 'win32').each([
  ['may be read', 0o555, 'fine'],
  ['may not be listed', 0o311, refusal],
  ['may not be entered', 0o644, refusal],
  ['is closed', 0o000, refusal],
])('a folder that %s', (_what, mode, expected) => check(mode, expected));
