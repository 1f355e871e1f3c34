import { beforeEach, describe, expect, it } from 'vitest';
import { expectError, stepsSince } from './support/expected-answers.ts';
import { sharedTrial, type Trial } from './support/shared-server.ts';
import { McpGuest, TrialClient, tokensIn } from './support/trial-client.ts';

// Rows 10 to 17, 19 and 21 of the list of attacks: what `/token` refuses to give for a code.

const trial = sharedTrial(
  { urls: ['https://vault.example.com', 'https://other.example.com'] },
  { redirect_uris: ['http://127.0.0.1:6276/cb', 'https://app.example/cb'] },
);
let { server, owner, client } = {} as Trial; // The server is shared; the others are new in each test.
beforeEach(async () => {
  ({ server, owner, client } = await trial());
});

const refused = 'token: 400 invalid_grant';

/** A code that a request has burnt is of no use to the client that it was for, and left nothing. */
async function expectBurnt(code: string): Promise<void> {
  await expectError(await client.exchange(code), 'invalid_grant');
  expect(await server.grants()).toEqual([]);
}

describe('PKCE', () => {
  it.each([
    ['no verifier', undefined],
    ['an empty verifier', ''],
  ])('10: %s gets no tokens, and the code is burnt', async (_, verifier) => {
    const code = await client.code(owner);
    const steps = stepsSince(server);
    const answer = await client.exchange(code, { code_verifier: verifier });
    await expectError(answer, 'invalid_grant');
    expect(steps()).toEqual([refused]);
    await expectBurnt(code);
  });

  it.each<[string, (right: TrialClient) => string]>([
    ['another verifier', () => 'w'.repeat(43)],
    ['the challenge itself', ({ challenge }) => challenge],
    ['a short verifier', ({ verifier }) => verifier.slice(0, 42)],
    ['a longer verifier', ({ verifier }) => `${verifier}a`],
    ['a verifier of 129 characters', () => 'w'.repeat(129)],
    ['a padded verifier', ({ verifier }) => `${verifier}=`],
    ['a verifier with a line break', ({ verifier }) => `${verifier}\n`],
    ['a verifier with a space before it', ({ verifier }) => ` ${verifier}`],
    ['a verifier in upper case', ({ verifier }) => verifier.toUpperCase()],
  ])('11: %s gets no tokens, and the code is burnt', async (_, wrong) => {
    const code = await client.code(owner);
    const steps = stepsSince(server);
    const answer = await client.exchange(code, { code_verifier: wrong(client) });
    await expectError(answer, 'invalid_grant');
    expect(steps()).toEqual([refused]);
    await expectBurnt(code);
  });
});

describe('a code', () => {
  /** Shows a code again: nothing of its grant may be left. */
  async function expectRevoked(code: string, again: () => Promise<Response>): Promise<void> {
    const tokens = await tokensIn(await client.exchange(code));
    const next = await tokensIn(await client.refresh(tokens.refresh_token));
    const steps = stepsSince(server);
    await expectError(await again(), 'invalid_grant');
    expect(steps()).toEqual([
      'grant: connection ended: replayed',
      'grant: a code was shown again',
      refused,
    ]);
    for (const { access_token: access, refresh_token: refresh } of [tokens, next]) {
      expect(await new McpGuest(server, access).status()).toBe(401);
      await expectError(await client.refresh(refresh), 'invalid_grant');
    }
    expect((await server.grants()).map(({ ended }) => ended?.why)).toEqual(['replayed']);
  }

  it('12: a code used twice ends its grant and all tokens of it', async () => {
    const code = await client.code(owner);
    await expectRevoked(code, () => {
      server.pass(10_001);
      return client.exchange(code);
    });
  });

  it.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['no verifier', { code_verifier: undefined }],
    ['another client', { client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata' }],
  ])('12: a code used twice, at once and with %s, ends its grant', async (_, more) => {
    const code = await client.code(owner);
    await expectRevoked(code, () => client.exchange(code, more));
  });

  it('12: the same request within ten seconds is a retry: refused, and nothing ends', async () => {
    const code = await client.code(owner);
    const { access_token: access } = await tokensIn(await client.exchange(code));
    server.pass(10_000);
    const steps = stepsSince(server);
    await expectError(await client.exchange(code), 'invalid_grant');
    expect(steps()).toEqual([refused]);
    expect(await new McpGuest(server, access).status()).toBe(200);
    // It is remembered for ten minutes that a code was used, and no longer.
    server.pass(9 * 60_000 + 50_000);
    await expectError(await client.exchange(code), 'invalid_grant');
    expect(await new McpGuest(server, access).status()).toBe(200);
  });

  it('13: the code of one client, shown by another, is burnt', async () => {
    const { redirect } = client;
    const others = [
      await TrialClient.register(server, { redirect_uris: [redirect] }),
      await TrialClient.register(server, { token_endpoint_auth_method: 'client_secret_post' }),
      new TrialClient(server, {
        id: 'https://claude.ai/oauth/claude-code-client-metadata',
        redirect,
      }),
    ];
    for (const other of others) {
      const code = await client.code(owner);
      const steps = stepsSince(server);
      const stolen = other.exchangeFields(code, {
        code_verifier: client.verifier,
        redirect_uri: redirect,
      });
      await expectError(await server.post('/token', stolen), 'invalid_grant');
      expect(steps()).toEqual([refused]);
      await expectBurnt(code);
    }
  });

  it.each([
    'https://app.example/cb',
    'http://127.0.0.1:6277/cb',
    'http://127.0.0.1:6276/cb/',
    'http://127.0.0.1:6276/CB',
    'http://localhost:6276/cb',
    'http://127.0.0.1:6276/cb?a',
    'https://evil.example/cb',
  ])('14: a code with the other redirect_uri %s is refused and burnt', async (redirect) => {
    const code = await client.code(owner);
    const steps = stepsSince(server);
    const answer = await client.exchange(code, { redirect_uri: redirect });
    await expectError(answer, 'invalid_grant');
    expect(steps()).toEqual([refused]);
    await expectBurnt(code);
  });

  it('14: without redirect_uri the verifier must do, and does', async () => {
    const code = await client.code(owner);
    expect((await client.exchange(code, { redirect_uri: undefined })).status).toBe(200);
    const other = await client.code(owner);
    const wrong = { redirect_uri: undefined, code_verifier: 'w'.repeat(43) };
    await expectError(await client.exchange(other, wrong), 'invalid_grant');
    await expectError(await client.exchange(other), 'invalid_grant');
  });

  it('15: a code is of no use after a minute, nor after a restart', async () => {
    const late = await client.code(owner);
    server.pass(60_000);
    await expectBurnt(late);
    const justInTime = await client.code(owner);
    server.pass(59_999);
    expect((await client.exchange(justInTime)).status).toBe(200);
    const before = await client.code(owner);
    await server.restart();
    const steps = stepsSince(server);
    await expectError(await client.exchange(before), 'invalid_grant');
    expect(steps()).toEqual([refused]);
    expect(await server.grants()).toHaveLength(1);
  });

  it('16: of twelve exchanges of one code at the same moment exactly one gets tokens', async () => {
    const code = await client.code(owner);
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.exchange(code)));
    const [won, ...lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(lost).toHaveLength(11);
    for (const answer of lost) await expectError(answer, 'invalid_grant');
    const { access_token: access } = await tokensIn(won ?? new Response());
    expect(await new McpGuest(server, access).status()).toBe(200);
    const grants = await server.grants();
    expect(grants.map(({ pairs, ended }) => [pairs.length, ended])).toEqual([[1, undefined]]);
  });

  it.each([
    ['https://evil.example/mcp'],
    ['http://vault.example.com/mcp'],
    ['https://vault.example.com/mcp#a'],
    ['https://vault.example.com/other'],
    ['https://vault.example.com/mcp', 'https://evil.example/mcp'],
    // One of ours, but not the one that was allowed.
    ['https://other.example.com/mcp'],
    ['https://vault.example.com/mcp', 'https://other.example.com/mcp'],
  ])('17: a code and a refresh token for the resource %s %s are refused', async (...resources) => {
    const sent = resources
      .filter((each) => each !== undefined)
      .map((each) => ['resource', each] as const);
    const post = (fields: Record<string, string>): Promise<Response> =>
      server.post('/token', [...Object.entries(fields), ...sent]);
    const code = await client.code(owner);
    const steps = stepsSince(server);
    await expectError(await post(client.exchangeFields(code)), 'invalid_target');
    expect(await server.grants()).toEqual([]);
    const tokens = await tokensIn(await client.exchange(code));
    await expectError(await post(client.refreshFields(tokens.refresh_token)), 'invalid_target');
    // Neither was used up by that.
    const right = { resource: 'https://vault.example.com/mcp' };
    expect((await client.refresh(tokens.refresh_token, right)).status).toBe(200);
    expect(steps()).toEqual([
      'token: 400 invalid_target',
      'token: tokens',
      'refresh: 400 invalid_target',
      'refresh: tokens',
    ]);
  });

  it('17: a grant asked for at one address is for that address', async () => {
    const more = { resource: 'https://other.example.com' };
    const tokens = await client.tokens(owner, {}, more);
    expect(tokens.scope).toBe('vault:read vault:write');
    const [grant] = await server.grants();
    expect(grant?.resource).toBe('https://other.example.com/mcp');
  });
});

describe('a request to /token', () => {
  it('19: with a parameter twice is refused, and uses nothing up; resource may be there twice', async () => {
    const code = await client.code(owner);
    const fields = Object.entries(client.exchangeFields(code));
    for (const [name, value] of [...fields, ['scope', 'vault:read'], ['anything', 'x']] as const) {
      const steps = stepsSince(server);
      const twice = [...fields, [name, value], [name, value]] as const;
      await expectError(await server.post('/token', twice), 'invalid_request');
      // An empty one counts too.
      const empty = [...fields, [name, value], [name, '']] as const;
      await expectError(await server.post('/token', empty), 'invalid_request');
      expect(steps()).toEqual(['token: 400 invalid_request', 'token: 400 invalid_request']);
    }
    const resource = ['resource', 'https://vault.example.com/mcp'] as const;
    const answer = await server.post('/token', [...fields, resource, resource]);
    const { refresh_token: token } = await tokensIn(answer);
    for (const [name, value] of Object.entries({ token, client_id: client.id })) {
      const both = [['token', token] as const, ['client_id', client.id] as const];
      await expectError(await server.post('/revoke', [...both, [name, value]]), 'invalid_request');
    }
    expect((await client.refresh(token)).status).toBe(200);
  });

  it.each([
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:saml2-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'AUTHORIZATION_CODE',
    'authorization_code ',
    '__proto__',
  ])('21: with the grant type %s is refused', async (kind) => {
    const code = await client.code(owner);
    const steps = stepsSince(server);
    const more = {
      grant_type: kind,
      username: 'owner',
      password: 'seven quiet herons by the weir',
      assertion: 'eyJhbGciOiJub25lIn0.e30.',
      device_code: 'x',
    };
    await expectError(await client.exchange(code, more), 'unsupported_grant_type');
    const alone = await server.post('/token', { grant_type: kind });
    await expectError(alone, 'unsupported_grant_type');
    expect(steps()).toEqual(Array(2).fill('token: 400 unsupported_grant_type'));
    expect(await server.grants()).toEqual([]);
    expect((await client.exchange(code)).status).toBe(200);
  });

  it('21: without a grant type, or not as a form, is refused in the words of OAuth', async () => {
    const code = await client.code(owner);
    const fields = client.exchangeFields(code);
    const without = { grant_type: undefined };
    await expectError(await client.exchange(code, without), 'invalid_request');
    const send = (more: object): Promise<Response> => server.send({ path: '/token', ...more });
    const post = { method: 'POST', body: new URLSearchParams(fields).toString() };
    const type = (text: string) => ({ headers: { 'content-type': text } });
    for (const [answer, status] of [
      [await send({}), 405],
      [await send({ method: 'PUT' }), 405],
      [await send({ ...post, ...type('text/plain') }), 400],
      [await send({ ...post, ...type('application/json'), body: JSON.stringify(fields) }), 400],
      [await send({ ...post, ...type('multipart/form-data; boundary=x') }), 400],
      [await server.post('/token', { ...fields, more: 'x'.repeat(17_000) }), 413],
      [await server.send({ path: `/token?${post.body}`, method: 'POST' }), 400],
    ] as const) {
      await expectError(answer, 'invalid_request', { status });
    }
    expect((await client.exchange(code)).status).toBe(200);
  });
});
