import { describe, expect, it } from 'vitest';
import { ownerPassphrase, type TestOwner, testOwner } from '../../../test/support/owner-sign-in.ts';
import { cbor, PasskeyDevice } from '../../../test/support/passkey-device.ts';
import { fromBase64Url } from '../text/base64url.ts';
import type { SignedIn } from './owner-sign-in.ts';
import { canHavePasskeys } from './passkey-site.ts';

const minute = 60_000;
const origin = 'https://vault.example.com';
const site = { host: 'vault.example.com', origin };
const elsewhere = { host: 'evil.example', origin: 'https://evil.example' };
const flags = { none: 0x00, present: 0x01, verified: 0x04, made: 0x40, extensions: 0x80 };

interface Test extends TestOwner, SignedIn {
  readonly device: string;
}

async function signedIn(): Promise<Test> {
  const test = testOwner();
  await test.owner.setPassphrase(ownerPassphrase);
  const answer = await test.owner.signIn({ passphrase: ownerPassphrase });
  if ('refused' in answer) throw new Error(answer.message);
  return { ...test, ...answer };
}

/** The owner with a passkey. */
async function withPasskey(
  key: PasskeyDevice = new PasskeyDevice(origin),
): Promise<Test & { readonly key: PasskeyDevice }> {
  const test = await signedIn();
  const credential = key.create(await test.owner.passkeyCreation(test.cookie, site));
  const added = await test.owner.addPasskey(test.cookie, site, { name: 'Phone', credential });
  expect(added).toMatchObject({ id: key.id, name: 'Phone', host: site.host });
  return { ...test, key };
}

describe('a passkey', () => {
  it.each([[-7], [-8], [-257]] as const)(
    'of algorithm %i is added and signs in',
    async (algorithm) => {
      const { owner, clock, again, key } = await withPasskey(new PasskeyDevice(origin, algorithm));
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
    const { owner, key, cookie } = await withPasskey();
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
    const { owner, cookie } = await signedIn();
    const userOf = (options: object): string => (options as { user: { id: string } }).user.id;
    const user = userOf(await owner.passkeyCreation(cookie, site));
    expect(userOf(await owner.passkeyCreation(cookie, site))).toBe(user);
    expect(fromBase64Url(user)).toHaveLength(32);
  });

  it('makes the browser known, and ends the session that it replaces', async () => {
    const { owner, key, cookie, device } = await withPasskey();
    const credential = key.get(await owner.passkeyRequest(site, 'b'));
    const browser = { device, replaces: cookie };
    const answer = await owner.signInWithPasskey(site, 'b', credential, browser);
    expect(await owner.session(cookie)).toBeUndefined();
    expect((answer as SignedIn).device.slice(0, 22)).toBe(device.slice(0, 22));
  });

  it('stays when the passphrase is changed, and goes when it is removed', async () => {
    const { owner, key } = await withPasskey();
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
    const { owner, cookie } = await signedIn();
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
    const { owner, cookie } = await signedIn();
    const creation = owner.passkeyCreation(cookie, { host: '127.0.0.1', origin });
    await expect(creation).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

const website = 'another website';
const again = 'took too long, or was sent twice';
const who = 'has not checked who you are';
const unreadable = 'could not be read';

describe('signing in with a passkey is refused', () => {
  type Answer = (test: Awaited<ReturnType<typeof withPasskey>>) => Promise<unknown>;

  /** The answer of a device that does something wrong. */
  const with_ =
    (faults: Parameters<PasskeyDevice['get']>[1]): Answer =>
    async ({ owner, key }) =>
      key.get(await owner.passkeyRequest(site, 'b'), faults);

  it.each<[string, string, Answer]>([
    ['for another origin', website, with_({ origin: elsewhere.origin })],
    ['for the origin with a port', website, with_({ origin: `${origin}:8443` })],
    ['in a frame of another site', website, with_({ crossOrigin: true })],
    ['for another host', website, with_({ host: elsewhere.host })],
    ['with a challenge of its own', again, with_({ challenge: 'A'.repeat(96) })],
    ['with an empty challenge', again, with_({ challenge: '' })],
    [
      'with the challenge of another browser',
      again,
      async ({ owner, key }) => key.get(await owner.passkeyRequest(site, 'c')),
    ],
    [
      'with the challenge of another host',
      again,
      async ({ owner, key }) =>
        key.get(await owner.passkeyRequest(elsewhere, 'b'), { host: site.host }),
    ],
    [
      'with the challenge of a creation',
      again,
      async ({ owner, cookie, key }) => {
        const { challenge } = (await owner.passkeyCreation(cookie, site)) as { challenge: string };
        return key.get({ challenge, rpId: site.host });
      },
    ],
    [
      'with the challenge of another process',
      again,
      async (test) => test.key.get(await test.again().passkeyRequest(site, 'b')),
    ],
    [
      'after five minutes',
      again,
      async ({ owner, key, clock }) => {
        const options = await owner.passkeyRequest(site, 'b');
        clock.nowMs += 5 * minute;
        return key.get(options);
      },
    ],
    [
      'for the second time',
      again,
      async ({ owner, key }) => {
        const credential = key.get(await owner.passkeyRequest(site, 'b'));
        expect(await owner.signInWithPasskey(site, 'b', credential)).toHaveProperty('cookie');
        return credential;
      },
    ],
    ['without a touch', who, with_({ flags: flags.verified })],
    ['without finger, face or PIN', who, with_({ flags: flags.present })],
    ['without either', who, with_({ flags: flags.none })],
    ['as a creation', unreadable, with_({ type: 'webauthn.create' })],
    [
      'with another key',
      'signature',
      async ({ owner, key }) => {
        return new PasskeyDevice(origin).get(await owner.passkeyRequest(site, 'b'), { id: key.id });
      },
    ],
    [
      'by a passkey nobody has added',
      'not known here',
      async ({ owner }) => new PasskeyDevice(origin).get(await owner.passkeyRequest(site, 'b')),
    ],
    ['with a wrong signature', 'signature', with_({ garble: 'signature' })],
    ['with other authenticator data', 'signature', with_({ garble: 'authenticatorData' })],
    ['with bytes that it does not announce', unreadable, with_({ more: Buffer.from([0]) })],
    [
      'with extensions that are cut off',
      unreadable,
      with_({ flags: 0x85, more: Buffer.from([0x81]) }),
    ],
    ['with nothing', unreadable, async () => undefined],
    ['with a list', unreadable, async () => []],
    ['with no response', unreadable, async ({ key }) => ({ id: key.id, type: 'public-key' })],
    [
      'with two ids',
      unreadable,
      async (test) => ({ ...((await with_({})(test)) as object), rawId: 'AAAA' }),
    ],
    [
      'with deep JSON',
      unreadable,
      async (test) => {
        const sent = (await with_({})(test)) as { response: object };
        const clientDataJSON = Buffer.from('['.repeat(9_000)).toString('base64url');
        return { ...sent, response: { ...sent.response, clientDataJSON } };
      },
    ],
    [
      'with half of the authenticator data',
      unreadable,
      async (test) => {
        const sent = (await with_({})(test)) as { response: { authenticatorData: string } };
        const authenticatorData = sent.response.authenticatorData.slice(0, 20);
        return { ...sent, response: { ...sent.response, authenticatorData } };
      },
    ],
  ])('%s', async (_, refused, answer) => {
    const test = await withPasskey();
    const credential = await answer(test);
    const before = test.book.page;
    const answered = await test.owner.signInWithPasskey(site, 'b', credential);
    expect(answered).toEqual({ refused: expect.stringContaining(refused) });
    expect(test.book.page).toBe(before);
  });

  it('at another host of the same server', async () => {
    const { owner, key } = await withPasskey();
    const other = { host: 'notes.example.org', origin: 'https://notes.example.org' };
    const credential = key.get(await owner.passkeyRequest(other, 'b'), { origin: other.origin });
    const answered = await owner.signInWithPasskey(other, 'b', credential);
    expect(answered).toEqual({ refused: expect.stringContaining('not known here') });
  });

  it('once, of two that come at the same moment', async () => {
    const { owner, key } = await withPasskey();
    const credential = key.get(await owner.passkeyRequest(site, 'b'));
    const answers = await Promise.all([
      owner.signInWithPasskey(site, 'b', credential),
      owner.signInWithPasskey(site, 'b', credential),
    ]);
    expect(answers.filter((answer) => 'cookie' in answer)).toHaveLength(1);
  });

  it('never because strangers have asked for many challenges', async () => {
    const { owner, key } = await withPasskey();
    const options = await owner.passkeyRequest(site, 'b');
    for (let at = 0; at < 500; at++) await owner.passkeyRequest(site, `stranger ${at}`);
    expect(await owner.signInWithPasskey(site, 'b', key.get(options))).toHaveProperty('cookie');
  });

  it('when more were used than are remembered, until these have ended', async () => {
    const { owner, key, clock } = await withPasskey();
    const enter = async (): Promise<object> =>
      owner.signInWithPasskey(site, 'b', key.get(await owner.passkeyRequest(site, 'b')));
    for (let at = 0; at < 99; at++) expect(await enter()).toHaveProperty('cookie');
    expect(await enter()).toEqual({ refused: expect.stringContaining('Too many') });
    clock.nowMs += 5 * minute;
    expect(await enter()).toHaveProperty('cookie');
  });
});

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
    const { owner, cookie } = await signedIn();
    const credential = device.create(await owner.passkeyCreation(cookie, site), faults);
    const answer = await owner.addPasskey(cookie, site, { name: 'x', credential });
    expect(answer).toEqual({ refused: expect.stringContaining(refused) });
    expect(await owner.passkeys()).toEqual([]);
  });

  it.each([undefined, null, 'x', 7, [], {}, { id: device.id, type: 'public-key', response: {} }])(
    'when the browser sends %j',
    async (credential) => {
      const { owner, cookie } = await signedIn();
      const answer = await owner.addPasskey(cookie, site, { name: 'x', credential });
      expect(answer).toEqual({ refused: expect.stringContaining(unreadable) });
    },
  );

  it('with any attestation it is not: that is not looked at', async () => {
    const { owner, cookie } = await signedIn();
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
    const { owner, cookie } = await signedIn();
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
    const { owner, cookie, clock } = await signedIn();
    clock.nowMs += 10 * minute + 1;
    for (const shown of [cookie, 'A'.repeat(43), '']) {
      const creation = owner.passkeyCreation(shown, site);
      await expect(creation).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('when it is known already, also with a new challenge', async () => {
    const { owner, cookie, key } = await withPasskey();
    const credential = key.create(await owner.passkeyCreation(cookie, site));
    const answer = await owner.addPasskey(cookie, site, { name: 'x', credential });
    expect(answer).toEqual({ refused: 'This passkey is known already.' });
  });

  it('when there are twenty', async () => {
    const { owner, cookie } = await signedIn();
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
