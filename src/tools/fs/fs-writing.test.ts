import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileMtime, fsHistory, withFsVault } from '../../../test/support/fs-vault.ts';
import { limits } from '../../base/limits.ts';

describe('the writing methods of the fs toolset', () => {
  it('let one of two writers win who expect the same time', async () => {
    await withFsVault(async (vault) => {
      const write = (content: string) =>
        vault.call('fs.write', { path: 'old.md', content, expectedMtime: fileMtime });
      const answers = await Promise.all([write('one'), write('two')]);
      expect(answers).toEqual([{ mtime: expect.any(Number) }, '!conflict']);
      expect(vault.tree()['old.md']).toBe('one');
    });
  });

  it('do everything with a file that is larger than what history keeps', async () => {
    await withFsVault(async (vault) => {
      truncateSync(join(vault.root, 'bytes.bin'), limits.historyContentBytesMax + 1);
      const large = { path: 'bytes.bin', content: 'x' };
      const done = { mtime: expect.any(Number) };
      expect(await vault.call('fs.append', large)).toEqual(done);
      const copied = { srcPath: 'bytes.bin', destPath: 'copy.bin' };
      expect(await vault.call('fs.copy', copied)).toEqual(done);
      const { size } = statSync(join(vault.root, 'copy.bin'));
      expect(size).toBe(limits.historyContentBytesMax + 2);
      expect(await vault.call('fs.write', { ...large, path: 'copy.bin' })).toEqual(done);
      expect(vault.tree()['copy.bin']).toBe('x');
      const renamed = { oldPath: 'bytes.bin', newPath: 'large.bin' };
      expect(await vault.call('fs.rename', renamed)).toEqual(done);
      expect(await vault.call('fs.remove', { path: 'large.bin' })).toEqual({});
      expect(Object.keys(vault.tree())).not.toContain('large.bin');
    });
  });

  it('write the same bytes anew, which is nothing that history has to keep', async () => {
    await withFsVault(async (vault) => {
      const { ino } = statSync(join(vault.root, 'old.md'));
      const content = vault.tree()['old.md'];
      const answer = await vault.call('fs.write', { path: 'old.md', content });
      const after = statSync(join(vault.root, 'old.md'));
      expect(answer).toEqual({ mtime: Math.floor(after.mtimeMs) });
      expect(after.ino).not.toBe(ino);
      expect(vault.tree()['old.md']).toBe(content);
      expect(await fsHistory(vault)).toEqual([]);
    });
  });

  it('append to what another program has just written', async () => {
    await withFsVault(async (vault) => {
      await vault.call('fs.append', { path: 'old.md', content: '1' });
      writeFileSync(join(vault.root, 'old.md'), 'other');
      await vault.call('fs.append', { path: 'old.md', content: '2' });
      expect(vault.tree()['old.md']).toBe('other2');
    });
  });
});
