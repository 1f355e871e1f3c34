import { describe, expect, it } from 'vitest';
import { ownerPassphrase, type TestOwner, testOwner } from '../../../test/support/owner-sign-in.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import type { SignedIn, SignInRefusal } from './owner-sign-in.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Someone with a passphrase. */
async function withOwner(parts: Parameters<typeof testOwner>[0] = {}): Promise<TestOwner> {
  const test = testOwner(parts);
  await test.owner.setPassphrase(ownerPassphrase);
  return test;
}

function signedIn(answer: SignedIn | SignInRefusal): SignedIn {
  if ('refused' in answer) throw new Error(`refused: ${answer.refused}`);
  return answer;
}

function refusedOf(answer: SignedIn | SignInRefusal): string | undefined {
  return 'refused' in answer ? answer.refused : undefined;
}

describe('setting up the owner in a browser', () => {
  it('needs the code that was printed, and signs in', async () => {
    const { owner, book } = testOwner();
    const code = await owner.makeSetUpCode();
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(JSON.stringify(book.page)).not.toContain(code.replaceAll('-', ''));
    expect(await owner.hasOwner()).toBe(false);
    const { cookie } = signedIn(await owner.setUp({ code, passphrase: ownerPassphrase }));
    expect(await owner.hasOwner()).toBe(true);
    expect(await owner.session(cookie)).toMatchObject({ isFresh: true });
    expect(book.page.setUp).toBeUndefined();
    expect(refusedOf(await owner.signIn({ passphrase: ownerPassphrase }))).toBeUndefined();
  });

  it.each<[string, (code: string) => string]>([
    ['in lower case', (code) => code.toLowerCase()],
    ['without dashes', (code) => code.replaceAll('-', '')],
    ['with spaces', (code) => ` ${code.replaceAll('-', ' ')}\n`],
    ['with O for 0 and l for 1', (code) => code.replaceAll('0', 'O').replaceAll('1', 'l')],
  ])('takes the code %s', async (_, typed) => {
    const { owner } = testOwner();
    const code = typed(await owner.makeSetUpCode());
    signedIn(await owner.setUp({ code, passphrase: ownerPassphrase }));
  });

  it('knows the code after a restart, and in another process', async () => {
    const { owner, again } = testOwner();
    const code = await owner.makeSetUpCode();
    signedIn(await again().setUp({ code, passphrase: ownerPassphrase }));
  });

  const wrongCode = 'AAAA-AAAA-AAAA-AAAA-AAAA';

  it('is refused for other codes, ten times; then the right one is refused too', async () => {
    const { owner, again } = testOwner();
    const code = await owner.makeSetUpCode();
    for (let at = 0; at < 10; at++) {
      const answer = await again().setUp({ code: wrongCode, passphrase: ownerPassphrase });
      expect(refusedOf(answer)).toBe('wrong');
    }
    expect(refusedOf(await owner.setUp({ code, passphrase: ownerPassphrase }))).toBe('no-code');
    const next = await owner.makeSetUpCode();
    expect(refusedOf(await owner.setUp({ code, passphrase: ownerPassphrase }))).toBe('wrong');
    signedIn(await owner.setUp({ code: next, passphrase: ownerPassphrase }));
  });

  it('is refused after half an hour, also when the clock is set back then', async () => {
    const { owner, clock } = testOwner();
    const code = await owner.makeSetUpCode();
    clock.nowMs += 30 * minute;
    expect(refusedOf(await owner.setUp({ code, passphrase: ownerPassphrase }))).toBe('no-code');
    clock.nowMs -= 10 * minute;
    expect(refusedOf(await owner.setUp({ code, passphrase: ownerPassphrase }))).toBe('no-code');
  });

  it('is refused where no code was made, and where there is an owner', async () => {
    const { owner } = testOwner();
    const given = { code: wrongCode, passphrase: ownerPassphrase };
    expect(refusedOf(await owner.setUp(given))).toBe('no-code');
    const code = await owner.makeSetUpCode();
    await owner.setPassphrase(ownerPassphrase);
    expect(refusedOf(await owner.setUp({ code, passphrase: 'another one of mine' }))).toBe(
      'no-code',
    );
    await expect(owner.makeSetUpCode()).rejects.toMatchObject({ code: 'already_exists' });
  });

  it('lets a weak passphrase be tried again', async () => {
    const { owner } = testOwner();
    const code = await owner.makeSetUpCode();
    expect(refusedOf(await owner.setUp({ code, passphrase: 'short' }))).toBe('weak');
    expect(refusedOf(await owner.setUp({ code: wrongCode, passphrase: 'short' }))).toBe('wrong');
    signedIn(await owner.setUp({ code, passphrase: ownerPassphrase }));
  });

  it('makes one owner of two who have the code at the same moment', async () => {
    const { owner } = testOwner();
    const code = await owner.makeSetUpCode();
    const answers = await Promise.all(
      ['one of the two', 'other of the two'].map((passphrase) => owner.setUp({ code, passphrase })),
    );
    expect(answers.map(refusedOf)).toEqual([undefined, 'no-code']);
  });
});

describe('signing in', () => {
  it('takes the passphrase in every form of its characters', async () => {
    const { owner } = testOwner();
    await owner.setPassphrase('Ümläute sind ﬁes');
    signedIn(await owner.signIn({ passphrase: 'U\u0308mla\u0308ute sind fies' }));
  });

  it.each([
    '',
    'four words of min',
    'four words of mine ',
    'Four words of mine',
    'x'.repeat(20_000),
  ])('refuses %j, as it does without an owner', async (passphrase) => {
    const { owner } = await withOwner();
    const answer = await owner.signIn({ passphrase });
    expect(refusedOf(answer)).toBe('wrong');
    expect(await testOwner().owner.signIn({ passphrase })).toEqual(answer);
  });

  it('costs the same whether there is an owner or not', async () => {
    const costs: unknown[] = [];
    const crypto = {
      scrypt: (...[passphrase, salt, cost]: Parameters<typeof nodeOAuthCrypto.scrypt>) => {
        costs.push({ salt: salt.length, ...cost });
        return nodeOAuthCrypto.scrypt(passphrase, salt, cost);
      },
    };
    await testOwner({ crypto }).owner.signIn({ passphrase: 'x' });
    const { owner } = await withOwner({ crypto });
    costs.splice(1, 1);
    await owner.signIn({ passphrase: 'x' });
    await owner.signIn({ passphrase: 'x'.repeat(5_000) });
    expect(costs).toEqual(Array(3).fill({ salt: 16, n: 2, r: 1, p: 1 }));
  });

  it('makes a new session each time; the one that it replaces ends', async () => {
    const { owner, book } = await withOwner();
    const passphrase = ownerPassphrase;
    const one = signedIn(await owner.signIn({ passphrase }));
    const other = signedIn(await owner.signIn({ passphrase }));
    expect(one.cookie).toMatch(/^[\w-]{43}$/);
    expect(one.cookie).not.toBe(other.cookie);
    const third = signedIn(await owner.signIn({ passphrase, replaces: one.cookie }));
    expect(await owner.session(one.cookie)).toBeUndefined();
    expect(await owner.session(other.cookie)).toBeDefined();
    expect(await owner.session(third.cookie)).toBeDefined();
    for (const { cookie, device } of [one, other, third]) {
      expect(JSON.stringify(book.page)).not.toContain(cookie);
      expect(JSON.stringify(book.page)).not.toContain(device);
    }
  });

  it('is refused when the passphrase was changed while it was checked', async () => {
    let meanwhile = async (): Promise<void> => undefined;
    const crypto = {
      scrypt: async (...args: Parameters<typeof nodeOAuthCrypto.scrypt>) => {
        const hash = await nodeOAuthCrypto.scrypt(...args);
        await meanwhile();
        return hash;
      },
    };
    const { owner, again } = await withOwner({ crypto });
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await again().setPassphrase('another one of mine');
    };
    expect(refusedOf(await owner.signIn({ passphrase: ownerPassphrase }))).toBe('wrong');
  });

  it('keeps at most fifty sessions', async () => {
    const { owner, book } = await withOwner();
    const first = signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    for (let at = 0; at < 50; at++) {
      signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    }
    expect(book.page.sessions).toHaveLength(50);
    expect(await owner.session(first.cookie)).toBeUndefined();
  });
});

describe('wrong passphrases', () => {
  const guess = { passphrase: 'a wrong passphrase' };
  const right = { passphrase: ownerPassphrase };

  it('of strangers are limited together, and a known browser still comes in', async () => {
    const { owner, clock } = await withOwner();
    const { device } = signedIn(await owner.signIn(right));
    for (let at = 0; at < 10; at++) expect(refusedOf(await owner.signIn(guess))).toBe('wrong');
    clock.nowMs += minute;
    expect(await owner.signIn(right)).toMatchObject({ refused: 'slow', waitSeconds: 9 * 60 });
    expect(await owner.signIn({ ...guess, device: 'forged' })).toMatchObject({ refused: 'slow' });
    signedIn(await owner.signIn({ ...right, device }));
    clock.nowMs += 9 * minute;
    signedIn(await owner.signIn(right));
  });

  it('of a known browser are limited to ten in an hour', async () => {
    const { owner, clock } = await withOwner();
    const { device } = signedIn(await owner.signIn(right));
    for (let at = 0; at < 10; at++) {
      expect(refusedOf(await owner.signIn({ ...guess, device }))).toBe('wrong');
    }
    expect(await owner.signIn({ ...right, device })).toMatchObject({
      refused: 'slow',
      waitSeconds: 3_600,
      message: 'There were too many wrong passphrases. Try again in 60 minutes.',
    });
    signedIn(await owner.signIn(right));
    clock.nowMs += hour;
    signedIn(await owner.signIn({ ...right, device }));
  });

  it('do not lock for ever when the clock was wrong', async () => {
    const { owner, clock } = await withOwner();
    clock.nowMs += 1_000 * day;
    for (let at = 0; at < 10; at++) await owner.signIn(guess);
    clock.nowMs -= 1_000 * day;
    signedIn(await owner.signIn(right));
  });

  it('are counted at once when they come at once', async () => {
    const { owner } = await withOwner();
    const answers = await Promise.all(Array.from({ length: 30 }, () => owner.signIn(guess)));
    const counts = answers.map(refusedOf);
    // One is checked and eight wait; who is turned away is not counted as wrong.
    expect(counts.filter((refused) => refused === 'wrong')).toHaveLength(9);
    expect(counts.filter((refused) => refused === 'busy').length).toBeGreaterThan(0);
  });

  it('are checked one at a time', async () => {
    let now = 0;
    let most = 0;
    const crypto = {
      scrypt: async (...args: Parameters<typeof nodeOAuthCrypto.scrypt>) => {
        most = Math.max(most, ++now);
        const hash = await nodeOAuthCrypto.scrypt(...args);
        now -= 1;
        return hash;
      },
    };
    const { owner } = await withOwner({ crypto });
    await Promise.all(Array.from({ length: 9 }, () => owner.signIn(right)));
    expect(most).toBe(1);
  });
});

describe('the cookie of a known browser', () => {
  const right = { passphrase: ownerPassphrase };

  /** Whether a browser with this cookie comes in although strangers have used up their guesses. */
  async function isKnown({ owner }: Pick<TestOwner, 'owner'>, device: string): Promise<boolean> {
    for (let at = 0; at < 10; at++) await owner.signIn({ passphrase: 'a wrong passphrase' });
    return refusedOf(await owner.signIn({ ...right, device })) === undefined;
  }

  it('holds for 400 days, over restarts, and is renewed at each sign-in', async () => {
    const test = await withOwner();
    const { device } = signedIn(await test.owner.signIn(right));
    test.clock.nowMs += 399 * day;
    expect(await isKnown({ owner: test.again() }, device)).toBe(true);
    const renewed = signedIn(await test.again().signIn({ ...right, device }));
    test.clock.nowMs += day;
    expect(await isKnown({ owner: test.again() }, device)).toBe(false);
    expect(await isKnown({ owner: test.again() }, renewed.device)).toBe(true);
  });

  it('keeps its count when it is renewed', async () => {
    const { owner } = await withOwner();
    const { device } = signedIn(await owner.signIn(right));
    for (let at = 0; at < 9; at++) await owner.signIn({ passphrase: 'wrong', device });
    const renewed = signedIn(await owner.signIn({ ...right, device })).device;
    await owner.signIn({ passphrase: 'wrong', device: renewed });
    expect(refusedOf(await owner.signIn({ ...right, device: renewed }))).toBe('slow');
  });

  it.each<[string, (device: string) => string]>([
    ['another signature', (device) => device.replace(/.{43}$/, 'A'.repeat(43))],
    ['another id', (device) => device.replace(/^.{22}/, 'A'.repeat(22))],
    ['a later time', (device) => device.replace(/\.\w+\./, '.zzzzzzzz.')],
    ['something added', (device) => `${device}A`],
    ['nothing', () => ''],
    ['very much', () => 'A'.repeat(10_000)],
  ])('is nothing with %s', async (_, forge) => {
    const test = await withOwner();
    const { device } = signedIn(await test.owner.signIn(right));
    expect(await isKnown(test, forge(device))).toBe(false);
  });

  it('is nothing after a reset', async () => {
    const test = await withOwner();
    const { device } = signedIn(await test.owner.signIn(right));
    await test.owner.reset();
    await test.owner.setPassphrase(ownerPassphrase);
    expect(await isKnown(test, device)).toBe(false);
  });
});

describe('a session', () => {
  async function withSession(): Promise<TestOwner & SignedIn> {
    const test = await withOwner();
    return { ...test, ...signedIn(await test.owner.signIn({ passphrase: ownerPassphrase })) };
  }

  it('is fresh for ten minutes, and goes on over restarts while it is used', async () => {
    const { again, clock, cookie } = await withSession();
    const fresh: unknown[] = [];
    for (const minutes of [0, 10, 1, 20, 29, 29]) {
      clock.nowMs += minutes * minute;
      fresh.push((await again().session(cookie))?.isFresh);
    }
    expect(fresh).toEqual([true, true, false, false, false, false]);
  });

  it('ends after half an hour without use, also when the clock is set back then', async () => {
    const { owner, clock, cookie } = await withSession();
    clock.nowMs += 30 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
    clock.nowMs -= 10 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
  });

  it('ends after twelve hours', async () => {
    const { owner, clock, cookie } = await withSession();
    for (let at = 1; at < 36; at++) {
      clock.nowMs += 20 * minute;
      expect(await owner.session(cookie)).toBeDefined();
    }
    clock.nowMs += 20 * minute;
    expect(await owner.session(cookie)).toBeUndefined();
  });

  it('ends when the clock was set back over a restart', async () => {
    const { again, clock, cookie } = await withSession();
    clock.nowMs -= hour;
    expect(await again().session(cookie)).toBeUndefined();
  });

  it('is written at most once a minute', async () => {
    const { owner, clock, book, cookie } = await withSession();
    const before = book.writes;
    for (let at = 0; at < 120; at++) {
      clock.nowMs += second;
      await owner.session(cookie);
    }
    expect(book.writes - before).toBe(2);
  });

  it('goes on when its use cannot be written', async () => {
    const { owner, clock, book, cookie } = await withSession();
    book.change = async () => {
      throw new Error('the disk is full');
    };
    clock.nowMs += 2 * minute;
    expect(await owner.session(cookie)).toBeDefined();
  });

  it.each([undefined, '', 'x', 'A'.repeat(43), 'A'.repeat(100_000)])(
    'is not had with the cookie %j',
    async (cookie) => {
      const { owner } = await withSession();
      expect(await owner.session(cookie)).toBeUndefined();
    },
  );

  it.each<[string, (test: TestOwner & SignedIn) => Promise<unknown>]>([
    ['signing out', ({ owner, cookie }) => owner.signOut(cookie)],
    ['a new passphrase from a shell', ({ again }) => again().setPassphrase('another one of mine')],
    ['a reset', ({ again }) => again().reset()],
  ])('ends with %s', async (_, end) => {
    const test = await withSession();
    expect(await test.owner.session(test.cookie)).toBeDefined();
    await end(test);
    expect(await test.owner.session(test.cookie)).toBeUndefined();
  });

  it('has words for its forms that are worth nothing elsewhere', async () => {
    const { owner, again, cookie } = await withSession();
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

describe('another passphrase', () => {
  it('is set from a fresh session, which goes on under a new cookie; all others end', async () => {
    const { owner } = await withOwner();
    const here = signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    const there = signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    const passphrase = 'another one of mine';
    const next = signedIn(await owner.changePassphrase({ ...here, passphrase }));
    expect(await owner.session(here.cookie)).toBeUndefined();
    expect(await owner.session(there.cookie)).toBeUndefined();
    expect(await owner.session(next.cookie)).toMatchObject({ isFresh: true });
    expect(refusedOf(await owner.signIn({ passphrase: ownerPassphrase }))).toBe('wrong');
    signedIn(await owner.signIn({ passphrase }));
  });

  it('is refused when it is weak, and from a session that is not fresh', async () => {
    const { owner, clock } = await withOwner();
    const { cookie } = signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    const change = async (passphrase: string): Promise<string | undefined> =>
      refusedOf(await owner.changePassphrase({ cookie, passphrase }));
    expect(await change('vault.example.com')).toBe('weak');
    clock.nowMs += 10 * minute + 1;
    expect(await change('another one of mine')).toBe('stale');
    signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
  });

  it('from a shell is refused when it is weak', async () => {
    const { owner } = testOwner();
    await expect(owner.setPassphrase('short')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await owner.hasOwner()).toBe(false);
  });
});
