import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { GrantsServer, tokensOf } from '../../../test/support/grants-server.ts';
import { memoryOAuthBook } from '../../../test/support/memory-oauth-book.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { EnteredClient, Grant, OAuthBook, TokenPair } from '../../oauth/ports/oauth-book.ts';
import { withLockFile } from '../../sqlite/lock/lock-file.ts';
import { openOAuthBook } from './oauth-book-file.ts';

const hash = (digit: string): string => digit.repeat(64);
const pair: TokenPair = { access: hash('a'), refresh: hash('b'), madeMs: 1, accessEndsMs: 2 };
const grant: Grant = {
  id: 'g0123456789abcdef',
  client: { id: 'c', name: 'Ü 日 "<', kind: 'registered', answersTo: 'this computer' },
  vaults: ['/notes'],
  effects: ['read', 'propose'],
  folders: [vaultPath('Ü/日'), ''],
  tools: ['notes', 'agent'],
  endsMs: 9,
  resource: 'https://vault.example.com/mcp',
  createdMs: 1,
  usedMs: 2,
  ended: { atMs: 3, why: 'revoked' },
  pairs: [
    pair,
    {
      ...pair,
      access: hash('c'),
      refresh: hash('d'),
      from: hash('b'),
      effects: ['read'],
      spentMs: 1,
      usedMs: 1,
      isFollowed: true,
      droppedMs: 1,
    },
  ],
};
const other: Grant = {
  ...grant,
  id: 'gfedcba9876543210',
  pairs: [{ ...pair, access: hash('e'), refresh: hash('f') }],
};
const client: EnteredClient = {
  id: 'vde_1',
  name: 'Mine',
  redirectUris: ['https://a.example/cb'],
  secret: hash('1'),
  createdMs: 1,
};

const put = (book: OAuthBook, kept: Grant): Promise<string> =>
  book.change(kept.id, () => ({ keep: kept, answer: 'done' }));

const fileIn = (folder: string): string => join(folder, 'state', 'oauth.json');
const bookIn = (folder: string): OAuthBook =>
  openOAuthBook({
    file: fileIn(folder),
    alone: (locked, work) => withLockFile(join(locked, 'books-lock.db'), work),
  });

/** What every `OAuthBook` promises. `open` makes an empty one, and answers how to open it again. */
describe.each<[string, () => () => OAuthBook]>([
  ['a file', () => bookIn.bind(undefined, tempFolder())],
  [
    'memory',
    () => {
      const book = memoryOAuthBook();
      return () => book;
    },
  ],
])('%s as a book of grants', (_, open) => {
  it('is empty at first', async () => {
    const book = open()();
    expect(await book.grants()).toEqual([]);
    expect(await book.clients()).toEqual([]);
    expect(await book.grant(grant.id)).toBeUndefined();
    expect(await book.grantOf(hash('a'))).toBeUndefined();
  });

  it('has one key, for all who open it, before and after changes', async () => {
    const again = open();
    const [one, two] = await Promise.all([again().key(), again().key()]);
    expect(one).toHaveLength(32);
    expect(two).toEqual(one);
    await put(again(), grant);
    expect(await again().key()).toEqual(one);
  });

  it('gives back what it keeps, by id and by each hash', async () => {
    const again = open();
    const [here, there] = [again(), again()];
    expect(await put(here, grant)).toBe('done');
    await put(here, other);
    for (const book of [here, there, again()]) {
      expect(await book.grants()).toEqual([grant, other]);
      expect(await book.grant(grant.id)).toEqual(grant);
      for (const digit of 'abcd') expect(await book.grantOf(hash(digit))).toEqual(grant);
      for (const digit of 'ef') expect(await book.grantOf(hash(digit))).toEqual(other);
      expect(await book.grantOf(hash('0'))).toBeUndefined();
    }
  });

  it('replaces a grant, and forgets its former hashes', async () => {
    const again = open();
    const [here, there] = [again(), again()];
    await put(here, grant);
    await put(here, other);
    await put(there, { ...grant, pairs: [pair] });
    expect(await here.grants()).toEqual([{ ...grant, pairs: [pair] }, other]);
    expect(await here.grantOf(hash('c'))).toBeUndefined();
  });

  it('forgets a grant', async () => {
    const again = open();
    await put(again(), grant);
    await put(again(), other);
    await again().change(grant.id, () => ({ keep: 'forget', answer: undefined }));
    await again().change('g0', () => ({ keep: 'forget', answer: undefined }));
    expect(await again().grants()).toEqual([other]);
    expect(await again().grantOf(hash('a'))).toBeUndefined();
  });

  it('writes nothing when nothing is to be kept', async () => {
    const again = open();
    await put(again(), grant);
    const seen = await again().change(grant.id, (found) => ({ answer: found }));
    expect(seen).toEqual(grant);
    expect(await again().change('g0', (found) => ({ answer: found }))).toBeUndefined();
    expect(await again().grants()).toEqual([grant]);
  });

  it('loses no change of many at once, from two who opened it', async () => {
    const again = open();
    const [here, there] = [again(), again()];
    await put(here, { ...grant, createdMs: 0 });
    const add = (book: OAuthBook): Promise<number> =>
      book.change(grant.id, (found) => {
        const createdMs = (found?.createdMs ?? 0) + 1;
        return { keep: { ...grant, createdMs }, answer: createdMs };
      });
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, at) => add(at % 2 ? here : there)),
    );
    expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
    expect((await there.grant(grant.id))?.createdMs).toBe(20);
  });

  it('is as before when a decision fails', async () => {
    const again = open();
    await put(again(), grant);
    const failing = again().change(grant.id, () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow();
    expect(await again().grants()).toEqual([grant]);
    expect(await put(again(), other)).toBe('done');
  });

  it('keeps clients beside the grants', async () => {
    const again = open();
    await put(again(), grant);
    const added = again().changeClients((clients) => ({
      keep: [...clients, client],
      answer: clients.length,
    }));
    expect(await added).toBe(0);
    expect(await again().clients()).toEqual([client]);
    expect(await again().changeClients((clients) => ({ answer: clients }))).toEqual([client]);
    expect(await again().grants()).toEqual([grant]);
    await again().changeClients(() => ({ keep: [], answer: undefined }));
    expect(await again().clients()).toEqual([]);
  });
});

describe('the file of grants', () => {
  it('is read by its owner only, and nothing but the lock lies beside it', async () => {
    const folder = tempFolder();
    await put(bookIn(folder), grant);
    expect(readdirSync(join(folder, 'state')).sort()).toEqual(['books-lock.db', 'oauth.json']);
    if (process.platform === 'win32') return;
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  });

  it('is not made by looking', async () => {
    const folder = tempFolder();
    await bookIn(folder).grants();
    await bookIn(folder).grantOf(hash('a'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is not written when nothing changes', async () => {
    const folder = tempFolder();
    await put(bookIn(folder), grant);
    const { ino } = statSync(fileIn(folder));
    await bookIn(folder).change(grant.id, () => ({ answer: undefined }));
    await bookIn(folder).key();
    expect(statSync(fileIn(folder)).ino).toBe(ino);
  });

  const damage: readonly [string, (text: string) => string][] = [
    ['is empty', () => ''],
    ['is no JSON', () => 'no JSON'],
    ['is a list', () => '[]'],
    ['is cut', (text) => text.slice(0, -5)],
    ['has no key', (text) => text.replace('"key"', '"kez"')],
    ['has no version', (text) => text.replace('"version":1,', '')],
    ['is of another version', (text) => text.replace('"version":1', '"version":2')],
    ['has an unknown right', (text) => text.replace('"propose"', '"everything"')],
    ['has a folder outside', (text) => text.replace('Ü/日', '../secret')],
    ['has an unknown toolset', (text) => text.replace('"agent"', '"root"')],
    ['has a hash that is none', (text) => text.replace(hash('a'), 'a')],
    ['has a time that is none', (text) => text.replace('"endsMs":9', '"endsMs":"never"')],
    ['has no pairs', (text) => text.replace('"pairs"', '"pears"')],
    ['has an end that is none', (text) => text.replace('"ended":{', '"ended":[],"x":{')],
  ];
  it.each(damage)('that %s lets nobody in, and is left as it is', async (_, spoil) => {
    const folder = tempFolder();
    await put(bookIn(folder), grant);
    const spoiled = spoil(readFileSync(fileIn(folder), 'utf8'));
    writeFileSync(fileIn(folder), spoiled);
    const book = bookIn(folder);
    const calls: readonly Promise<unknown>[] = [
      book.key(),
      book.grants(),
      book.grant(grant.id),
      book.grantOf(hash('a')),
      put(book, other),
      book.clients(),
      book.changeClients(() => ({ keep: [], answer: undefined })),
    ];
    for (const call of await Promise.all(calls.map(failureOf))) {
      expect(call.code).toBe('io_failed');
      expect(call.message).toContain('oauth.json');
    }
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(spoiled);
  });

  it('that another process has replaced is read again', async () => {
    const folder = tempFolder();
    const book = bookIn(folder);
    await put(book, grant);
    const before = readFileSync(fileIn(folder), 'utf8');
    await book.change(grant.id, () => ({ keep: 'forget', answer: undefined }));
    expect(await book.grantOf(hash('a'))).toBeUndefined();
    writeFileSync(fileIn(folder), before);
    expect(await book.grantOf(hash('a'))).toEqual(grant);
  });
});

describe('two servers on one file', () => {
  it('answer refreshes of one token that come at once, and see what the other revokes', async () => {
    const folder = tempFolder();
    const [here, there] = [bookIn(folder), bookIn(folder)].map(
      (book) => new GrantsServer({ book }),
    );
    if (here === undefined || there === undefined) throw new Error('There must be two.');
    const { refresh } = await here.signIn();
    const answers = await Promise.all(
      [here, there, here, there].map((server) => server.refresh(refresh)),
    );
    const tokens = answers.map(tokensOf);
    for (const { access } of tokens) {
      expect([await here.state(access), await there.state(access)]).toEqual(['in', 'in']);
    }
    const [{ id } = { id: '' }] = await here.grants.list();
    await there.grants.end(id, 'revoked');
    expect(await here.grants.isAlive(id)).toBe(false);
    for (const { access } of tokens) expect(await here.state(access)).toBe('ended');
  });
});
