import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unpackNotes, unpackTexts } from '../../../test/support/pack-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { bundleRunWorker } from '../../../test/watcher/bundle-worker.ts';
import { fromJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Scanner } from '../../engine/ports/ports.ts';
import { openLocalScanner } from '../scan/local-scanner.ts';
import { openScanSource } from '../scan/scan-source.ts';
import { nodeClock } from '../system/node-ports.ts';
import type { OpenThread } from '../threads/open-thread.ts';
import { openThreadScanner } from './thread-scanner.ts';

const entryFile = bundleRunWorker();

function inWorker(root: string): Scanner {
  const scanner = openThreadScanner({ entryFile, root });
  onTestFinished(() => scanner.close());
  return scanner;
}

function inProcess(root: string): Scanner {
  return openLocalScanner({ source: openScanSource(root), clock: nodeClock });
}

/** Everything a scanner says about a vault; versions depend on when it was asked. */
async function everything(scanner: Scanner) {
  const entries: unknown[] = [];
  const paths: ReturnType<typeof vaultPath>[] = [];
  const summary = await scanner.walk('', async (batch) => {
    for (const entry of fromJson(batch.entries)) {
      entries.push(entry);
      paths.push(entry.path);
    }
  });
  const records: unknown[] = [];
  await scanner.scan([...paths, vaultPath('gone.md')], ['facts', 'text'], async (batch) => {
    for (const { racy: _, ...note } of batch.notes ? unpackNotes(batch.notes) : [])
      records.push(note);
    records.push(...(batch.texts ? unpackTexts(batch.texts) : []), ...batch.failed);
  });
  return { entries, summary, records };
}

test('a scanner in a worker says what one on this thread says', async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 600; i++)
    files[`folder ${i % 5}/note ${i}.md`] = `# Note ${i}\n[[note ${i + 1}]] #tag\n`;
  const root = tempFolder(files);
  symlinkSync('folder 1', join(root, 'link'));
  const told = await everything(inWorker(root));
  expect(told).toEqual(await everything(inProcess(root)));
  expect(told.records).toHaveLength(1_201);
});

test('a listener on this thread holds the worker back, and its error comes back as it is', async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < limits.batchNotesMax * 3; i++) files[`${i}.md`] = '';
  const root = tempFolder(files);
  const scanner = inWorker(root);
  const paths = Object.keys(files).map(vaultPath);
  const mine = new VaultError('io_failed', 'The index is full.');
  let taken = 0;
  await expect(
    scanner.scan(paths, ['facts'], async () => {
      taken += 1;
      throw mine;
    }),
  ).rejects.toBe(mine);
  expect(taken).toBe(1);
});

test('a short scan is answered while a long one waits for its listener', async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < limits.batchNotesMax * 3 + 1; i++) files[`${i}.md`] = '';
  const root = tempFolder(files);
  const scanner = inWorker(root);
  const paths = Object.keys(files).map(vaultPath);
  const order: string[] = [];
  await scanner.scan(paths, ['facts'], async () => {
    if (order.length === 0) {
      await scanner.scan(paths.slice(0, 2), ['facts'], async () => {
        order.push('short');
      });
    }
    order.push('long');
  });
  expect(order).toEqual(['short', 'long', 'long', 'long', 'long']);
});

test('a scanner of a vault that is not there says so', async () => {
  const scanner = inWorker(join(tempFolder(), 'absent'));
  await expect(scanner.walk('', async () => {})).rejects.toMatchObject({ code: 'vault_not_found' });
});

test('one that is to start when it is called has no worker before, and none after its end', async () => {
  const root = tempFolder({ 'a.md': '' });
  const unused = openThreadScanner({ entryFile: join(root, 'no-program'), root, when: 'called' });
  await unused.close();
  await expect(unused.walk('', async () => {})).rejects.toMatchObject({ code: 'cancelled' });
  const scanner = openThreadScanner({ entryFile, root, when: 'called' });
  onTestFinished(() => scanner.close());
  expect((await everything(scanner)).entries).toHaveLength(1);
});

test('hurrying reaches the thread for long work and the other one, and starts none', async () => {
  const root = tempFolder({ 'a.md': '' });
  const opened: string[] = [];
  const hurried: string[] = [];
  const openThread: OpenThread = ({ isLong }) => {
    const name = isLong === true ? 'long' : 'short';
    opened.push(name);
    const remote: object = {
      walk: async () => undefined,
      scan: async () => undefined,
      hurry: async () => hurried.push(name),
    };
    return { remote: remote as never, ready: async () => undefined, close: async () => undefined };
  };
  const options = { entryFile, root, when: 'called', openThread, hasOthers: true } as const;
  const scanner = openThreadScanner(options);
  onTestFinished(() => scanner.close());
  await scanner.hurry();
  expect(opened).toEqual([]);
  await scanner.walk('', async () => {});
  await scanner.hurry();
  expect(hurried).toEqual(['long']);
  await scanner.scan([vaultPath('a.md')], ['facts'], async () => {});
  await scanner.hurry();
  expect(opened).toEqual(['long', 'short']);
  expect(hurried).toEqual(['long', 'long', 'short']);
});
