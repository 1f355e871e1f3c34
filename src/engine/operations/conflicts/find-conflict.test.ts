import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { findConflict } from './find-conflict.ts';

const copy = 'N.sync-conflict-20260901-123000-ABCDEF2.md';
let vault: MemoryVault;
afterEach(() => vault.close());

async function open(files: Readonly<Record<string, string>>): Promise<void> {
  vault = await openWrittenVault(files);
}

describe('findConflict', () => {
  it.each<[what: string, name: string, code: string, says: string]>([
    ['no copy', 'Other', 'invalid_input', 'is no conflict copy'],
    ['nothing', 'Nothing', 'not_found', 'Nothing'],
    ['a copy without an original', 'G.conflict1', 'not_found', 'Rename "G.conflict1.md"'],
    ['an original with two copies', 'N', 'ambiguous', '2 conflict copies'],
  ])('refuses %s', async (_, name, code, says) => {
    await open({
      'N.md': 'x',
      [copy]: 'y',
      'N.conflict1.md': 'z',
      'Other.md': '',
      'G.conflict1.md': '',
    });
    await expect(findConflict(vault.vault, name)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(says),
    });
  });

  it('takes the original when it has one copy', async () => {
    await open({ 'N.md': 'a\n', [copy]: 'a\n' });
    expect(await findConflict(vault.vault, 'N')).toEqual({ copy, original: 'N.md' });
  });

  it('finds that copy for a copy of a copy, or the original when that copy is gone', async () => {
    const second = 'N.conflict1.sync-conflict-20260901-123000-ABCDEF2.md';
    await open({ 'N.md': 'a\n', 'N.conflict1.md': 'b\n', [second]: 'b\n' });
    expect((await findConflict(vault.vault, second)).original).toBe('N.conflict1.md');
    vault.disk.erase('N.conflict1.md');
    expect((await findConflict(vault.vault, second)).original).toBe('N.md');
  });

  it('does not see an original that is hidden from the caller', async () => {
    await open({ 'N.md': 'secret\n', [copy]: 'b\n' });
    const scoped = vault.as({ scopes: { ...allScopes, hide: ['N.md'] } });
    await expect(findConflict(scoped, copy)).rejects.toMatchObject({ code: 'not_found' });
  });
});
