import { expect, it } from 'vitest';
import { VaultError } from '../../src/base/vault-error.ts';
import { vaultPath } from '../../src/base/vault-path.ts';
import { rawChange as answered } from '../../src/engine/operations/raw/raw-change.ts';
import type { WritableDisk } from '../../src/engine/ports/ports.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { diskError, systemError } from '../../src/node/system/disk-error.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { openWrittenVault, testCaller } from '../support/written-vault.ts';

const log = vaultPath('log.txt');
const append = async ({ raw }: Draft): Promise<object> => {
  await raw.append(log, new TextEncoder().encode('more\n'));
  return {};
};

/** Appends on a disk whose `append` is another one; answers the failure, the text and the history. */
async function appendOn(
  change: (disk: ReturnType<typeof memoryDisk>) => Partial<WritableDisk>,
  signal: AbortSignal = new AbortController().signal,
) {
  const disk = memoryDisk({ 'log.txt': 'old\n' });
  const vault = await openWrittenVault(disk);
  Object.assign(vault.whole.parts, { disk: { ...disk, ...change(disk) } });
  const call = { tool: 'fs.append', args: {}, raw: true };
  const bound = vault.whole.bind(testCaller({ door: 'remote', signal }), call);
  const failure = await answered(bound, append, {}).then(
    () => 'done',
    (error: unknown) => (error instanceof VaultError ? error.code : error),
  );
  const { state } = vault.whole.parts;
  const { items } = await state.changes({}, { limit: 9, offset: 0 });
  expect(await state.unfinished()).toEqual([]);
  await vault.close();
  return [failure, disk.text('log.txt'), items.map(({ kept }) => kept)];
}

it('takes back what a full disk has taken of it', async () => {
  const end = await appendOn((disk) => ({
    append: async (path) => {
      disk.write('log.txt', 'old\nmo');
      throw diskError(path, systemError('ENOSPC'), 'write');
    },
  }));
  expect(end).toEqual([expect.stringMatching(/_/), 'old\n', []]);
});

it('reports the file that someone else wrote to after a part of it', async () => {
  const end = await appendOn((disk) => ({
    append: async (path) => {
      disk.write('log.txt', 'old\nmo and theirs');
      throw diskError(path, systemError('EIO'), 'write');
    },
  }));
  expect(end).toEqual(['conflict', 'old\nmo and theirs', [[log]]]);
});

it('is planned again when the file was cut between the look and the write', async () => {
  let calls = 0;
  const end = await appendOn((disk) => ({
    append: (...args) => {
      if (calls++ === 0) disk.write('log.txt', 'o');
      return disk.append(...args);
    },
  }));
  expect([end, calls]).toEqual([['done', 'omore\n', [[]]], 2]);
});

it('is planned again when another file took the place of the first', async () => {
  let calls = 0;
  const end = await appendOn((disk) => ({
    append: (...args) => {
      if (calls++ === 0) disk.replace('log.txt', 'new\n');
      return disk.append(...args);
    },
  }));
  expect([end, calls]).toEqual([['done', 'new\nmore\n', [[]]], 2]);
});

it('gives up a file that always changes', async () => {
  const end = await appendOn((disk) => ({
    append: (...args) => {
      disk.write('log.txt', `${disk.text('log.txt')}.`);
      return disk.append(...args);
    },
  }));
  expect(end).toEqual(['conflict', 'old\n....', []]);
});

it('writes nothing after its deadline', async () => {
  const late = new AbortController();
  const end = await appendOn(
    (disk) => ({
      readEnd: (...args) => {
        late.abort();
        return disk.readEnd(...args);
      },
    }),
    late.signal,
  );
  expect(end).toEqual(['cancelled', 'old\n', []]);
});

it('is done when only the answer of the disk was lost', async () => {
  const end = await appendOn((disk) => ({
    append: async (path, ...rest) => {
      await disk.append(path, ...rest);
      throw diskError(path, systemError('EIO'), 'write');
    },
  }));
  expect(end).toEqual(['done', 'old\nmore\n', [[]]]);
});
