import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { GrantsServer, tokensOf } from '../../../test/support/grants-server.ts';
import { memoryOAuthBook } from '../../../test/support/memory-oauth-book.ts';
import {
  describeOAuthBook,
  grant,
  hash,
  other,
  put,
} from '../../../test/support/oauth-book-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';
import { withLockFile } from '../../sqlite/lock/lock-file.ts';
import { openOAuthBook } from './oauth-book-file.ts';

const fileIn = (folder: string): string => join(folder, 'state', 'oauth.json');
const bookIn = (folder: string): OAuthBook =>
  openOAuthBook({
    file: fileIn(folder),
    alone: (locked, work) => withLockFile(join(locked, 'books-lock.db'), work),
  });

describeOAuthBook('a file', () => bookIn.bind(undefined, tempFolder()));

describeOAuthBook('memory', () => {
  const book = memoryOAuthBook();
  return () => book;
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
