import { describe, expect, it } from 'vitest';
import {
  ownerPassphrase,
  ownerWithPassphrase,
  refusedOf,
  signedIn,
} from '../../../test/support/owner-sign-in.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe('wrong passphrases', () => {
  const guess = { passphrase: 'a wrong passphrase' };
  const right = { passphrase: ownerPassphrase };

  it('of strangers are limited together, and a known browser still comes in', async () => {
    const { owner, clock } = await ownerWithPassphrase();
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
    const { owner, clock } = await ownerWithPassphrase();
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
    const { owner, clock } = await ownerWithPassphrase();
    clock.nowMs += 1_000 * day;
    for (let at = 0; at < 10; at++) await owner.signIn(guess);
    clock.nowMs -= 1_000 * day;
    expect(await owner.signIn(right)).toMatchObject({ refused: 'slow', waitSeconds: 600 });
    clock.nowMs += 10 * minute;
    signedIn(await owner.signIn(right));
  });

  it('are counted at once when they come at once', async () => {
    const { owner } = await ownerWithPassphrase();
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
    const { owner } = await ownerWithPassphrase({ crypto });
    await Promise.all(Array.from({ length: 9 }, () => owner.signIn(right)));
    expect(most).toBe(1);
  });
});
