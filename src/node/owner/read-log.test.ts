import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import {
  describeReadLog,
  readEntry as entry,
  noonMs,
  readPaths as pathsIn,
} from '../../../test/support/read-log-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import { openReadLog } from './read-log.ts';

const dayMs = 24 * 60 * 60_000;

function open(options: { folder?: string; nowMs?: () => number } = {}) {
  const { folder = join(tempFolder(), 'reads'), nowMs = () => noonMs } = options;
  const timers = manualTimers();
  const failures: string[] = [];
  const onFailure = (reason: string): void => void failures.push(reason);
  const log = openReadLog({ folder, timers, clock: { nowMs }, onFailure });
  return { log, folder, timers, failures };
}

/** Lets what is being written be written. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

it('writes once a second, to a file that only its owner may read', async () => {
  const { log, folder, timers } = open();
  expect(await log.entries({ limit: 9 })).toEqual({ items: [], more: false, isEmpty: true });
  log.add(entry());
  log.add(entry({ paths: ['B.md'] }));
  timers.advance(limits.readLogWriteEveryMs - 1);
  await settled();
  expect(await pathsIn(log)).toEqual([]);
  timers.advance(1);
  await log.close();
  expect((await log.entries({ limit: 9 })).items).toEqual([entry(), entry({ paths: ['B.md'] })]);
  expect(readdirSync(folder)).toEqual(['2026-11-17-1.jsonl']);
  if (process.platform === 'win32') return; // It has no modes.
  expect(statSync(join(folder, '2026-11-17-1.jsonl')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

describeReadLog('files', () => {
  const { folder } = open();
  return () => open({ folder });
});

it('skips lines that are damaged or cut off, and loses none after them', async () => {
  const { log, folder } = open();
  log.add(entry({ paths: ['before.md'] }));
  await log.close();
  const file = join(folder, '2026-11-17-1.jsonl');
  appendFileSync(file, `\u0000\u0001\n{"timeMs":1}\nnull\n[]\n{"timeMs":"x","paths":[1]}\n`);
  appendFileSync(file, JSON.stringify(entry({ paths: ['torn.md'] })).slice(0, 40));
  log.add(entry({ paths: ['after.md'] }));
  await log.close();
  expect(await pathsIn(log)).toEqual(['before.md', 'after.md']);
});

it('begins another file each day and when one is full, and drops those older than 30 days', async () => {
  let nowMs = noonMs;
  const { log, folder } = open({ nowMs: () => nowMs });
  const paths = ['x'.repeat(2_000)];
  for (let n = 0; n < 600; n++) log.add(entry({ paths }));
  await log.close(); // One write of 1.2 MB: the file is full now.
  log.add(entry({ paths: ['second.md'] }));
  await log.close();
  expect(readdirSync(folder).toSorted()).toEqual(['2026-11-17-1.jsonl', '2026-11-17-2.jsonl']);
  nowMs += 29 * dayMs;
  log.add(entry({ timeMs: nowMs, paths: ['later.md'] }));
  await log.close();
  expect(readdirSync(folder)).toHaveLength(3);
  nowMs += 2 * dayMs;
  expect(await pathsIn(log)).toEqual(['later.md']);
  expect(readdirSync(folder)).toEqual(['2026-12-16-1.jsonl']); // Looking has dropped the others.
  log.add(entry({ timeMs: nowMs, paths: ['last.md'] }));
  await log.close();
  expect(readdirSync(folder).toSorted()).toEqual(['2026-12-16-1.jsonl', '2026-12-18-1.jsonl']);
  expect(await pathsIn(log)).toEqual(['last.md', 'later.md']);
});

it('has 50 MB at most, and drops the oldest first', async () => {
  const { log, folder } = open();
  mkdirSync(folder);
  const mb = 1024 * 1024;
  for (let n = 1; n <= 60; n++) {
    const file = join(folder, `2026-11-16-${n}.jsonl`);
    writeFileSync(file, '');
    truncateSync(file, mb);
  }
  writeFileSync(join(folder, 'notes.txt'), 'not ours');
  log.add(entry());
  await log.close();
  const left = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const bytes = left.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  expect(bytes).toBeLessThanOrEqual(limits.readLogBytesMax);
  expect(bytes).toBeGreaterThan(40 * mb);
  expect(left).toContain('2026-11-16-60.jsonl');
  expect(left).not.toContain('2026-11-16-1.jsonl');
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('not ours');
});

it('never fails: says once that it cannot write, and again after it could', async () => {
  const parent = join(tempFolder(), 'state');
  const { log, failures } = open({ folder: join(parent, 'reads') });
  for (let n = 0; n < 3; n++) {
    log.add(entry());
    await log.close();
  }
  expect(failures).toEqual(['ENOENT']);
  mkdirSync(parent);
  log.add(entry({ paths: ['B.md'] }));
  await log.close();
  expect(await pathsIn(log)).toEqual(['B.md']);
  for (let n = 0; n < 5_000; n++) log.add(entry({ paths: ['x'.repeat(4_000)] }));
  expect(failures).toEqual(['ENOENT', 'too much waits to be written']);
  await log.close();
});
