import { describe, expect, it } from 'vitest';
import {
  otherSite as elsewhere,
  passkeyFlags as flags,
  ownerPassphrase,
  ownerSignedIn,
  ownerWithPasskey,
  passkeyRefusals,
  passkeySite as site,
} from '../../../test/support/owner-sign-in.ts';
import { cbor, PasskeyDevice } from '../../../test/support/passkey-device.ts';
import type { SignedIn } from './owner-sign-in.ts';

const minute = 60_000;
const { origin } = site;
const { website, again, who, unreadable } = passkeyRefusals;

describe('adding a passkey is refused', () => {
  const device = new PasskeyDevice(origin);
  const cose = (fields: [number, unknown][]): Uint8Array => cbor(new Map(fields));
  const bytes = (length: number): Buffer => Buffer.alloc(length, 9);

  it.each<[string, string, Parameters<PasskeyDevice['create']>[1]]>([
    ['for another origin', website, { origin: elsewhere.origin }],
    ['for another host', website, { host: elsewhere.host }],
    ['with a challenge of its own', again, { challenge: 'A'.repeat(96) }],
    ['without finger, face or PIN', who, { flags: flags.present | flags.made }],
    ['without a touch', who, { flags: flags.verified | flags.made }],
    ['as a sign-in', unreadable, { type: 'webauthn.get' }],
    ['with another id than it says', unreadable, { id: 'AAAA' }],
    ['without a key', unreadable, { flags: flags.present | flags.verified }],
    ['with a key that is cut off', unreadable, { key: cose([[1, 2]]).subarray(0, 2) }],
    ['with bytes after the key', unreadable, { more: Buffer.from([1]) }],
    ['with a key that is no key', 'cannot check', { key: cbor('key') }],
    [
      'with a key on another curve',
      'cannot check',
      {
        key: cose([
          [1, 2],
          [3, -35],
          [-1, 2],
          [-2, bytes(48)],
          [-3, bytes(48)],
        ]),
      },
    ],
    [
      'with a short point',
      'cannot check',
      {
        key: cose([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(31)],
          [-3, bytes(32)],
        ]),
      },
    ],
    [
      'with RSA of 1024 bits',
      'cannot check',
      {
        key: cose([
          [1, 3],
          [3, -257],
          [-1, bytes(128)],
          [-2, Buffer.from([1, 0, 1])],
        ]),
      },
    ],
    [
      'with RSA of exponent 1',
      'cannot check',
      {
        key: cose([
          [1, 3],
          [3, -257],
          [-1, bytes(256)],
          [-2, Buffer.from([1])],
        ]),
      },
    ],
  ])('%s', async (_, refused, faults) => {
    const { owner, cookie } = await ownerSignedIn();
    const credential = device.create(await owner.passkeyCreation(cookie, site), faults);
    const answer = await owner.addPasskey(cookie, site, { name: 'x', credential });
    expect(answer).toEqual({ refused: expect.stringContaining(refused) });
    expect(await owner.passkeys()).toEqual([]);
  });

  it.each([undefined, null, 'x', 7, [], {}, { id: device.id, type: 'public-key', response: {} }])(
    'when the browser sends %j',
    async (credential) => {
      const { owner, cookie } = await ownerSignedIn();
      const answer = await owner.addPasskey(cookie, site, { name: 'x', credential });
      expect(answer).toEqual({ refused: expect.stringContaining(unreadable) });
    },
  );

  it('with any attestation it is not: that is not looked at', async () => {
    const { owner, cookie } = await ownerSignedIn();
    const options = await owner.passkeyCreation(cookie, site);
    const credential = device.create(options, {
      format: 'packed',
      flags: 0xc5,
      more: cbor(new Map([['credProtect', 2]])),
    });
    const added = await owner.addPasskey(cookie, site, { name: 'x', credential });
    expect(added).toMatchObject({ id: device.id });
  });

  it('with the challenge of another session, and after signing out', async () => {
    const { owner, cookie } = await ownerSignedIn();
    const other = (await owner.signIn({ passphrase: ownerPassphrase })) as SignedIn;
    const credential = device.create(await owner.passkeyCreation(other.cookie, site));
    const sent = { name: 'x', credential };
    const answer = await owner.addPasskey(cookie, site, sent);
    expect(answer).toEqual({ refused: expect.stringContaining(again) });
    await owner.signOut(other.cookie);
    expect(await owner.addPasskey(other.cookie, site, sent)).toHaveProperty('refused');
    expect(await owner.passkeys()).toEqual([]);
  });

  it('from a session that is not fresh, and from none', async () => {
    const { owner, cookie, clock } = await ownerSignedIn();
    clock.nowMs += 10 * minute + 1;
    for (const shown of [cookie, 'A'.repeat(43), '']) {
      const creation = owner.passkeyCreation(shown, site);
      await expect(creation).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('when it is known already, also with a new challenge', async () => {
    const { owner, cookie, key } = await ownerWithPasskey();
    const credential = key.create(await owner.passkeyCreation(cookie, site));
    const answer = await owner.addPasskey(cookie, site, { name: 'x', credential });
    expect(answer).toEqual({ refused: 'This passkey is known already.' });
  });

  it('when there are twenty', async () => {
    const { owner, cookie } = await ownerSignedIn();
    const add = async (): Promise<object> => {
      const credential = new PasskeyDevice(origin).create(
        await owner.passkeyCreation(cookie, site),
      );
      return owner.addPasskey(cookie, site, { name: 'x', credential });
    };
    for (let at = 0; at < 20; at++) expect(await add()).toHaveProperty('id');
    expect(await add()).toEqual({ refused: 'There can be 20 passkeys; remove one first.' });
  });
});
