import { beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { expectError, stepsSince } from './support/expected-answers.ts';
import { sharedTrial, type Trial } from './support/shared-server.ts';
import { McpGuest, type Tokens, TrialClient, tokensIn } from './support/trial-client.ts';

// Rows 18 and 22 to 29 of the list of attacks: access tokens, refresh tokens, and their grants.

const trial = sharedTrial();
let { server, owner, client } = {} as Trial; // The server is shared; the others are new in each test.
beforeEach(async () => {
  ({ server, owner, client } = await trial());
});

const challenge = (error: string): string =>
  `Bearer realm="vaultdoor", ${error}resource_metadata="https://vault.example.com/.well-known/oauth-protected-resource/mcp", scope="vault:read vault:write"`;
const unauthorized = challenge('');
const invalidToken = challenge(
  'error="invalid_token", error_description="The token is unknown, revoked or too old", ',
);

/** What `/mcp` answers to a token. */
async function atMcp(token: string): Promise<readonly [number, string | null]> {
  const response = await new McpGuest(server, token).send({ id: 1, method: 'tools/list' });
  await response.text();
  return [response.status, response.headers.get('www-authenticate')];
}

/** Why the grants have ended, those that live as undefined. */
async function ends(): Promise<readonly (string | undefined)[]> {
  return (await server.grants()).map(({ ended }) => ended?.why);
}

describe('a token of a grant', () => {
  it('18: for an address that is no longer configured is refused, until it is configured again', async () => {
    const tokens = await client.tokens(owner);
    await server.restart({ urls: ['https://new.example.com'] });
    expect(await atMcp(tokens.access_token)).toEqual([
      401,
      invalidToken.replace('vault.example', 'new.example'),
    ]);
    await expectError(await client.refresh(tokens.refresh_token), 'invalid_grant');
    await server.restart({ urls: ['https://new.example.com', 'https://vault.example.com'] });
    expect((await atMcp(tokens.access_token))[0]).toBe(200);
    await server.restart({ urls: ['https://vault.example.com'] });
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect(await ends()).toEqual([undefined]);
  });

  it('18: for another set of vaults is refused', async () => {
    const tokens = await client.tokens(owner);
    const other = tempFolder({ 'A.md': 'text' });
    for (const folders of [[other], [server.vault, other]]) {
      await server.restart({ folders });
      expect(await atMcp(tokens.access_token)).toEqual([401, invalidToken]);
      await expectError(await client.refresh(tokens.refresh_token), 'invalid_grant');
    }
    await server.restart({ folders: [server.vault] });
    expect((await atMcp(tokens.access_token))[0]).toBe(200);
    expect(await ends()).toEqual([undefined]);
  });

  it('22: says what the owner allowed, not what was asked for, and has no other tools', async () => {
    const tools = ['notes', 'obsidian', 'agent'];
    const more = { scope: 'vault:read vault:write vault:delete' };
    const tokens = await client.tokens(owner, { rights: 'read', tools }, more);
    expect(tokens.scope).toBe('vault:read');
    const guest = new McpGuest(server, tokens.access_token);
    const { result } = await guest.ask('tools/list');
    const { tools: listed } = result as {
      readonly tools: readonly {
        readonly name: string;
        readonly annotations?: { readonly readOnlyHint?: boolean };
      }[];
    };
    expect(listed.length).toBeGreaterThan(10);
    expect(listed.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);

    const all = await client.tokens(owner, { rights: 'delete', tools, grant: 'new' });
    expect(all.scope).toBe('vault:read vault:write vault:delete');
    const may = await new McpGuest(server, all.access_token).tools();
    const hidden = may.filter((name) => !listed.some((tool) => tool.name === name));
    expect(hidden).toEqual(expect.arrayContaining(['append_note', 'delete_note']));
    for (const name of hidden) {
      const call = { name, arguments: {} };
      const refused = await guest.send({ id: 1, method: 'tools/call', params: call });
      expect([name, refused.status]).toEqual([name, 403]);
      expect(refused.headers.get('www-authenticate')).toMatch(
        /^Bearer realm="vaultdoor", error="insufficient_scope", scope="vault:(?:write|delete)", resource_metadata="https:\/\/vault\.example\.com\/\.well-known\/oauth-protected-resource\/mcp", error_description="(?:Changing|Deleting) notes was not allowed"$/,
      );
      await refused.text();
    }
  });

  it('23: can be refreshed for less, never for more', async () => {
    const tokens = await client.tokens(owner, { rights: 'read' });
    for (const scope of ['vault:write', 'vault:read vault:write', 'vault:delete vault:read']) {
      const steps = stepsSince(server);
      await expectError(await client.refresh(tokens.refresh_token, { scope }), 'invalid_scope');
      expect(steps()).toEqual(['refresh: 400 invalid_scope']);
    }
    // Nothing was used up, and less is less for the access token alone.
    const writer = await client.tokens(owner, { grant: 'new' });
    const less = { scope: 'vault:read openid' };
    const narrow = await tokensIn(await client.refresh(writer.refresh_token, less));
    expect(narrow.scope).toBe('vault:read');
    const names = await new McpGuest(server, narrow.access_token).tools();
    expect(names).not.toContain('append_note');
    const again = await tokensIn(await client.refresh(narrow.refresh_token));
    expect(again.scope).toBe('vault:read vault:write');
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect(await ends()).toEqual([undefined, undefined]);
  });
});

describe('a refresh token', () => {
  it('24: of another client is refused, and nothing is revoked', async () => {
    const tokens = await client.tokens(owner);
    const others = [
      await TrialClient.register(server),
      await TrialClient.register(server, { token_endpoint_auth_method: 'client_secret_post' }),
      new TrialClient(server),
    ];
    for (const other of others) {
      const steps = stepsSince(server);
      await expectError(await other.refresh(tokens.refresh_token), 'invalid_grant');
      const revoked = await other.revoke(tokens.refresh_token);
      expect([revoked.status, await revoked.text()]).toEqual([200, '']);
      expect((await other.revoke(tokens.access_token)).status).toBe(200);
      expect(steps()).toEqual(['refresh: 400 invalid_grant', 'revoke: done', 'revoke: done']);
    }
    expect((await atMcp(tokens.access_token))[0]).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
    expect(await ends()).toEqual([undefined]);
  });

  /** The first tokens, those of the first refresh, and one call with them. */
  async function refreshedOnce(): Promise<readonly [Tokens, Tokens]> {
    const first = await client.tokens(owner);
    const second = await tokensIn(await client.refresh(first.refresh_token));
    expect((await atMcp(second.access_token))[0]).toBe(200);
    return [first, second];
  }

  it('25: that was stolen and comes after the grace ends the grant, for both', async () => {
    const [first, second] = await refreshedOnce();
    server.pass(120_001);
    const steps = stepsSince(server);
    await expectError(await client.refresh(first.refresh_token), 'invalid_grant');
    expect(steps()).toEqual([
      'grant: an old refresh token was shown again',
      'refresh: 400 invalid_grant',
    ]);
    expect(await ends()).toEqual(['replayed']);
    for (const { access_token: access, refresh_token: refresh } of [first, second]) {
      expect(await atMcp(access)).toEqual([401, invalidToken]);
      await expectError(await client.refresh(refresh), 'invalid_grant');
    }
    const { text } = await owner.open('/owner');
    expect(text).toContain('somebody may have copied it');
  });

  it('25: that the thief used first ends the grant when its client comes', async () => {
    const tokens = await client.tokens(owner);
    const stolen = await tokensIn(await client.refresh(tokens.refresh_token));
    const more = await tokensIn(await client.refresh(stolen.refresh_token));
    server.pass(23 * 3_600_000);
    await expectError(await client.refresh(tokens.refresh_token), 'invalid_grant');
    expect(await atMcp(more.access_token)).toEqual([401, invalidToken]);
    await expectError(await client.refresh(more.refresh_token), 'invalid_grant');
    expect(await ends()).toEqual(['replayed']);
  });

  it('25: whose answer was lost is exchanged again, and what was lost is worth nothing', async () => {
    const first = await client.tokens(owner);
    const lost = await tokensIn(await client.refresh(first.refresh_token));
    server.pass(3_600_000);
    const steps = stepsSince(server);
    const second = await tokensIn(await client.refresh(first.refresh_token));
    expect(steps()).toEqual(['grant: the client had not got the last refresh', 'refresh: tokens']);
    expect((await atMcp(second.access_token))[0]).toBe(200);
    expect(await atMcp(lost.access_token)).toEqual([401, invalidToken]);
    await expectError(await client.refresh(lost.refresh_token), 'invalid_grant');
    expect((await client.refresh(second.refresh_token)).status).toBe(200);
    expect(await ends()).toEqual([undefined]);
  });

  it('26: that comes again within the grace works, and /owner shows several pairs', async () => {
    const first = await client.tokens(owner);
    const refreshed = await Promise.all(
      Array.from({ length: 4 }, () => client.refresh(first.refresh_token)),
    );
    server.pass(120_000);
    const answers = [...refreshed, await client.refresh(first.refresh_token)];
    const pairs = await Promise.all(answers.map(tokensIn));
    expect(new Set(pairs.map(({ refresh_token: token }) => token)).size).toBe(5);
    for (const { access_token: access } of [first, ...pairs]) {
      expect((await atMcp(access))[0]).toBe(200);
    }
    const { text } = await owner.open('/owner');
    expect(text).toMatch(/It holds [56] keys at the same time/);
    for (const { refresh_token: refresh } of pairs) {
      expect((await client.refresh(refresh)).status).toBe(200);
    }
    expect(await ends()).toEqual([undefined]);
  });
});

describe('a token in a wrong place', () => {
  it('27: opens nothing', async () => {
    const tokens = await client.tokens(owner);
    const code = await client.code(owner, { grant: 'new' });
    expect(await atMcp(tokens.refresh_token)).toEqual([401, invalidToken]);
    expect(await atMcp(code)).toEqual([401, invalidToken]);
    expect(await atMcp(client.id)).toEqual([401, invalidToken]);
    expect(await atMcp(tokens.refresh_token.replace('vdr_', 'vda_'))).toEqual([401, invalidToken]);
    expect(await atMcp(tokens.access_token.toUpperCase())).toEqual([401, invalidToken]);
    for (const wrong of [tokens.access_token, code, 'vdr_', 'x']) {
      await expectError(await client.refresh(wrong), 'invalid_grant');
    }
    for (const wrong of [tokens.access_token, tokens.refresh_token, 'vdk_', 'x']) {
      await expectError(await client.exchange(wrong), 'invalid_grant');
    }
    // All of them are as good as before where they belong.
    expect(await ends()).toEqual([undefined]);
    expect((await client.exchange(code)).status).toBe(200);
    expect((await atMcp(tokens.access_token))[0]).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('28: in the query, the body, a cookie or another header of /mcp is not looked at', async () => {
    const { access_token: token } = await client.tokens(owner);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const json = { 'content-type': 'application/json', accept: 'application/json' };
    const sent = [
      { path: `/mcp?access_token=${token}`, body, headers: json },
      { path: `/mcp?token=${token}`, body, headers: json },
      { path: `/mcp?authorization=Bearer%20${token}`, body, headers: json },
      {
        path: '/mcp',
        body: `access_token=${token}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      { path: '/mcp', body: `{"access_token":"${token}",${body.slice(1)}`, headers: json },
      { path: '/mcp', body, headers: { ...json, cookie: `access_token=${token}` } },
      { path: '/mcp', body, headers: { ...json, 'x-access-token': token } },
      { path: '/mcp', body, headers: { ...json, 'proxy-authorization': `Bearer ${token}` } },
    ];
    for (const each of sent) {
      const response = await server.send({ method: 'POST', ...each });
      expect([each.path.split('?')[0], response.status]).toEqual(['/mcp', 401]);
      expect(response.headers.get('www-authenticate')).toBe(unauthorized);
      expect(await response.text()).not.toContain(token);
    }
    for (const path of ['/mcp', `/mcp?access_token=${token}`]) {
      const response = await server.send({ path, headers: { accept: 'text/event-stream' } });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        unauthorized,
      ]);
    }
    for (const authorization of [
      `Basic ${token}`,
      token,
      `Bearer ${token} x`,
      'Bearer',
      'Bearer ',
    ]) {
      const headers = { ...json, authorization };
      const response = await server.send({ method: 'POST', path: '/mcp', body, headers });
      expect([authorization.split(' ')[0], response.status]).toEqual([
        authorization.split(' ')[0],
        401,
      ]);
    }
    expect((await atMcp(token))[0]).toBe(200);
  });

  it('29: a static token gets nothing at /token and /revoke, and goes on', async () => {
    const wanted = { name: 'static', effects: ['read'], folders: [''], tools: ['notes'] } as const;
    const { token } = await server.tokens.create(wanted as never);
    expect((await atMcp(token))[0]).toBe(200);
    await expectError(await client.refresh(token), 'invalid_grant');
    await expectError(await client.exchange(token), 'invalid_grant');
    const alone = { token_type_hint: 'access_token' };
    for (const more of [{}, alone]) {
      const revoked = await client.revoke(token, more);
      expect([revoked.status, await revoked.text()]).toEqual([200, '']);
    }
    await expectError(await server.post('/revoke', { token }), 'invalid_client', { status: 401 });
    expect((await atMcp(token))[0]).toBe(200);
    expect(await server.tokens.list()).toHaveLength(1);
    expect(await server.grants()).toEqual([]);
  });
});
