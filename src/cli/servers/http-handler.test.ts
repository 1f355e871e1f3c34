import { describe, expect, it } from 'vitest';
import type { Visitor } from '../../base/caller.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { FrontDoor } from '../../net/front-door.ts';
import type { RequestHead } from '../../net/http-handler.ts';
import { type Health, httpHandler } from './http-handler.ts';

type Find = ConstructorParameters<typeof FrontDoor>[0]['book']['find'];

/** A handler that asks for tokens, and what it has told the log. */
function handlerOf({
  health = 'ok',
  find = async () => undefined,
  signIn = false,
}: {
  health?: Health;
  find?: Find;
  signIn?: boolean;
}) {
  const lines: string[] = [];
  const front = new FrontDoor({
    allowHosts: [],
    publicUrls: [],
    tokens: 'asked',
    book: { find },
    scopes: allScopes,
    nowMs: () => 0,
  });
  const handler = httpHandler({
    mcp: { handle: async (_, { token }) => new Response(`the door, ${token}`) },
    front,
    logger: { log: (...line) => void lines.push(JSON.stringify(line)) },
    version: '1.2.3',
    health: async () => health,
    nowMs: () => 0,
    ...(signIn ? { doors: [signInDoor], prefixes: ['/notes'] } : {}),
  });
  return { handler, lines };
}

/** A door for signing in that says what it was asked. */
const signInDoor = {
  serves: (path: string) => ['/token', '/owner'].includes(path),
  bodyBytesMax: () => 16,
  isOpenToAllOrigins: (path: string) => path === '/token',
  handle: async ({ url, method }: Request, address: string) =>
    new Response(`${method} ${new URL(url).pathname} from ${address}`),
  refusal: (path: string, { status }: { readonly status: number }) =>
    new Response(`refused at ${path}`, { status }),
};

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a client gets: refused before its body is read, or answered. */
async function fetchOf(
  { handler }: ReturnType<typeof handlerOf>,
  path: string,
  { method = 'GET', headers = {} }: Sent = {},
): Promise<Response> {
  const all = new Headers({ host: 'localhost:1065', ...headers });
  const head: RequestHead = { method, path, headers: all, address: '127.0.0.1' };
  const admitted: Response | Visitor = await handler.admit(head);
  if (admitted instanceof Response) return admitted;
  const url = `http://localhost:1065${path}`;
  return handler.handle(new Request(url, { method, headers: all }), admitted);
}

const message = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { error: { message: string } }).error.message;

describe('/health', () => {
  it.each<[Health, number]>([
    ['ok', 200],
    ['vault_not_found', 503],
    ['stopping', 503],
  ])('says %s with status %d, and asks for no token', async (health, status) => {
    const response = await fetchOf(handlerOf({ health }), '/health');
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ status: health, version: '1.2.3' });
  });

  it('is only read', async () => {
    const response = await fetchOf(handlerOf({}), '/health', { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is not for those who call the server by a foreign name', async () => {
    const headers = { host: 'evil.example' };
    expect((await fetchOf(handlerOf({}), '/health', { headers })).status).toBe(403);
  });
});

describe('/mcp', () => {
  it('is for those with a token', async () => {
    const find: Find = async () => ({ id: 'a1', scopes: allScopes });
    const headers = { authorization: 'Bearer vd_right' };
    const response = await fetchOf(handlerOf({ find }), '/mcp', { method: 'POST', headers });
    expect([response.status, await response.text()]).toEqual([200, 'the door, a1']);
  });

  it('answers those without one in the words of JSON-RPC, and tells the log once', async () => {
    const handled = handlerOf({});
    const first = await fetchOf(handled, '/mcp', { method: 'POST' });
    await fetchOf(handled, '/mcp', { method: 'POST' });
    expect(first.status).toBe(401);
    expect(first.headers.get('www-authenticate')).toContain('Bearer');
    expect(await first.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    expect(handled.lines).toHaveLength(1);
  });

  it('never shows a token to the log', async () => {
    const handled = handlerOf({});
    const headers = { authorization: 'Bearer vd_secret' };
    await fetchOf(handled, '/mcp', { method: 'POST', headers });
    expect(handled.lines.join()).toContain('not valid');
    expect(handled.lines.join()).not.toContain('vd_secret');
  });

  it('lets nobody in while tokens cannot be checked, and says nothing of the machine', async () => {
    const handled = handlerOf({
      find: async () => {
        throw new VaultError('vault_not_found', 'The vault "/srv/notes" cannot be opened.');
      },
    });
    const headers = { authorization: 'Bearer vd_right' };
    const response = await fetchOf(handled, '/mcp', { method: 'POST', headers });
    expect(response.status).toBe(503);
    expect(`${await response.text()} ${handled.lines.join()}`).not.toContain('/srv');
    expect(handled.lines.join()).toContain('vault_not_found');
    const { length } = handled.lines;
    await fetchOf(handled, '/mcp', { headers: { authorization: 'Bearer vd_right' } });
    expect(handled.lines).toHaveLength(length);
  });

  it('takes a body of those who are asked for a token, and nothing else does', async () => {
    const { handler } = handlerOf({});
    const bytesFor = async (method: string, path: string): Promise<number> =>
      handler.bodyBytesMax({ method, path, headers: new Headers(), address: '' });
    expect(await bytesFor('POST', '/mcp')).toBe(limits.httpBodyBytesMax);
    expect([await bytesFor('OPTIONS', '/mcp'), await bytesFor('POST', '/health')]).toEqual([0, 0]);
  });

  it('is at one address: a client that looks for OAuth is told before it sends anything', async () => {
    const { handler } = handlerOf({});
    const headers = new Headers({ host: 'localhost:1065' });
    const head = { method: 'POST', path: '/register', headers, address: '127.0.0.1' };
    const answer = await handler.admit(head);
    expect(answer).toMatchObject({ status: 404 });
    expect(await message(answer as Response)).toMatch(/^This server has no OAuth\. /);
    const other = await handler.admit({ ...head, path: '/' });
    expect(await message(other as Response)).toBe(
      'There is nothing at this address; MCP is at /mcp.',
    );
  });
});

describe('web pages', () => {
  const origin = 'http://localhost:6274';

  it('of this machine may ask first, without a token', async () => {
    const headers = { origin, 'access-control-request-headers': 'authorization' };
    const response = await fetchOf(handlerOf({}), '/mcp', { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  });

  it('of this machine may read why they were refused', async () => {
    const headers = { origin };
    const response = await fetchOf(handlerOf({}), '/mcp', { method: 'POST', headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      401,
      origin,
    ]);
  });

  it('of others may do nothing', async () => {
    const headers = { origin: 'https://evil.example' };
    const response = await fetchOf(handlerOf({}), '/health', { headers });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
      403,
      null,
    ]);
  });
});

it.each(['/', '/mcp/', '/.well-known/oauth-protected-resource'])(
  'nothing is at %s, whoever asks: a client must not look for a login there',
  async (path) => {
    const response = await fetchOf(handlerOf({}), path);
    expect([response.status, await message(response)]).toEqual([
      404,
      'There is nothing at this address; MCP is at /mcp.',
    ]);
  },
);

describe('signing in', () => {
  const origin = 'https://evil.example';
  it.each<[string, Sent, number, string]>([
    ['/token', { method: 'POST' }, 200, 'POST /token from 127.0.0.1'],
    ['/token', { method: 'OPTIONS' }, 200, 'OPTIONS /token from 127.0.0.1'],
    ['/token', { method: 'POST', headers: { origin } }, 200, 'POST /token from 127.0.0.1'],
    ['/owner', {}, 200, 'GET /owner from 127.0.0.1'],
    ['/owner', { headers: { origin } }, 403, 'refused at /owner'],
    ['/owner', { headers: { host: 'evil.example' } }, 403, 'refused at /owner'],
    ['/token', { headers: { host: 'evil.example' } }, 403, 'refused at /token'],
  ])('%s with %j answers %d', async (path, sent, status, text) => {
    const response = await fetchOf(handlerOf({ signIn: true }), path, sent);
    expect([response.status, await response.text()]).toEqual([status, text]);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['/mcp', 401],
    ['/notes/mcp', 401],
    ['/other/mcp', 404],
    ['/register', 404],
    ['/health', 200],
  ])('leaves %s as it is: %d', async (path, status) => {
    expect((await fetchOf(handlerOf({ signIn: true }), path)).status).toBe(status);
  });

  it('puts refusals of the listener into the format of the path, and takes small bodies', async () => {
    const { handler } = handlerOf({ signIn: true });
    const refusal = { status: 503, message: 'Stopping.' };
    expect(await handler.refuse(refusal, '/token').text()).toBe('refused at /token');
    expect(await message(handler.refuse(refusal, '/mcp'))).toBe('Stopping.');
    expect(await message(handler.refuse(refusal))).toBe('Stopping.');
    const head = { method: 'POST', path: '/token', headers: new Headers(), address: '' };
    expect(handler.bodyBytesMax(head)).toBe(16);
  });
});
