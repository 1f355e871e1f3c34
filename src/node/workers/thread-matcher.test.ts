import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openLocalMatcher } from '../../../test/support/local-matcher.ts';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { bundleRunWorker, bundleWorker } from '../../../test/watcher/bundle-worker.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { TextMatcher, TextMatchRequest } from '../../engine/ports/text-matcher.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { parseQuery } from '../../engine/search/parse-query.ts';
import { openScanSource } from '../scan/scan-source.ts';
import { openThreadMatcher } from './thread-matcher.ts';
import { openThreadScanner } from './thread-scanner.ts';

/** The program's own workers, which leave a line beside the program when they start. */
const entryFile = bundleWorker(
  import.meta.dirname,
  `
  import { appendFileSync } from 'node:fs';
  import { workerData } from 'node:worker_threads';
  import { runWorker } from './run-worker.ts';
  appendFileSync(new URL('starts', import.meta.url), 'started\\n');
  runWorker(workerData, {});
`,
);
const quietFile = bundleRunWorker();
const startsFile = join(dirname(entryFile), 'starts');

function starts(): number {
  return existsSync(startsFile) ? readFileSync(startsFile, 'utf8').split('\n').length - 1 : 0;
}

/** For machines that are busy. */
const patience = { timeout: 30_000, interval: 5 };

/** An expression that takes longer than anyone has, on this text. */
const endless = '/(a+)+$/';
const longAs = `${'a'.repeat(60)}!`;

function openMatcher(
  root: string,
  options: Partial<Parameters<typeof openThreadMatcher>[0]> = {},
): TextMatcher {
  rmSync(startsFile, { force: true });
  const scanner = openThreadScanner({ entryFile: quietFile, root, when: 'called' });
  const matcher = openThreadMatcher({ entryFile, root, scanner, ...options });
  onTestFinished(async () => {
    await matcher.close();
    await scanner.close();
  });
  return matcher;
}

function asked(
  query: string,
  paths: readonly string[],
  rest: Partial<TextMatchRequest> = {},
): TextMatchRequest {
  const { signal } = new AbortController();
  const timeMs = 60_000;
  const request = { query: parseQuery(query), alternatives: [], view: wholeVault, timeMs, signal };
  return { ...request, paths: paths.map(vaultPath), ...rest };
}

test('a matcher in a worker says what one on this thread says', async () => {
  const files: Record<string, string> = { 'a.jpg': 'red', 'large.md': '' };
  for (let i = 0; i < 200; i++) files[`notes/${i}.md`] = `# ${i}\nred ${i % 7}\n- [ ] blue\n`;
  const root = tempFolder(files);
  const paths = [...Object.keys(files), 'gone.md'];
  const [thread, local] = [openMatcher(root), openLocalMatcher(openScanSource(root))];
  for (const query of ['/red [35]$/', 'line:(red 3)', 'task-todo:blue', 'file:/jpg$/', '-/red/']) {
    const request = asked(query, paths);
    const found = await thread.match(request);
    expect(found).toEqual(await local.match(request));
    expect(found.looked).toBe(paths.length);
    const some = asked(query, found.found.slice(0, 3));
    expect(await thread.reasons(some)).toEqual(await local.reasons(some));
  }
  expect(starts()).toBe(1);
});

describe('an expression without end', () => {
  const files = { '1.md': 'aa', '2.md': longAs, '3.md': 'a' };
  const paths = Object.keys(files);

  test('answers what was found until its time was over, and the next query works', async () => {
    const matcher = openMatcher(tempFolder(files));
    expect((await matcher.match(asked('/a/', paths))).looked).toBe(3);
    const late = await matcher.match(asked(endless, paths, { timeMs: 300 }));
    expect(late.looked).toBeLessThan(2);
    expect(await matcher.match(asked('/a$/', paths))).toEqual({
      found: ['1.md', '3.md'],
      looked: 3,
    });
    expect(starts()).toBe(2);
  });

  test('does not hold up others', async () => {
    const matcher = openMatcher(tempFolder(files));
    const leaving = new AbortController();
    const stuck = matcher.match(asked(endless, paths, { signal: leaving.signal }));
    expect((await matcher.match(asked('/a$/', paths))).found).toHaveLength(2);
    leaving.abort(new VaultError('timeout', 'Too late.'));
    await expect(stuck).rejects.toMatchObject({ code: 'timeout' });
  });

  test('has those wait that come when all threads are taken, but not beyond their time', async () => {
    const matcher = openMatcher(tempFolder(files));
    const leaving = new AbortController();
    const stuck = Array.from({ length: limits.textMatchesMax }, () =>
      matcher.match(asked(endless, paths, { signal: leaving.signal })).catch(() => 'left'),
    );
    expect(await matcher.match(asked('/a$/', paths, { timeMs: 100 }))).toEqual({
      found: [],
      looked: 0,
    });
    const waiting = matcher.match(asked('/a$/', paths));
    leaving.abort();
    expect(await Promise.all(stuck)).toEqual(stuck.map(() => 'left'));
    expect((await waiting).found).toHaveLength(2);
  });

  test('shows what it can of why', async () => {
    const matcher = openMatcher(tempFolder(files));
    const reasons = await matcher.reasons(asked(endless, paths, { timeMs: 300 }));
    expect(reasons.length).toBeLessThan(2);
  });

  test('ends with the vault', async () => {
    const matcher = openMatcher(tempFolder(files));
    const stuck = matcher.match(asked(endless, paths)).catch((error: VaultError) => error.code);
    await vi.waitFor(() => expect(starts()).toBe(1), patience);
    await matcher.close();
    expect(await stuck).toBe('cancelled');
    await expect(matcher.match(asked('/a/', paths))).rejects.toMatchObject({ code: 'cancelled' });
  });
});

test('an expression that needs more room than there is does not match', async () => {
  const matcher = openMatcher(tempFolder({ 'a.md': 'ab'.repeat(2_000_000), 'b.md': 'ab' }));
  const { found, looked } = await matcher.match(asked('/^(?:.|b)*$/', ['a.md', 'b.md']));
  expect([found.includes(vaultPath('b.md')), looked]).toEqual([true, 2]);
});

describe('why files were found by their words', () => {
  const files = { 'a.md': '# Fruit\nred apples\n', 'b.md': 'apples', 'photo.jpg': 'x' };

  test('is read by the scanner, without a thread of its own', async () => {
    const matcher = openMatcher(tempFolder(files));
    const reasons = await matcher.reasons(
      asked('apples OR file:photo', ['a.md', 'gone.md', 'b.md', 'photo.jpg']),
    );
    expect(reasons).toEqual([
      { lines: [{ line: 2, text: 'red apples', heading: 'Fruit' }] },
      { lines: [] },
      { lines: [{ line: 1, text: 'apples' }] },
      { lines: [], matched: 'name' },
    ]);
    expect(starts()).toBe(0);
  });

  test('is not waited for beyond the time, nor for someone who left', async () => {
    const never = { reasons: () => new Promise<void>(() => {}) };
    const matcher = openMatcher(tempFolder(files), { scanner: never });
    expect(await matcher.reasons(asked('apples', ['a.md'], { timeMs: 1 }))).toEqual([]);
    const leaving = new AbortController();
    const left = matcher.reasons(asked('apples', ['a.md'], { signal: leaving.signal }));
    leaving.abort(new VaultError('timeout', 'Too late.'));
    await expect(left).rejects.toMatchObject({ code: 'timeout' });
  });
});

test('a thread that nobody needs ends, and one that is needed again starts', async () => {
  const timers = manualTimers();
  const matcher = openMatcher(tempFolder({ 'a.md': 'a' }), { timers });
  await matcher.match(asked('/a/', ['a.md']));
  timers.advance(limits.textMatchIdleMs - 1);
  await matcher.match(asked('/a/', ['a.md']));
  expect(starts()).toBe(1);
  timers.advance(limits.textMatchIdleMs);
  await matcher.match(asked('/a/', ['a.md']));
  expect(starts()).toBe(2);
});
