import { describe, expect, it } from 'vitest';
import {
  ownerPassphrase,
  refusedOf,
  signedIn,
  testOwner,
} from '../../../test/support/owner-sign-in.ts';

const minute = 60_000;

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
