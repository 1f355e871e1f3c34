import { expect, it } from 'vitest';
import { allScopes } from '../../src/base/caller.ts';
import { moveFile } from '../../src/engine/operations/move/move-file.ts';
import { checkVault } from '../../src/engine/operations/vault/check-vault.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import { diskError, systemError } from '../../src/node/system/disk-error.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { isRead, wrapDisk } from '../support/wrap-disk.ts';
import { openWrittenVault } from '../support/written-vault.ts';
import { faultVault } from './changes.ts';

it('a disk that becomes read-only in the middle of a change can still be read and checked', async () => {
  const disk = memoryDisk(faultVault);
  const vault = await openWrittenVault(disk);
  let writes = 0;
  const readOnly = wrapDisk(disk, async (call, run) => {
    if (isRead(call)) return run();
    writes += 1;
    if (writes <= 2) return run(); // Two temporary files are made, and then cannot be removed.
    throw diskError(call.path, systemError('EROFS'), 'write');
  });
  Object.assign(vault.whole.parts, { disk: readOnly });
  const rename = () => vault.change(moveFile, { name: 'Old', to: 'New' });
  await expect(rename()).rejects.toThrow(/^"[^"]+" may not be written: the disk is read-only\.$/);
  const why =
    /^Nothing can be written: change 1 \(test\) was interrupted and has to be finished or taken back first, and that failed\. "[^"]+" may not be written: the disk is read-only\.$/;
  const append = () => vault.change(appendNote, { name: 'Home', text: 'more' });
  await expect(append()).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(why),
  });
  expect(await checkVault(vault.vault)).toMatchObject({
    index: [],
    recovered: [],
    unrecovered: [expect.stringMatching(why)],
  });
  // A caller who may only read is told nothing of changes.
  const reader = vault.as({ scopes: { ...allScopes, effects: ['read'] } });
  expect(await checkVault(reader)).toMatchObject({ index: [], unrecovered: [] });
  Object.assign(vault.whole.parts, { disk });
  expect(await checkVault(vault.vault)).toMatchObject({
    recovered: [{ id: 1, outcome: 'undone' }],
    unrecovered: [],
  });
  await append();
  expect(vault.files()).toEqual({ ...faultVault, 'Home.md': expect.stringContaining('more') });
  await vault.close();
});
