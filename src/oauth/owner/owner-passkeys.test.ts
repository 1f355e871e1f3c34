import { describe, expect, it } from 'vitest';
import {
  ownerSignedIn,
  ownerWithPasskey,
  passkeySite as site,
} from '../../../test/support/owner-sign-in.ts';
import { PasskeyDevice } from '../../../test/support/passkey-device.ts';
import { fromBase64Url } from '../text/base64url.ts';
import type { SignedIn } from './owner-sign-in.ts';
import { canHavePasskeys } from './passkey-site.ts';

const minute = 60_000;
const { origin } = site;

describe('a passkey', () => {
  it.each([[-7], [-8], [-257]] as const)(
    'of algorithm %i is added and signs in',
    async (algorithm) => {
      const { owner, clock, again, key } = await ownerWithPasskey(
        new PasskeyDevice(origin, algorithm),
      );
      clock.nowMs += minute;
      const other = again();
      const answer = await other.signInWithPasskey(
        site,
        'b',
        key.get(await other.passkeyRequest(site, 'b')),
      );
      expect(answer).toMatchObject({ cookie: expect.stringMatching(/^[\w-]{43}$/) });
      expect(await owner.session((answer as SignedIn).cookie)).toMatchObject({ isFresh: true });
      expect(await owner.passkeys()).toMatchObject([{ id: key.id, usedMs: clock.nowMs }]);
    },
  );

  it('is asked for with a challenge of its own, and without naming the passkeys', async () => {
    const { owner, key, cookie } = await ownerWithPasskey();
    const options = [
      await owner.passkeyCreation(cookie, site),
      await owner.passkeyCreation(cookie, site),
      await owner.passkeyRequest(site, 'b'),
      await owner.passkeyRequest(site, 'b'),
    ] as { challenge: string }[];
    expect(new Set(options.map(({ challenge }) => challenge)).size).toBe(4);
    for (const { challenge } of options) {
      expect(fromBase64Url(challenge)?.length).toBeGreaterThanOrEqual(32);
    }
    expect(options[0]).toMatchObject({
      rp: { id: 'vault.example.com', name: 'Vaultdoor' },
      user: { name: 'owner', displayName: 'Owner' },
      pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: [{ type: 'public-key', id: key.id }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(options[2]).toMatchObject({
      rpId: 'vault.example.com',
      allowCredentials: [],
      userVerification: 'required',
    });
  });

  it('is known to this server by one user, until the owner is reset', async () => {
    const { owner, cookie } = await ownerSignedIn();
    const userOf = (options: object): string => (options as { user: { id: string } }).user.id;
    const user = userOf(await owner.passkeyCreation(cookie, site));
    expect(userOf(await owner.passkeyCreation(cookie, site))).toBe(user);
    expect(fromBase64Url(user)).toHaveLength(32);
  });

  it('makes the browser known, and ends the session that it replaces', async () => {
    const { owner, key, cookie, device } = await ownerWithPasskey();
    const credential = key.get(await owner.passkeyRequest(site, 'b'));
    const browser = { device, replaces: cookie };
    const answer = await owner.signInWithPasskey(site, 'b', credential, browser);
    expect(await owner.session(cookie)).toBeUndefined();
    expect((answer as SignedIn).device.slice(0, 22)).toBe(device.slice(0, 22));
  });

  it('stays when the passphrase is changed, and goes when it is removed', async () => {
    const { owner, key } = await ownerWithPasskey();
    const enter = async (): Promise<object> =>
      owner.signInWithPasskey(site, 'b', key.get(await owner.passkeyRequest(site, 'b')));
    await owner.setPassphrase('another one of mine');
    expect(await enter()).toHaveProperty('cookie');
    expect(await owner.removePasskey('AAAA')).toBe(false);
    expect(await owner.removePasskey(key.id)).toBe(true);
    expect(await enter()).toEqual({ refused: expect.stringContaining('not known here') });
    expect(await owner.passkeys()).toEqual([]);
  });

  it.each([
    ['  Work\tlaptop \n', 'Work laptop'],
    ['', 'Passkey'],
    ['\u202e\u0000', 'Passkey'],
    ['🗝'.repeat(100), '🗝'.repeat(60)],
    ['<b>', '<b>'],
  ])('that is named %j is called %j', async (name, called) => {
    const { owner, cookie } = await ownerSignedIn();
    const credential = new PasskeyDevice(origin).create(await owner.passkeyCreation(cookie, site));
    expect(await owner.addPasskey(cookie, site, { name, credential })).toMatchObject({
      name: called,
    });
  });

  it('is for names: browsers make none for addresses', async () => {
    const hosts = ['vault.example.com', 'localhost', '127.0.0.1', '[::1]', '::1'];
    expect(hosts.map((host) => canHavePasskeys({ host, origin }))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const { owner, cookie } = await ownerSignedIn();
    const creation = owner.passkeyCreation(cookie, { host: '127.0.0.1', origin });
    await expect(creation).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
