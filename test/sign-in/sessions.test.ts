import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { sharedTrial, type Trial } from './support/shared-server.ts';
import { McpGuest, type Tokens, tokensIn } from './support/trial-client.ts';

// The checklist: sessions belong to grants, not to the access token of the day.

const trial = sharedTrial();
let { server, owner, client } = {} as Trial; // The server is shared; the others are new in each test.
beforeEach(async () => {
  ({ server, owner, client } = await trial());
});

/** A stream of a session, and whether it is still open. */
async function openStream(guest: McpGuest) {
  const response = await guest.stream();
  expect(response.status).toBe(200);
  const state = { isOpen: true, text: '' };
  const decoder = new TextDecoder();
  const reading = response.body?.pipeTo(
    new WritableStream({
      write: (chunk) => {
        state.text += decoder.decode(chunk, { stream: true });
      },
    }),
  );
  void reading?.catch(() => undefined).then(() => (state.isOpen = false));
  return state;
}

const grantOf = async (): Promise<string> => (await server.grants()).at(-1)?.id ?? '';

describe('a session', () => {
  it('goes on with its stream through refreshes, a day, and the end of the first access token', async () => {
    let tokens: Tokens = await client.tokens(owner);
    const guest = new McpGuest(server, tokens.access_token);
    const session = await guest.begin();
    const stream = await openStream(guest);
    for (let hour = 0; hour < 3; hour++) {
      server.pass(23 * 3_600_000);
      tokens = await tokensIn(await client.refresh(tokens.refresh_token));
      guest.token = tokens.access_token;
      expect(await guest.tools()).toContain('append_note');
    }
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect([guest.session, stream.isOpen]).toEqual([session, true]);
    await client.revoke(tokens.refresh_token);
    // The promise is a second, and this is how often the server looks; a slow machine may take longer.
    expect(limits.tokenLookMs).toBeLessThanOrEqual(500);
    await expect.poll(() => stream.isOpen, { timeout: 10_000, interval: 20 }).toBe(false);
  });

  it('goes on when the owner allows more for the same connection', async () => {
    const first = await client.tokens(owner, { rights: 'read' });
    const guest = new McpGuest(server, first.access_token);
    const session = await guest.begin();
    const stream = await openStream(guest);
    expect(await guest.tools()).not.toContain('append_note');
    const call = { name: 'append_note', arguments: { name: 'Home', text: 'a line of the guest' } };
    const refused = await guest.send({ id: 9, method: 'tools/call', params: call });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="vaultdoor", error="insufficient_scope", scope="vault:write", resource_metadata="https://vault.example.com/.well-known/oauth-protected-resource/mcp", error_description="Changing notes was not allowed"',
    ]);
    await refused.text();

    // The client asks for both; the page proposes to change the connection that it has.
    const id = await grantOf();
    const more = { scope: 'vault:read vault:write' };
    const began = await owner.get(client.authorizePath(more));
    const page = await (await owner.get(began.headers.get('location') ?? '')).text();
    expect(page).toMatch(new RegExp(`name="grant" value="${id}"[^>]* checked`));
    const second = await client.tokens(owner, { grant: id }, more);
    expect([second.scope, await grantOf()]).toEqual(['vault:read vault:write', id]);
    // The same session, with the new token; and the old one may do as much now.
    for (const token of [second.access_token, first.access_token]) {
      guest.token = token;
      expect(await guest.tools()).toContain('append_note');
      const done = await guest.call('append_note', call.arguments);
      expect(done.result).not.toMatchObject({ isError: true });
    }
    expect([guest.session, stream.isOpen]).toEqual([session, true]);
  });

  it('ends and is not found where the owner adds another connection instead', async () => {
    const first = await client.tokens(owner, { rights: 'read' });
    const guest = new McpGuest(server, first.access_token);
    await guest.begin();
    const second = await client.tokens(owner, { grant: 'new' });
    guest.token = second.access_token;
    expect(await guest.status()).toBe(404);
    guest.token = first.access_token;
    expect(await guest.status()).toBe(200);
  });

  it('does at once only what is left when the owner allows less', async () => {
    const first = await client.tokens(owner);
    const guest = new McpGuest(server, first.access_token);
    await guest.begin();
    expect(await guest.tools()).toContain('append_note');
    const id = await grantOf();
    const fields = { rights: 'read', where: 'folders', folder: ['Recipes'], grant: id };
    expect((await client.tokens(owner, fields)).scope).toBe('vault:read');
    expect(await guest.tools()).not.toContain('append_note');
    const home = await guest.call('read_note', { name: 'Home' });
    expect(home.result).toMatchObject({ isError: true });
    expect(await guest.status()).toBe(200);
  });

  it('survives a restart of the server', async () => {
    const tokens = await client.tokens(owner);
    const guest = new McpGuest(server, tokens.access_token);
    const session = await guest.begin();
    await server.restart();
    expect(await guest.tools()).toContain('read_note');
    guest.token = (await tokensIn(await client.refresh(tokens.refresh_token))).access_token;
    expect(await guest.tools()).toContain('read_note');
    expect(guest.session).toBe(session);
  });
});

it('four parallel refreshes give four live pairs, which all go on in the same session', async () => {
  const tokens = await client.tokens(owner);
  const guest = new McpGuest(server, tokens.access_token);
  await guest.begin();
  server.pass(25 * 3_600_000);
  const refreshes = Array.from({ length: 4 }, () => client.refresh(tokens.refresh_token));
  const pairs = await Promise.all((await Promise.all(refreshes)).map(tokensIn));
  for (const pair of pairs) {
    guest.token = pair.access_token;
    expect(await guest.status()).toBe(200);
  }
  server.pass(25 * 3_600_000);
  for (const pair of pairs) {
    guest.token = (await tokensIn(await client.refresh(pair.refresh_token))).access_token;
    expect(await guest.status()).toBe(200);
  }
});
