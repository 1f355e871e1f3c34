import { describe, expect, it } from 'vitest';
import {
  otherSite as elsewhere,
  passkeyFlags as flags,
  ownerWithPasskey,
  passkeyRefusals,
  passkeySite as site,
} from '../../../test/support/owner-sign-in.ts';
import { PasskeyDevice } from '../../../test/support/passkey-device.ts';

const minute = 60_000;
const { origin } = site;
const { website, again, who, unreadable } = passkeyRefusals;

describe('signing in with a passkey is refused', () => {
  type Answer = (test: Awaited<ReturnType<typeof ownerWithPasskey>>) => Promise<unknown>;

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
    const test = await ownerWithPasskey();
    const credential = await answer(test);
    const before = test.book.page;
    const answered = await test.owner.signInWithPasskey(site, 'b', credential);
    expect(answered).toEqual({ refused: expect.stringContaining(refused) });
    expect(test.book.page).toBe(before);
  });

  it('at another host of the same server', async () => {
    const { owner, key } = await ownerWithPasskey();
    const other = { host: 'notes.example.org', origin: 'https://notes.example.org' };
    const credential = key.get(await owner.passkeyRequest(other, 'b'), { origin: other.origin });
    const answered = await owner.signInWithPasskey(other, 'b', credential);
    expect(answered).toEqual({ refused: expect.stringContaining('not known here') });
  });

  it('once, of two that come at the same moment', async () => {
    const { owner, key } = await ownerWithPasskey();
    const credential = key.get(await owner.passkeyRequest(site, 'b'));
    const answers = await Promise.all([
      owner.signInWithPasskey(site, 'b', credential),
      owner.signInWithPasskey(site, 'b', credential),
    ]);
    expect(answers.filter((answer) => 'cookie' in answer)).toHaveLength(1);
  });

  it('never because strangers have asked for many challenges', async () => {
    const { owner, key } = await ownerWithPasskey();
    const options = await owner.passkeyRequest(site, 'b');
    for (let at = 0; at < 500; at++) await owner.passkeyRequest(site, `stranger ${at}`);
    expect(await owner.signInWithPasskey(site, 'b', key.get(options))).toHaveProperty('cookie');
  });

  it('when more were used than are remembered, until these have ended', async () => {
    const { owner, key, clock } = await ownerWithPasskey();
    const enter = async (): Promise<object> =>
      owner.signInWithPasskey(site, 'b', key.get(await owner.passkeyRequest(site, 'b')));
    for (let at = 0; at < 99; at++) expect(await enter()).toHaveProperty('cookie');
    expect(await enter()).toEqual({ refused: expect.stringContaining('Too many') });
    clock.nowMs += 6 * minute;
    expect(await enter()).toHaveProperty('cookie');
  });
});
