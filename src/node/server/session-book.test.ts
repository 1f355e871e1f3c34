import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryBook } from '../../../test/support/http-door.ts';
import { describeSessionBook } from '../../../test/support/session-book-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { limits } from '../../base/limits.ts';
import type { SessionBook } from '../../base/session-book.ts';
import { openSessionBook } from './session-book.ts';

describeSessionBook('a folder', () => {
  const folder = tempFolder();
  return () => bookIn(folder, { nowMs: Date.now() });
});

describeSessionBook('memory', () => {
  const book = memoryBook();
  return () => book;
});

const dayMs = 24 * 60 * 60_000;

/** What a server has after a start: the book in this folder, read anew. */
function bookIn(folder: string, { served = 'notes', nowMs = 0 } = {}): SessionBook {
  const file = join(folder, 'state', 'sessions.json');
  return openSessionBook({ file, served, alone: (_folder, work) => work(), nowMs: () => nowMs });
}

const pageIn = (folder: string): string =>
  readFileSync(join(folder, 'state', 'sessions.json'), 'utf8');

describe('the key', () => {
  it('is the same after a restart, and another for another vault', async () => {
    const folder = tempFolder();
    const key = await bookIn(folder).key();
    expect(key).toHaveLength(32);
    expect(await bookIn(folder).key()).toEqual(key);
    expect(await bookIn(folder, { served: 'work' }).key()).not.toEqual(key);
    expect(await bookIn(tempFolder()).key()).not.toEqual(key);
  });

  it('is read by its owner only, and nothing lies beside it', async () => {
    const folder = tempFolder();
    await bookIn(folder).key();
    expect(readdirSync(join(folder, 'state'))).toEqual(['sessions.json']);
    if (process.platform === 'win32') return;
    expect(statSync(join(folder, 'state', 'sessions.json')).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'no JSON', '{}', '{"key":"short"}'])(
    'is made anew when the book is damaged: %j',
    async (text) => {
      const folder = tempFolder({ 'state/sessions.json': text });
      const key = await bookIn(folder).key();
      expect(await bookIn(folder).key()).toEqual(key);
    },
  );
});

describe('a session that its client has ended', () => {
  it('is remembered after a restart, until its id is too old', async () => {
    const folder = tempFolder();
    const book = bookIn(folder);
    const key = await book.key();
    await book.deleted('a', dayMs);
    expect(await book.isDeleted('a')).toBe(true);
    expect(await book.isDeleted('b')).toBe(false);
    expect(await bookIn(folder).isDeleted('a')).toBe(true);
    expect(await bookIn(folder, { nowMs: dayMs }).isDeleted('a')).toBe(false);
    expect(await bookIn(folder).key()).toEqual(key);
  });

  it('is known to another server on the same vault', async () => {
    const folder = tempFolder();
    const [one, other] = [bookIn(folder), bookIn(folder)];
    await one.deleted('a', dayMs);
    await other.deleted('b', dayMs);
    expect(await one.isDeleted('b')).toBe(true);
    expect(await other.isDeleted('a')).toBe(true);
  });

  it('is one of many that end at once', async () => {
    const folder = tempFolder();
    const book = bookIn(folder);
    const ids = Array.from({ length: 200 }, (_, n) => `s${n}`);
    await Promise.all(ids.map((id) => book.deleted(id, dayMs)));
    const after = bookIn(folder);
    const known = await Promise.all(ids.map((id) => after.isDeleted(id)));
    expect(known.filter((is) => !is)).toEqual([]);
  });

  it('is forgotten when it could not be revived any more', async () => {
    const folder = tempFolder();
    await bookIn(folder).deleted('old', dayMs);
    await bookIn(folder, { nowMs: dayMs }).deleted('new', 2 * dayMs);
    expect(JSON.parse(pageIn(folder))).toMatchObject({ deleted: { new: 2 * dayMs } });
    expect(pageIn(folder)).not.toContain('old');
  });

  it('takes the place of the oldest when there are too many', async () => {
    const folder = tempFolder();
    await bookIn(folder).key();
    const page = JSON.parse(pageIn(folder)) as { key: string };
    const many = Array.from({ length: limits.deletedSessionsMax }, (_, n) => [`s${n}`, n + 1]);
    const text = JSON.stringify({ ...page, deleted: Object.fromEntries(many) });
    writeFileSync(join(folder, 'state', 'sessions.json'), text);
    await bookIn(folder).deleted('new', dayMs);
    const { deleted } = JSON.parse(pageIn(folder)) as { deleted: Record<string, number> };
    expect(Object.keys(deleted)).toHaveLength(limits.deletedSessionsMax);
    expect('new' in deleted && 's1' in deleted && !('s0' in deleted)).toBe(true);
  });
});

describe('what is kept of sessions', () => {
  const ageMs = limits.sessionAgeMaxMs;
  const filesIn = (folder: string): readonly string[] =>
    readdirSync(join(folder, 'state', 'sessions'));

  it('is read by its owner only, and another server does not get it', async () => {
    const folder = tempFolder();
    const nowMs = Date.now();
    await bookIn(folder, { nowMs }).keep('a', { resources: ['x:1'] });
    expect(await bookIn(folder, { nowMs, served: 'work' }).recall('a')).toBeUndefined();
    const [file = '', ...others] = filesIn(folder);
    expect(others).toEqual([]);
    if (process.platform === 'win32') return;
    const path = join(folder, 'state', 'sessions');
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, file)).mode & 0o777).toBe(0o600);
  });

  it('goes when the session could not be revived any more', async () => {
    const folder = tempFolder();
    const nowMs = Date.now();
    await bookIn(folder, { nowMs }).keep('old', { resources: ['x:1'] });
    const later = bookIn(folder, { nowMs: nowMs + ageMs + dayMs });
    expect(await later.recall('old')).toBeUndefined();
    await later.keep('new', { resources: ['x:2'] });
    expect(filesIn(folder)).toHaveLength(1);
  });

  it.each(['', 'no JSON', '{}', '{"resources":[1]}'])(
    'counts as nothing when damaged: %j',
    async (text) => {
      const folder = tempFolder();
      const nowMs = Date.now();
      await bookIn(folder, { nowMs }).keep('a', { resources: ['x:1'] });
      writeFileSync(join(folder, 'state', 'sessions', filesIn(folder)[0] ?? ''), text);
      expect(await bookIn(folder, { nowMs }).recall('a')).toBeUndefined();
    },
  );
});
