import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import {
  describeTokenBook,
  everything,
  hashOf,
} from '../../../test/support/token-book-contract.ts';
import { limits } from '../../base/limits.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { openTokenBook } from './token-book.ts';

/** A book over these state folders, at a time that a test may change. */
function bookOf(folders: readonly string[], clock = { nowMs: 1_000 }): TokenBook {
  return openTokenBook({
    folders: async () => folders,
    alone: (_folder, work) => work(),
    nowMs: () => clock.nowMs,
  });
}

describeTokenBook('a file', () => {
  const folder = tempFolder();
  return (clock) => bookOf([folder], clock);
});

describe('a token', () => {
  it('is found by its hash, and kept without itself in a file that only its owner reads', async () => {
    const folder = tempFolder();
    const book = bookOf([folder]);
    const scopes = { effects: ['read'], folders: [vaultPath('devlog')] } as const;
    const { token, kept } = await book.create({ name: 'laptop', ...scopes });
    expect(token).toMatch(/^vd_[\w-]{43}$/);
    expect(kept).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      name: 'laptop',
      ...scopes,
      createdMs: 1_000,
    });
    expect(await book.find(hashOf(token))).toEqual({ id: kept.id, scopes });
    expect(await book.list()).toEqual([kept]);
    const file = join(folder, 'tokens.json');
    expect(readFileSync(file, 'utf8')).not.toContain(token.slice(3));
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('counts for several vaults only where all of them have it', async () => {
    const [a, b] = [tempFolder(), tempFolder()];
    const both = bookOf([a, b]);
    const ofBoth = await both.create({ name: 'both', ...everything });
    const ofOne = await bookOf([a]).create({ name: 'one', ...everything });
    expect(await both.list()).toEqual([ofBoth.kept]);
    expect(await both.find(hashOf(ofOne.token))).toBeUndefined();
    expect(await both.find(hashOf(ofBoth.token))).toBeDefined();
    await bookOf([b]).revoke('both');
    expect(await both.find(hashOf(ofBoth.token))).toBeUndefined();
    expect(await bookOf([a]).find(hashOf(ofBoth.token))).toBeDefined();
  });

  it('does not count where two vaults allow it different things', async () => {
    const [a, b] = [tempFolder(), tempFolder()];
    const { token } = await bookOf([a, b]).create({ name: 'both', ...everything });
    const file = join(b, 'tokens.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"destroy"', '"read"'));
    expect(await bookOf([a, b]).find(hashOf(token))).toBeUndefined();
  });
});

describe('a book', () => {
  it('refuses a name that is taken, in any of its vaults, and changes none', async () => {
    const [a, b] = [tempFolder(), tempFolder()];
    await bookOf([b]).create({ name: 'laptop', ...everything });
    const error = await failureOf(bookOf([a, b]).create({ name: 'laptop', ...everything }));
    expect(error.code).toBe('already_exists');
    expect(await bookOf([a]).list()).toEqual([]);
  });

  it('has a limit', async () => {
    const folder = tempFolder();
    const book = bookOf([folder]);
    await book.create({ name: 'first', ...everything });
    const file = join(folder, 'tokens.json');
    const [entry] = (JSON.parse(readFileSync(file, 'utf8')) as { tokens: object[] }).tokens;
    const tokens = Array.from({ length: limits.tokensMax }, (_, n) => ({ ...entry, name: `${n}` }));
    writeFileSync(file, JSON.stringify({ tokens }));
    expect((await failureOf(book.create({ name: 'more', ...everything }))).code).toBe('too_large');
  });

  it.each([
    'no JSON',
    '{}',
    '{"tokens":[null]}',
    '{"tokens":[{"id":"a","name":"a","sha256":"00","effects":[],"folders":[""],"createdMs":0}]}',
    `{"tokens":[{"id":"a","name":"a","sha256":"${'0'.repeat(64)}","effects":["all"],"folders":[""],"createdMs":0}]}`,
    `{"tokens":[{"id":"a","name":"a","sha256":"${'0'.repeat(64)}","effects":[],"folders":["../x"],"createdMs":0}]}`,
  ])('that is damaged lets nobody in and is left as it is: %s', async (text) => {
    const folder = tempFolder({ 'tokens.json': text });
    const book = bookOf([folder]);
    expect((await failureOf(book.find(new Uint8Array(32)))).code).toBe('io_failed');
    expect((await failureOf(book.create({ name: 'new', ...everything }))).code).toBe('io_failed');
    expect(readFileSync(join(folder, 'tokens.json'), 'utf8')).toBe(text);
  });
});
