import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { memoryOwnerBook } from '../../../test/support/memory-owner-book.ts';
import { describeOwnerBook, fullOwnerPage } from '../../../test/support/owner-book-contract.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { withLockFile } from '../../sqlite/lock/lock-file.ts';
import { openOwnerBook } from './owner-book-file.ts';

const fileIn = (folder: string): string => join(folder, 'state', 'owner.json');

/** The book in this folder, as a process that has just started sees it. */
function bookIn(folder: string): ReturnType<typeof openOwnerBook> {
  const alone = <T>(where: string, work: () => Promise<T>): Promise<T> =>
    withLockFile(join(where, 'books-lock.db'), work);
  return openOwnerBook({ file: fileIn(folder), alone });
}

describeOwnerBook('a file', () => {
  const folder = tempFolder();
  return () => bookIn(folder);
});

describeOwnerBook('memory', () => {
  const book = memoryOwnerBook();
  return () => book;
});

describe('the file of the owner', () => {
  it.skipIf(process.platform === 'win32')('is for its owner alone', async () => {
    const folder = tempFolder();
    await bookIn(folder).read();
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  });

  const whole = { version: 1, ...fullOwnerPage, deviceKey: 'A'.repeat(43) };
  const { owner } = fullOwnerPage;

  it('is read when every field is as it should be', async () => {
    const folder = tempFolder({ 'state/owner.json': JSON.stringify(whole) });
    const { version: _, ...page } = whole;
    expect(await bookIn(folder).read()).toEqual(page);
  });

  it.each([
    ['nothing', ''],
    ['half of it', JSON.stringify(whole).slice(0, -100)],
    ['no object', '[]'],
    ['another version', JSON.stringify({ ...whole, version: 2 })],
    ['no version', JSON.stringify({ ...whole, version: undefined })],
    ['no key', JSON.stringify({ ...whole, deviceKey: undefined })],
    ['a short key', JSON.stringify({ ...whole, deviceKey: 'AAAA' })],
    ['no sessions', JSON.stringify({ ...whole, sessions: undefined })],
    ['a session without times', JSON.stringify({ ...whole, sessions: [{ sha256: 'ab' }] })],
    ['an owner without passphrase', JSON.stringify({ ...whole, owner: {} })],
    ['an owner that is null', JSON.stringify({ ...whole, owner: null })],
    ['a passkey without key', JSON.stringify({ ...whole, owner: { ...owner, passkeys: [{}] } })],
    ['a code without hash', JSON.stringify({ ...whole, setUp: { endsMs: 1, triesLeft: 1 } })],
  ])('lets nobody in when it has %s, and is not overwritten', async (_, text) => {
    const folder = tempFolder({ 'state/owner.json': text });
    const failed = { code: 'io_failed', message: expect.stringContaining('owner.json') };
    await expect(bookIn(folder).read()).rejects.toMatchObject(failed);
    const change = bookIn(folder).change((page) => ({ keep: page, answer: undefined }));
    await expect(change).rejects.toMatchObject(failed);
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(text);
  });

  it('is read again when it has recovered', async () => {
    const folder = tempFolder({ 'state/owner.json': 'x' });
    const book = bookIn(folder);
    await expect(book.read()).rejects.toThrow();
    writeFileSync(fileIn(folder), JSON.stringify(whole));
    expect((await book.read()).owner).toEqual(owner);
  });
});
