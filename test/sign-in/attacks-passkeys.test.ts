import { describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { PasskeyDevice } from '../support/passkey-device.ts';
import { TestBrowser, wordIn } from '../support/sign-in-door.ts';
import { titleIn } from './support/pages-seen.ts';
import { sharedServer } from './support/shared-server.ts';
import { SignInServer } from './support/sign-in-server.ts';

const origin = 'https://vault.example.com';

describe('passkeys', () => {
  /** An owner whose browser has just made a passkey. */
  async function withPasskey(server: SignInServer) {
    for (const { id } of await server.owner.passkeys()) await server.owner.removePasskey(id);
    const browser = new TestBrowser(server);
    await browser.signIn();
    const word = wordIn(await (await browser.get('/owner')).text());
    const device = new PasskeyDevice(origin);
    const options = await json(await browser.postJson('/owner/passkeys/options', { word }));
    const credential = device.create(options);
    const sent = { word, name: 'Phone', credential };
    const added = await browser.postJson('/owner/passkeys/add', sent);
    expect(added.status).toBe(200);
    return { server, browser, device, word, sent };
  }
  let kept: PasskeyDevice | undefined;

  /** A passkey of the owner's, for tests that leave it as it is. */
  async function onePasskey(server: SignInServer): Promise<PasskeyDevice> {
    const isThere = (await server.owner.passkeys()).some(({ id }) => id === kept?.id);
    if (kept === undefined || !isThere) kept = (await withPasskey(server)).device;
    return kept;
  }
  const json = async (response: Response) =>
    (await response.json()) as Readonly<Record<string, unknown>>;

  /** A browser that is not signed in and has asked for a challenge. */
  async function asking(server: SignInServer) {
    const browser = new TestBrowser(server);
    expect(await (await browser.get('/owner')).text()).toContain('Use a passkey');
    const options = await json(await browser.postJson('/owner/passkeys/request', {}));
    const send = (credential: unknown, at = browser) =>
      at.postJson('/owner/passkeys/sign-in', { credential });
    return { browser, options, send };
  }
  const isIn = async (browser: TestBrowser): Promise<boolean> =>
    titleIn(await (await browser.get('/owner')).text()) !== 'Sign in';
  const shared = sharedServer();

  it.each([-7, -8, -257] as const)(
    '58: the right passkey signs in (algorithm %d)',
    async (algorithm) => {
      const { server, browser: owner, word } = await withPasskey(shared());
      const device = new PasskeyDevice(origin, algorithm);
      const made = await json(await owner.postJson('/owner/passkeys/options', { word }));
      const added = { word, name: 'Key', credential: device.create(made) };
      expect((await owner.postJson('/owner/passkeys/add', added)).status).toBe(200);
      const { browser, options, send } = await asking(server);
      expect(options).toMatchObject({ rpId: 'vault.example.com', userVerification: 'required' });
      // Strangers are told no ids.
      expect(options['allowCredentials']).toEqual([]);
      const response = await send(device.get(options));
      expect([response.status, await isIn(browser)]).toEqual([200, true]);
    },
  );

  const present = 0x01;
  type Faults = NonNullable<Parameters<PasskeyDevice['get']>[1]>;
  const faults: readonly (readonly [string, Faults, string])[] = [
    [
      'another origin',
      { origin: 'https://evil.example' },
      'The passkey answered to another website.',
    ],
    [
      'our name with http',
      { origin: 'http://vault.example.com' },
      'The passkey answered to another website.',
    ],
    [
      'our name with a port',
      { origin: `${origin}:444` },
      'The passkey answered to another website.',
    ],
    ['a frame of another site', { crossOrigin: true }, 'The passkey answered to another website.'],
    ['another rpId', { host: 'evil.example' }, 'The passkey is for another website.'],
    ['a rpId above ours', { host: 'example.com' }, 'The passkey is for another website.'],
    [
      'another challenge',
      { challenge: 'A'.repeat(96) },
      'That took too long, or was sent twice. Try again.',
    ],
    ['no UV', { flags: present }, 'The passkey has not checked who you are (finger, face or PIN).'],
    ['no UP', { flags: 0x04 }, 'The passkey has not checked who you are (finger, face or PIN).'],
    [
      'the kind of a new passkey',
      { type: 'webauthn.create' },
      'The answer of the browser could not be read.',
    ],
    [
      'a credential id of another',
      { id: Buffer.alloc(16, 9).toString('base64url') },
      'This passkey is not known here. Sign in with your passphrase.',
    ],
    ['a wrong signature', { garble: 'signature' }, 'The signature of the passkey is wrong.'],
    [
      'client data that is cut',
      { garble: 'clientDataJSON' },
      'The answer of the browser could not be read.',
    ],
    [
      'changed authenticator data',
      { garble: 'authenticatorData' },
      'The signature of the passkey is wrong.',
    ],
  ];
  it.each(faults)('58: %s is refused', async (_, fault, message) => {
    const server = shared();
    const device = await onePasskey(server);
    const { browser, options, send } = await asking(server);
    const response = await send(device.get(options, fault));
    expect([response.status, await json(response)]).toEqual([403, { message }]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await isIn(browser)).toBe(false);
    // The challenge is still good for the right answer: a stranger cannot use it up.
    expect((await send(device.get(options))).status).toBe(200);
  });

  it('58: an answer counts once, in the browser that asked, and for five minutes', async () => {
    const server = shared();
    const device = await onePasskey(server);
    const { options, send } = await asking(server);
    const answer = device.get(options);
    const other = (await asking(server)).browser;
    const late = { message: 'That took too long, or was sent twice. Try again.' };
    const stolen = await send(answer, other);
    expect([stolen.status, await json(stolen), await isIn(other)]).toEqual([403, late, false]);
    expect((await send(answer)).status).toBe(200);
    const replayed = await send(answer);
    expect([replayed.status, await json(replayed)]).toEqual([403, late]);
    const next = await asking(server);
    server.pass(limits.passkeyChallengeMs);
    expect((await next.send(device.get(next.options))).status).toBe(403);
    expect(await isIn(next.browser)).toBe(false);
  });

  it('58: two who answer with one challenge at the same moment: one comes in', async () => {
    const server = shared();
    const device = await onePasskey(server);
    const { options, send } = await asking(server);
    const answer = device.get(options);
    const statuses = (await Promise.all([send(answer), send(answer)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 403]);
  });

  it('58: another key under the id of the owner’s is refused', async () => {
    const server = shared();
    const device = await onePasskey(server);
    const { browser, options, send } = await asking(server);
    const thief = new PasskeyDevice(origin);
    const response = await send(thief.get(options, { id: device.id }));
    expect([response.status, await json(response), await isIn(browser)]).toEqual([
      403,
      { message: 'The signature of the passkey is wrong.' },
      false,
    ]);
  });

  it('58: a removed passkey is refused, also by the challenge of before', async () => {
    const { server, device, browser: owner, word } = await withPasskey(shared());
    const { browser, options, send } = await asking(server);
    expect((await owner.post('/owner/passkeys/remove', { word, id: device.id })).status).toBe(200);
    expect((await send(device.get(options))).status).toBe(403);
    expect(await isIn(browser)).toBe(false);
  });

  const nothings = [
    undefined,
    null,
    '',
    'x',
    1,
    [],
    {},
    { id: 'x' },
    { id: '', type: 'public-key' },
  ];
  it.each(nothings)('58: what is no answer of a passkey is refused (%j)', async (credential) => {
    const server = shared();
    await onePasskey(server);
    const { browser, send } = await asking(server);
    const response = await send(credential);
    expect([response.status, await json(response), await isIn(browser)]).toEqual([
      403,
      { message: 'The answer of the browser could not be read.' },
      false,
    ]);
  });

  it('58: a passkey is added once, by a fresh session with its own challenge and word only', async () => {
    const { server, browser, device, word, sent } = await withPasskey(shared());
    const before = await server.owner.passkeys();
    const add = (credential: unknown, more: object = {}) =>
      browser.postJson('/owner/passkeys/add', { word, name: 'x', credential, ...more });
    const options = async () => json(await browser.postJson('/owner/passkeys/options', { word }));
    const fresh = new PasskeyDevice(origin);
    expect((await browser.postJson('/owner/passkeys/add', sent)).status).toBe(400); // Replayed.
    expect((await add(device.create(await options()))).status).toBe(400); // Known already.
    expect((await add(fresh.create(await options()), { word: 'x' })).status).toBe(403);
    expect((await add(fresh.create(await options(), { host: 'evil.example' }))).status).toBe(400);
    expect(
      (await add(fresh.create(await options(), { origin: 'https://evil.example' }))).status,
    ).toBe(400);
    expect((await add(fresh.create(await options(), { flags: 0x41 }))).status).toBe(400);
    expect((await add(fresh.create(await options(), { id: device.id }))).status).toBe(400);
    const asked = await asking(server);
    expect(
      (await add(fresh.create({ ...asked.options, rp: { id: 'vault.example.com' } }))).status,
    ).toBe(400);
    const mine = fresh.create(await options());
    const second = new TestBrowser(server);
    await second.signIn();
    const theirs = wordIn(await (await second.get('/owner')).text());
    const crossed = { word: theirs, name: 'x', credential: mine };
    expect((await second.postJson('/owner/passkeys/add', crossed)).status).toBe(400);
    const stranger = await new TestBrowser(server).postJson('/owner/passkeys/options', { word });
    expect(stranger.status).toBe(403);
    server.pass(limits.ownerFreshMs + 1);
    expect((await browser.postJson('/owner/passkeys/options', { word })).status).toBe(403);
    expect((await add(mine)).status).toBe(403); // No longer fresh.
    expect(await server.owner.passkeys()).toEqual(before);
  });

  it('58: an IP address has no passkeys', async () => {
    const server = await SignInServer.start({ urls: ['http://127.0.0.1:1065'] });
    const browser = new TestBrowser(server);
    await browser.signIn();
    const page = await (await browser.get('/owner')).text();
    expect(page).not.toContain('passkey.js');
    const options = await browser.postJson('/owner/passkeys/options', { word: wordIn(page) });
    expect([options.status, await json(options)]).toEqual([
      400,
      { message: 'This address cannot have passkeys.' },
    ]);
  });
});
