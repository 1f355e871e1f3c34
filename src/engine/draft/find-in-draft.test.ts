import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type DiskCall, wrapDisk } from '../../../test/support/wrap-disk.ts';
import { openWrittenFolder, openWrittenVault } from '../../../test/support/written-vault.ts';
import { moveFile } from '../operations/move/move-file.ts';
import { updateBody } from '../operations/write/update-body.ts';

describe('planning a change of one note', () => {
  it.each([
    ['an exact path', 'Sub/Note.md', ['read Sub/Note.md']],
    ['a path without .md', 'Sub/Note', ['stat Sub/Note', 'read Sub/Note.md']],
    ['a bare name', 'Note', ['stat Note', 'read Note.md', 'read Sub/Note.md']],
  ])('locates the note once, by %s', async (_what, name, expected) => {
    const calls: DiskCall[] = [];
    const memory = memoryDisk({ 'Sub/Note.md': 'old\n' });
    const disk = wrapDisk(memory, (call, run) => {
      calls.push(call);
      return run();
    });
    const { vault, close } = await openWrittenVault(memory, { parts: { disk } });
    calls.length = 0;
    await vault.change(updateBody, { name, text: 'new\n', dryRun: true });
    const looks = calls.filter(({ path }) => /Note(\.md)?$/.test(path));
    expect(looks.map(({ method, path }) => `${method} ${path}`)).toEqual(expected);
    await close();
  });
});

describe('a change of a note by its name', () => {
  // Windows has no pipes among the files.
  it.skipIf(process.platform === 'win32')(
    'skips what is neither a file nor a folder, and finds the note of that name elsewhere',
    async () => {
      const folder = tempFolder({ 'sub/pipe.md': 'old\n' });
      execFileSync('mkfifo', [join(folder, 'pipe.md')]);
      const { change, close } = await openWrittenFolder(folder);
      const { path } = await change(updateBody, { name: 'pipe', text: 'new\n' });
      expect(path).toBe('sub/pipe.md');
      await close();
    },
  );

  it('finds a folder that is called like a note to be no note', async () => {
    const { change, close } = await openWrittenVault({ 'x.md/y.md': 'a\n' });
    await expect(change(updateBody, { name: 'x', text: 'new\n' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await close();
  });

  it('reads nothing that is only moved', async () => {
    const { change, close } = await openWrittenVault({ 'a.md': 'a\n' });
    const moved = await change(moveFile, { name: 'a', to: 'Sub/', links: 'keep' });
    expect(moved).not.toHaveProperty('version');
    await close();
  });
});
