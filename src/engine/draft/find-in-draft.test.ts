import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { type DiskCall, wrapDisk } from '../../../test/support/wrap-disk.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
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
