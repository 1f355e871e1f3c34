import { describe, expect, it } from 'vitest';
import {
  ownerPassphrase,
  ownerSignedIn,
  signedIn,
  type TestOwner,
} from '../../../test/support/owner-sign-in.ts';
import type { SignedIn } from './owner-sign-in.ts';

const second = 1_000;
const minute = 60_000;
const hour = 60 * minute;

describe('a session', () => {
  it('is fresh for ten minutes, and goes on over restarts while it is used', async () => {
    const { again, clock, cookie } = await ownerSignedIn();
    const fresh: unknown[] = [];
    for (const minutes of [0, 10, 1, 20, 29, 29]) {
      clock.nowMs += minutes * minute;
      fresh.push((await again().session(cookie))?.isFresh);
    }
    expect(fresh).toEqual([true, true, false, false, false, false]);
  });

  it('ends after half an hour without use, also when the clock is set back then', async () => {
    const { owner, clock, cookie } = await ownerSignedIn();
    clock.nowMs += 30 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
    clock.nowMs -= 10 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
  });

  it('ends in its time when the clock was ahead, and is set right meanwhile', async () => {
    const { owner, clock, cookie } = await ownerSignedIn();
    clock.nowMs -= 24 * hour;
    expect((await owner.session(cookie))?.isFresh).toBe(true);
    clock.nowMs += 11 * minute;
    expect((await owner.session(cookie))?.isFresh).toBe(false);
    clock.nowMs += 30 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
  });

  it('ends after twelve hours', async () => {
    const { owner, clock, cookie } = await ownerSignedIn();
    for (let at = 1; at < 36; at++) {
      clock.nowMs += 20 * minute;
      expect(await owner.session(cookie)).toBeDefined();
    }
    clock.nowMs += 20 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
  });

  it('ends when the clock was set back over a restart', async () => {
    const { again, clock, cookie } = await ownerSignedIn();
    clock.nowMs -= hour;
    expect(await again().session(cookie)).toBeUndefined();
  });

  it('is written at most once a minute', async () => {
    const { owner, clock, book, cookie } = await ownerSignedIn();
    const before = book.writes;
    for (let at = 0; at < 120; at++) {
      clock.nowMs += second;
      await owner.session(cookie);
    }
    expect(book.writes - before).toBe(2);
  });

  it('goes on when its use cannot be written', async () => {
    const { owner, clock, book, cookie } = await ownerSignedIn();
    book.change = async () => {
      throw new Error('the disk is full');
    };
    clock.nowMs += 2 * minute;
    expect(await owner.session(cookie)).toBeDefined();
  });

  it.each([undefined, '', 'x', 'A'.repeat(43), 'A'.repeat(100_000)])(
    'is not had with the cookie %j',
    async (cookie) => {
      const { owner } = await ownerSignedIn();
      expect(await owner.session(cookie)).toBeUndefined();
    },
  );

  it.each<[string, (test: TestOwner & SignedIn) => Promise<unknown>]>([
    ['signing out', ({ owner, cookie }) => owner.signOut(cookie)],
    ['a new passphrase from a shell', ({ again }) => again().setPassphrase('another one of mine')],
    ['a reset', ({ again }) => again().reset()],
  ])('ends with %s', async (_, end) => {
    const test = await ownerSignedIn();
    expect(await test.owner.session(test.cookie)).toBeDefined();
    await end(test);
    expect(await test.owner.session(test.cookie)).toBeUndefined();
  });

  it('has words for its forms that are worth nothing elsewhere', async () => {
    const { owner, again, cookie } = await ownerSignedIn();
    const other = signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    const word = owner.formWord(cookie, 'consent 1');
    expect(again().isFormWord(cookie, 'consent 1', word)).toBe(true);
    expect(owner.isFormWord(cookie, 'consent 2', word)).toBe(false);
    expect(owner.isFormWord(other.cookie, 'consent 1', word)).toBe(false);
    for (const forged of ['', 'A', word.slice(1), `${word}A`, 'A'.repeat(43), 'é'.repeat(43)]) {
      expect(owner.isFormWord(cookie, 'consent 1', forged)).toBe(false);
    }
  });
});
