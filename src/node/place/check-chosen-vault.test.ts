import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { VaultError } from '../../base/vault-error.ts';
import { checkChosenVault } from './check-chosen-vault.ts';

/** What is said of a vault, `ok` where it can be opened. */
async function look(path: string, platform: NodeJS.Platform = 'linux'): Promise<string> {
  try {
    await checkChosenVault({ name: 'Mine', path, platform });
    return 'ok';
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe('a chosen folder', () => {
  // What it is, the files of a folder, the path in it, and what is said.
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, string, RegExp])[] = [
    ['that Obsidian has opened is a vault', { '.obsidian/app.json': '{}' }, '', /^ok$/],
    ['that is empty is a vault', {}, '', /^ok$/],
    ['with notes is a vault', { 'a/b.md': '' }, '', /^ok$/],
    [
      'that Obsidian has opened may hold vaults',
      { '.obsidian/app.json': '', 'In/.obsidian/app.json': '' },
      '',
      /^ok$/,
    ],
    [
      'that only holds vaults is not meant',
      { 'One/.obsidian/app.json': '', 'Two/.obsidian/app.json': '', 'Three/a.md': '' },
      '',
      /^vault_not_found: The folder "Mine" is not a vault, .*: "(One", "Two|Two", "One)"\. Choose/,
    ],
    [
      'that only holds a vault, deeper, is not meant',
      { 'Documents/Notes/.obsidian/app.json': '', 'Music/a.md': '', '.old/v/.obsidian/x': '' },
      '',
      /^vault_not_found: The folder "Mine" .* a vault in it: "Documents\/Notes"\. Choose that folder in/,
    ],
    [
      'with a vault three levels below is a vault',
      { 'a/b/c/.obsidian/x': '', '.trash/v/.obsidian/x': '' },
      '',
      /^ok$/,
    ],
    [
      'that is gone is missed',
      {},
      'a/b',
      /^vault_not_found: .* does not exist\. .* choose it again/,
    ],
    [
      'that is a file is none',
      { 'a.md': '' },
      'a.md',
      /^vault_not_found: .* not a folder\. Choose/,
    ],
  ];

  it.each(rows)('%s', async (_what, files, path, says) => {
    expect(await look(join(tempFolder(files), path))).toMatch(says);
  });

  const drives: readonly (readonly [NodeJS.Platform, string])[] = [
    ['linux', '/mnt/no-such-drive/Notes'],
    ['linux', '/media/no-such-drive'],
    ['darwin', '/Volumes/no-such-drive/a/Notes'],
    ['win32', 'Q:\\Notes'],
    ['win32', '\\\\no-such-server\\share\\Notes'],
  ];

  it.each(drives)('on a drive that is not there (%s) waits for it', async (platform, path) => {
    const says = await look(path, platform);
    expect(says).toMatch(/^vault_not_found: .* drive is not there\. Connect or mount the drive/);
  });

  it.skipIf(process.platform === 'win32').each([
    ['linux', /^forbidden: .* may not be read\. Give yourself the permission/],
    ['darwin', /^forbidden: .* macOS does not let .* Privacy & Security/],
  ] as const)('that may not be read says how to allow it (%s)', async (platform, says) => {
    const folder = tempFolder({ 'closed/a.md': '' });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'closed'), 0o000);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.('nobody'); // Root may read all.
    try {
      expect(await look(join(folder, 'closed'), platform)).toMatch(says);
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(join(folder, 'closed'), 0o700);
    }
  });

  it('is called by its name, and never by its path', async () => {
    const folder = tempFolder();
    expect(await look(join(folder, 'gone'))).not.toContain(folder);
  });
});
