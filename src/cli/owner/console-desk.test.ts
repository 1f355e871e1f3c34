import { describe, expect, it } from 'vitest';
import { agent, openDesk } from '../../../test/support/desk-vault.ts';
import {
  ownerSignedIn,
  ownerWithPasskey,
  passkeySite,
  type TestOwner,
  testOwner,
} from '../../../test/support/owner-sign-in.ts';
import { PasskeyDevice } from '../../../test/support/passkey-device.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import type { ConsoleSite } from '../../doors/console/console-site.ts';
import { consoleScopes } from '../../engine/decide/console-scopes.ts';
import { openedVault } from '../../engine/open/vault-source.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { OwnerConfirmation } from '../../oauth/owner/owner-confirmation.ts';
import { deskAnswers } from './console-desk.ts';
import { passkeyAnswers } from './console-passkeys.ts';
import { deskHere } from './desk-message.ts';

const here: ConsoleSite = { origin: passkeySite.origin, kind: 'secure' };

/** The desk of a vault as the console asks it. */
async function openConsoleDesk(
  files: Readonly<Record<string, string>>,
  rights: Parameters<typeof consoleScopes>[0]['effects'] = ['read', 'write', 'destroy'],
  { owner = testOwner(), site = here }: { owner?: TestOwner; site?: ConsoleSite } = {},
) {
  const at = await openDesk(files);
  const { book, clock } = owner;
  const confirmation = new OwnerConfirmation({
    book,
    crypto: nodeOAuthCrypto,
    nowMs: () => clock.nowMs,
  });
  const answers = {
    ...deskAnswers({
      deskOf: () => deskHere(openedVault(at.whole)),
      names: async () => new Map([['t1', 'laptop']]),
      confirmation,
    }),
    ...passkeyAnswers({ confirmation, owner: owner.owner }),
  };
  const ask = async (
    what: keyof typeof answers,
    given: { id?: string; body?: object; session?: string } = {},
  ) => {
    const { session = 's' } = given;
    return answers[what]({
      id: given.id ?? '',
      query: new URLSearchParams(),
      body: { ...given.body },
      caller: { ...testCaller(), door: 'console', scopes: consoleScopes({ effects: rights }) },
      session: { id: session, sinceMs: 0, usedMs: 0 },
      site,
    });
  };
  return { ...at, ask };
}

type Desk = Pick<Awaited<ReturnType<typeof openConsoleDesk>>, 'whole' | 'time'>;

/** Asks the owner, as the brake does. */
async function askOwner({ whole, time }: Desk): Promise<string> {
  const { id } = await whole.parts.questions.ask({
    about: 'brake',
    text: 'May it delete 30 files?',
    asker: { door: 'mcp-http', client: 'agent' },
    askerKey: 'secret key',
    tool: 'delete_note',
    argsHash: 'hash',
    paths: [],
    files: 30,
    timeMs: time.nowMs,
  });
  return id;
}

/** What the page would ask the passkey with, and why the request has failed. */
async function refusalOf(request: Promise<object>) {
  const failure = (await request.then(
    () => undefined,
    (error: unknown) => error,
  )) as { code: string; message: string; details: { passkey: object } };
  expect(failure).toMatchObject({ code: 'forbidden' });
  return { message: failure.message, options: failure.details.passkey };
}

describe('proposals', () => {
  it('are listed with what they would do, shown, and accepted as shown', async () => {
    const { ask, propose, text } = await openConsoleDesk({ 'A.md': 'one\n' });
    const id = await propose('append_note', { name: 'A', text: 'two' }, { ...agent, token: 't1' });
    expect(await ask('proposals')).toMatchObject({
      open: [
        {
          id,
          tool: 'append_note',
          asker: { client: 'agent', tokenName: 'laptop' },
          files: [{ path: 'A.md', did: 'changed' }],
        },
      ],
      decided: [],
    });
    const { proposal } = (await ask('proposal', { id })) as {
      proposal: { shownAs: string; diff: string };
    };
    expect(proposal.diff).toContain('+two');
    const body = { names: [proposal.shownAs] };
    expect(await ask('accept-proposals', { body })).toEqual({
      results: [{ outcome: 'made', id, change: 1 }],
    });
    expect(text('A.md')).toBe('one\ntwo\n');
    expect(await ask('proposals')).toMatchObject({ at: 1, open: [], decided: [{ id, change: 1 }] });
    expect(await ask('accept-proposals', { body })).toMatchObject({
      results: [{ outcome: 'decided', proposal: { state: 'accepted' } }],
    });
  });

  it('are refused, one or several, with a reason on one line', async () => {
    const { ask, propose } = await openConsoleDesk({ 'A.md': 'one\n' });
    const names = [
      await propose('append_note', { name: 'A', text: 'two' }),
      await propose('append_note', { name: 'A', text: 'three' }),
      'p99',
    ];
    const body = { names, reason: ' Not \n now ' };
    expect(await ask('refuse-proposals', { body })).toMatchObject({
      results: [
        { outcome: 'refused', id: names[0] },
        { outcome: 'refused', id: names[1] },
        { outcome: 'failed', id: 'p99', error: { code: 'not_found' } },
      ],
    });
    expect(await ask('proposals')).toMatchObject({ decided: [{ reason: 'Not now' }, {}] });
  });

  it.each([
    ['nothing', {}],
    ['no names', { names: [] }],
    ['other fields', { names: ['p1'], all: true }],
    ['a long reason', { names: ['p1'], reason: 'x'.repeat(limits.consoleReasonCharsMax + 1) }],
  ])('are not decided with %s', async (_, body) => {
    const { ask } = await openConsoleDesk({});
    await expect(ask('refuse-proposals', { body })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('questions', () => {
  it('are listed and answered', async () => {
    const { ask, ...desk } = await openConsoleDesk({});
    const id = await askOwner(desk);
    const listed = await ask('questions');
    expect(listed).toMatchObject({ open: [{ id, files: 30 }], decided: [], passkey: 'none' });
    expect(JSON.stringify(listed)).not.toContain('secret key');
    const body = { says: 'deny', reason: 'No.' };
    expect(await ask('answer-question', { id, body })).toMatchObject({
      question: { id, answer: body },
    });
    expect(await ask('questions')).toMatchObject({ open: [], decided: [{ id }] });
    const wrong = ask('answer-question', { id, body: { says: 'perhaps' } });
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

it.each<[Parameters<typeof consoleScopes>[0]['effects'], string]>([
  [['read'], 'forbidden'],
  [['read', 'propose'], 'made'],
])('on a server that may %j, accepting is %s', async (rights, outcome) => {
  const { ask, propose } = await openConsoleDesk({ 'A.md': 'one\n' }, rights);
  const names = [await propose('append_note', { name: 'A', text: 'two' })];
  const accepted = ask('accept-proposals', { body: { names } });
  if (outcome === 'forbidden') await expect(accepted).rejects.toMatchObject({ code: outcome });
  else expect(await accepted).toMatchObject({ results: [{ outcome }] });
});

describe('with a passkey', () => {
  /** A question, and a passkey that the owner has for the console's address. */
  async function openWithPasskey(site = here) {
    const owner = await ownerWithPasskey();
    const desk = await openConsoleDesk({}, undefined, { owner, site });
    const id = await askOwner(desk);
    const answer = (body: object, session = 's') =>
      desk.ask('answer-question', { id, body, session });
    return { ...desk, ...owner, id, answer };
  }

  it.each(['once', 'session'])('a client is allowed (%s) only with it', async (says) => {
    const { ask, answer, key, id, owner, clock } = await openWithPasskey();
    expect(await ask('questions')).toMatchObject({ open: [{ id }], passkey: 'here' });
    const { options } = await refusalOf(answer({ says }));
    expect(options).toMatchObject({ rpId: passkeySite.host, userVerification: 'required' });
    expect(await ask('questions')).toMatchObject({ open: [{ id }] });
    clock.nowMs += 1_000;
    const passkey = key.get(options);
    expect(await answer({ says, passkey })).toMatchObject({ question: { answer: { says } } });
    expect(await owner.passkeys()).toMatchObject([{ usedMs: clock.nowMs }]);
    expect((await refusalOf(answer({ says, passkey }))).message).toContain('sent twice');
  });

  it('a client is denied without it', async () => {
    const { answer } = await openWithPasskey();
    expect(await answer({ says: 'deny' })).toMatchObject({ question: { answer: {} } });
  });

  it.each<[string, (at: Awaited<ReturnType<typeof openWithPasskey>>) => Promise<object>]>([
    [
      'for another answer',
      async ({ answer, key }) => {
        const { options } = await refusalOf(answer({ says: 'once' }));
        return answer({ says: 'session', passkey: key.get(options) });
      },
    ],
    [
      'in another console',
      async ({ answer, key }) => {
        const { options } = await refusalOf(answer({ says: 'once' }));
        return answer({ says: 'once', passkey: key.get(options) }, 'other');
      },
    ],
    [
      'at the sign-in page',
      async ({ answer, key, owner }) => {
        const options = await owner.passkeyRequest(passkeySite, 's');
        return answer({ says: 'once', passkey: key.get(options) });
      },
    ],
    [
      'too long ago',
      async ({ answer, key, clock }) => {
        const { options } = await refusalOf(answer({ says: 'once' }));
        clock.nowMs += limits.passkeyChallengeMs;
        return answer({ says: 'once', passkey: key.get(options) });
      },
    ],
    [
      'without checking who it is',
      async ({ answer, key }) => {
        const { options } = await refusalOf(answer({ says: 'once' }));
        return answer({ says: 'once', passkey: key.get(options, { flags: 0x01 }) });
      },
    ],
    [
      'by another device',
      async ({ answer }) => {
        const { options } = await refusalOf(answer({ says: 'once' }));
        const other = new PasskeyDevice(passkeySite.origin);
        return answer({ says: 'once', passkey: other.get(options) });
      },
    ],
  ])('a client is not allowed when it was shown %s', async (_, attempt) => {
    const at = await openWithPasskey();
    await refusalOf(attempt(at));
    expect(await at.ask('questions')).toMatchObject({ open: [{ id: at.id }] });
  });

  it.each<ConsoleSite>([
    { origin: 'http://localhost:1065', kind: 'local' },
    { origin: 'http://127.0.0.1:1065', kind: 'local' },
    { origin: `http://${passkeySite.host}`, kind: 'plain' },
  ])('of another address nothing is allowed at $origin', async (site) => {
    const { ask, answer } = await openWithPasskey(site);
    expect(await ask('questions')).toMatchObject({ passkey: 'elsewhere' });
    const { message, options } = await refusalOf(answer({ says: 'once' }));
    expect([message, options]).toEqual([expect.stringContaining(passkeySite.host), undefined]);
    expect(await answer({ says: 'deny' })).toMatchObject({ question: { answer: {} } });
  });

  it('passkeys are listed without their keys, and removed with one', async () => {
    const { ask, key, owner } = await openWithPasskey();
    const listed = await ask('passkeys');
    expect(listed).toEqual({
      passkeys: [
        {
          id: key.id,
          name: 'Phone',
          host: passkeySite.host,
          createdMs: expect.any(Number),
          worksHere: true,
        },
      ],
    });
    const body = { id: key.id };
    const { options } = await refusalOf(ask('remove-passkey', { body }));
    expect(await owner.passkeys()).toHaveLength(1);
    await ask('remove-passkey', { body: { ...body, passkey: key.get(options) } });
    expect(await owner.passkeys()).toEqual([]);
    await expect(ask('remove-passkey', { body })).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('asks for no passkey of an owner who has none', async () => {
  const { ask, ...desk } = await openConsoleDesk({}, undefined, { owner: await ownerSignedIn() });
  const id = await askOwner(desk);
  expect(await ask('answer-question', { id, body: { says: 'once' } })).toMatchObject({
    question: { answer: { says: 'once' } },
  });
});
