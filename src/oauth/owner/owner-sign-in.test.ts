import { describe, expect, it } from 'vitest';
import {
  ownerPassphrase,
  ownerWithPassphrase,
  refusedOf,
  signedIn,
  testOwner,
} from '../../../test/support/owner-sign-in.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';

const minute = 60_000;

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
    const { owner } = await ownerWithPassphrase();
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
    const { owner } = await ownerWithPassphrase({ crypto });
    costs.splice(1, 1);
    await owner.signIn({ passphrase: 'x' });
    await owner.signIn({ passphrase: 'x'.repeat(5_000) });
    expect(costs).toEqual(Array(3).fill({ salt: 16, n: 2, r: 1, p: 1 }));
  });

  it('makes a new session each time; the one that it replaces ends', async () => {
    const { owner, book } = await ownerWithPassphrase();
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
    const { owner, again } = await ownerWithPassphrase({ crypto });
    meanwhile = async () => {
      meanwhile = async () => undefined;
      await again().setPassphrase('another one of mine');
    };
    expect(refusedOf(await owner.signIn({ passphrase: ownerPassphrase }))).toBe('wrong');
  });

  it('keeps at most fifty sessions', async () => {
    const { owner, book } = await ownerWithPassphrase();
    const first = signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    for (let at = 0; at < 50; at++) {
      signedIn(await owner.signIn({ passphrase: ownerPassphrase }));
    }
    expect(book.page.sessions).toHaveLength(50);
    expect(await owner.session(first.cookie)).toBeUndefined();
  });
});

describe('another passphrase', () => {
  it('is set from a fresh session, which goes on under a new cookie; all others end', async () => {
    const { owner } = await ownerWithPassphrase();
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
    const { owner, clock } = await ownerWithPassphrase();
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
