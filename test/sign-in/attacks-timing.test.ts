import { describe, expect, it } from 'vitest';
import { openSignInBooks } from '../../src/cli/vaults/server-files.ts';
import { nodeOAuthCrypto } from '../../src/node/oauth/node-oauth-crypto.ts';
import { createClient } from '../../src/oauth/clients/entered-clients.ts';
import type { OAuthCrypto } from '../../src/oauth/ports/oauth-crypto.ts';
import { passphrase, TestBrowser, tokensFor } from '../support/sign-in-door.ts';
import { tries } from './support/pages-seen.ts';
import { SignInServer } from './support/sign-in-server.ts';
import { McpGuest } from './support/trial-client.ts';

describe('time', () => {
  it('59: a missing owner costs as much as a wrong passphrase', async () => {
    const scrypts: unknown[] = [];
    const crypto: OAuthCrypto = {
      ...nodeOAuthCrypto,
      scrypt: (text, salt, cost) => {
        scrypts.push({ ...cost, salt: salt.length });
        return nodeOAuthCrypto.scrypt(text, salt, cost);
      },
    };
    const [none, some] = await Promise.all([
      SignInServer.start({ crypto, hasOwner: false }),
      SignInServer.start({ crypto }),
    ]);
    const costs: unknown[][] = [];
    for (const [server, sent] of [
      [none, 'a wrong passphrase'],
      [some, 'a wrong passphrase'],
      [some, ''],
      [some, 'x'.repeat(2_000)],
      [some, passphrase],
    ] as const) {
      await tries(new TestBrowser(server), sent);
      costs.push(scrypts.splice(0));
    }
    expect(costs).toEqual(Array(5).fill([{ n: 16, r: 1, p: 1, salt: 16 }]));
    expect((await none.books.owner.read()).sessions).toEqual([]);
  });

  it('59: secrets are compared in constant time, and an unknown client is answered like a wrong secret', async () => {
    let compared = 0;
    const crypto: OAuthCrypto = {
      ...nodeOAuthCrypto,
      isEqual: (one, other) => {
        compared += 1;
        expect(one).toHaveLength(other.length);
        return nodeOAuthCrypto.isEqual(one, other);
      },
    };
    const server = await SignInServer.start({ crypto });
    const { oauth } = openSignInBooks(server.env);
    const redirectUris = ['https://a.example/callback'];
    const made = await createClient(oauth, crypto, {
      name: 'Entered',
      redirectUris,
      secret: true,
      nowMs: server.clock.nowMs,
    });
    const registered = (await (
      await server.postJson('/register', {
        redirect_uris: redirectUris,
        token_endpoint_auth_method: 'client_secret_post',
      })
    ).json()) as { readonly client_id: string; readonly client_secret: string };
    const token = (id: string, secret: string) =>
      server.post('/token', {
        grant_type: 'refresh_token',
        refresh_token: 'vdr_x',
        client_id: id,
        client_secret: secret,
      });
    const answers = new Set<string>();
    for (const [id, secret] of [
      [made.client.id, 'short'],
      [made.client.id, `${made.secret?.slice(0, -1)}~`],
      [registered.client_id, 'short'],
      [registered.client_id, `${registered.client_secret.slice(0, -1)}~`],
      ['nobody', 'secret'],
      [`${registered.client_id.slice(0, -1)}~`, registered.client_secret],
    ] as const) {
      const before = compared;
      const response = await token(id, secret);
      answers.add(`${response.status} ${await response.text()}`);
      if (id !== 'nobody') expect(compared).toBeGreaterThan(before);
    }
    expect([...answers]).toEqual([
      '401 {"error":"invalid_client","error_description":"The client is unknown, or its secret is wrong or missing."}',
    ]);
    for (const [id, secret] of [
      [made.client.id, made.secret ?? ''],
      [registered.client_id, registered.client_secret],
    ] as const) {
      expect(await (await token(id, secret)).json()).toMatchObject({ error: 'invalid_grant' });
    }
  });

  it('59: tokens are looked up by their hash: unknown and ended ones get the same answer', async () => {
    const server = await SignInServer.start();
    const owner = new TestBrowser(server);
    await owner.signIn();
    const { access_token: token } = await tokensFor(server, owner);
    const [grant] = await server.grants();
    await server.books.oauth.change(grant?.id ?? '', (old) => ({
      ...(old && {
        keep: { ...old, ended: { atMs: server.clock.nowMs, why: 'revoked' as const } },
      }),
      answer: undefined,
    }));
    const unknown = `${String(token).slice(0, -1)}${String(token).endsWith('A') ? 'B' : 'A'}`;
    const answers = await Promise.all(
      [String(token), unknown].map(async (one) => {
        const guest = new McpGuest(server, one);
        const response = await guest.send({ id: 1, method: 'tools/list' });
        const challenge = response.headers.get('www-authenticate');
        return [response.status, challenge, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.[0]).toBe(401);
  });
});
