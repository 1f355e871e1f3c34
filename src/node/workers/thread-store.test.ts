import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { bundleRunWorker } from '../../../test/watcher/bundle-worker.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openThreadStore } from './thread-store.ts';

// A store with just enough to see that calls, callbacks and closing arrive.
const entryFile = bundleRunWorker(`({ file, leaseFile, vault }) => {
  if (file === 'damaged') throw new Error('file is not a database');
  return {
    status: async (view) => ({ files: view.folders.length, file, leaseFile, vault }),
    file: async () => undefined,
    dump: async (onLines) => {
      for (let i = 0; i < 3; i++) onLines(['line ' + i]);
    },
    close: async () => (await import('node:fs')).writeFileSync(file, 'closed'),
  };
}`);

test('a store in a worker is called like one on this thread, and closed before its thread ends', async () => {
  const folder = tempFolder();
  const file = join(folder, 'index.db');
  const store = await openThreadStore({ entryFile, file, leaseFile: 'lease.db', vault: 'v' });
  expect(await store.status(wholeVault)).toEqual({
    files: 1,
    file,
    leaseFile: 'lease.db',
    vault: 'v',
  });
  expect(await store.file(wholeVault, 'a.md' as never)).toBeUndefined();
  const lines: string[] = [];
  await store.dump((more) => lines.push(...more));
  expect(lines).toEqual(['line 0', 'line 1', 'line 2']);
  await store.close();
  expect(existsSync(file)).toBe(true);
  await expect(store.status(wholeVault)).rejects.toMatchObject({ code: 'cancelled' });
});

test('a store that cannot be opened says why', async () => {
  const opening = openThreadStore({
    entryFile,
    file: 'damaged',
    leaseFile: 'lease.db',
    vault: 'v',
  });
  await expect(opening).rejects.toMatchObject({
    code: 'internal',
    message: 'Vaultdoor has a bug: file is not a database',
  });
});
