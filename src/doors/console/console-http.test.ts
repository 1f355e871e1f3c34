import { describe, expect, it } from 'vitest';
import { openConsoleDoor } from '../../../test/support/console-door.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import { nodeTimers } from '../../node/system/node-ports.ts';
import { consoleToolset } from '../../tools/console/console-toolset.ts';
import { createService } from '../../tools/service/service.ts';
import { isConsolePath } from './console-routes.ts';

const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? 'none';

describe('the link', () => {
  it('opens the console once', async () => {
    const { ask, sessions } = await openConsoleDoor();
    const body = { key: await sessions.makeKey() };
    const first = await ask('/c/api/enter', { method: 'POST', body });
    expect(first.status).toBe(200);
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-vaultdoor-1065=[\w-]{43}; Secure; HttpOnly; SameSite=Strict; Path=\/$/,
      ),
    ]);
    expect(first.headers.get('cache-control')).toBe('no-store');
    const again = await ask('/c/api/enter', { method: 'POST', body });
    expect([again.status, await codeOf(again)]).toEqual([403, 'forbidden']);
  });

  it.each([
    ['in time', limits.consoleKeyMs - 1, 200],
    ['too late', limits.consoleKeyMs, 403],
  ])('is used %s', async (_, waitMs, status) => {
    const { ask, sessions, time } = await openConsoleDoor();
    const body = { key: await sessions.makeKey() };
    time.nowMs += waitMs;
    expect((await ask('/c/api/enter', { method: 'POST', body })).status).toBe(status);
  });

  it('is for every address of the server, and used up at the first', async () => {
    const { ask, sessions } = await openConsoleDoor();
    const body = { key: await sessions.makeKey() };
    const enter = (host: string) => ask('/c/api/enter', { method: 'POST', body, host });
    expect((await enter('notes.example.org')).status).toBe(200);
    expect((await enter('localhost:1065')).status).toBe(403);
  });

  it('makes room for newer ones', async () => {
    const { sessions } = await openConsoleDoor();
    const first = await sessions.makeKey();
    for (let count = 0; count < limits.consoleKeysMax; count++) await sessions.makeKey();
    expect(await sessions.enter(first)).toBeUndefined();
  });

  const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15';
  const chrome =
    'Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36';
  it.each([
    ['localhost:1065', chrome, '__Host-vaultdoor-1065'],
    ['localhost:1065', safari, 'vaultdoor-1065'],
    ['notes.example.org', safari, '__Host-vaultdoor-1065'],
    ['192.168.1.5:1065', chrome, 'vaultdoor-1065'],
  ])('at %s gives a cookie that the browser takes', async (host, agent, name) => {
    const opened = await openConsoleDoor({ allowsPlainHttp: true });
    const { cookie, key } = await opened.enter({ host, headers: { 'user-agent': agent } });
    expect(cookie.split('=')[0]).toBe(name);
    expect(cookie.includes('Secure')).toBe(name.startsWith('__Host-'));
    const headers = opened.halves({ cookie, key });
    expect((await opened.ask('/c/api/me', { host, headers })).status).toBe(200);
  });
});

describe('a request to the API', () => {
  const evil = 'https://evil.example';
  it.each<[string, Record<string, string | undefined>, string, number]>([
    ['with both halves', {}, 'GET', 200],
    ['from the page itself', { 'sec-fetch-site': 'same-origin' }, 'GET', 200],
    ['without the cookie', { cookie: undefined }, 'GET', 401],
    ['without the key', { 'x-vaultdoor-console': undefined }, 'GET', 401],
    ['with another key', { 'x-vaultdoor-console': 'x'.repeat(43) }, 'GET', 401],
    ['with the cookie as key', { 'x-vaultdoor-console': 'cookie' }, 'GET', 401],
    ['with the cookie of another port', { cookie: '__Host-vaultdoor-3000=abc' }, 'GET', 401],
    ['with a token', { cookie: undefined, authorization: 'Bearer vd_x' }, 'GET', 401],
    ['of another site', { origin: evil }, 'GET', 403],
    ['of another port', { origin: 'http://localhost:3000' }, 'GET', 403],
    ['of another port, by address', { origin: 'http://127.0.0.1:1065' }, 'GET', 403],
    ['of no site', { origin: 'null' }, 'GET', 403],
    ['across sites', { 'sec-fetch-site': 'cross-site' }, 'GET', 403],
    ['from another port', { 'sec-fetch-site': 'same-site' }, 'GET', 403],
    ['typed by hand', { 'sec-fetch-site': 'none' }, 'GET', 403],
    ['posted by the page', {}, 'POST', 200],
    ['posted by a program', { origin: undefined }, 'POST', 403],
    ['posted by another site', { origin: evil }, 'POST', 403],
    ['posted as a form', { 'content-type': 'text/plain' }, 'POST', 400],
  ])('%s: %s', async (_, changed, method, status) => {
    const { door, enter, halves } = await openConsoleDoor();
    const entered = await enter();
    const all: Record<string, string | undefined> = {
      ...halves(entered),
      ...(method === 'POST'
        ? { origin: 'http://localhost:1065', 'content-type': 'application/json' }
        : {}),
      ...changed,
    };
    const headers = Object.fromEntries(
      Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    const path = method === 'GET' ? '/c/api/me' : '/c/api/questions/q1';
    const body = method === 'POST' ? JSON.stringify({ says: 'deny' }) : null;
    const response = await door.handle(
      new Request(`http://localhost:1065${path}`, {
        method,
        headers: { host: 'localhost:1065', ...headers },
        body,
      }),
    );
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('ends with the sign-in: by time, by signing out, and everywhere', async () => {
    const { ask, enter, halves, time } = await openConsoleDoor();
    const [one, two, three] = [await enter(), await enter(), await enter()].map(halves);
    const status = async (headers = {}) => (await ask('/c/api/me', { headers })).status;
    time.nowMs += limits.consoleSessionMs - 1;
    expect(await status(one)).toBe(200);
    time.nowMs += 1;
    expect([await status(one), await status(two)]).toEqual([200, 401]);
    const out = (headers = {}, body = {}) =>
      ask('/c/api/sign-out', { method: 'POST', headers, body });
    expect((await out(one)).headers.getSetCookie()[0]).toContain('Max-Age=0');
    expect([await status(one), await status(three)]).toEqual([401, 401]);
    const [four, five] = [await enter(), await enter()].map(halves);
    await out(four, { everywhere: true });
    expect([await status(four), await status(five)]).toEqual([401, 401]);
  });

  it.each([
    ['/c/api/nothing', 'GET', 404],
    ['/c/api', 'GET', 404],
    ['/c/api/undo', 'GET', 405],
    ['/c/api/changes', 'POST', 405],
    ['/c/api/tags', 'GET', 503],
    ['/c/api/questions/a%2Fb', 'POST', 404],
  ])('%s by %s: %d', async (path, method, status) => {
    const { ask, enter, halves } = await openConsoleDoor();
    const headers = halves(await enter());
    expect((await ask(path, { method, headers })).status).toBe(status);
  });
});

describe('what the owner asks for', () => {
  it('is a tool, called by the owner', async () => {
    const { ask, enter, halves, sessions } = await openConsoleDoor();
    const headers = halves(await enter());
    const path = '/c/api/changes?limit=5&undone=true&path=7&ids=3&ids=c-x';
    expect(await (await ask(path, { headers })).json()).toEqual({
      at: 7,
      door: 'console',
      connection: (await sessions.list())[0]?.id,
      args: { limit: 5, undone: true, path: '7', ids: [3, 'c-x'] },
    });
    const wrong = await ask('/c/api/changes?limit=many', { headers });
    expect([wrong.status, await codeOf(wrong)]).toEqual([400, 'invalid_input']);
  });

  it('is a filter with several words', async () => {
    const { whole } = await openWrittenVault({ 'A.md': 'a' });
    const service = createService(whole, [consoleToolset], nodeTimers);
    const { ask, enter, halves } = await openConsoleDoor({ service });
    const headers = halves(await enter());
    for (const query of ['kinds=deleted,moved', 'kinds=deleted&kinds=moved', 'kinds=moved']) {
      const response = await ask(`/c/api/changes?${query}`, { headers });
      expect(await response.json()).toMatchObject({ items: [] });
    }
    const eaten = await ask('/c/api/changes?kinds=moved,eaten', { headers });
    expect(eaten.status).toBe(400);
  });

  it('fails in the words of the tool', async () => {
    const { ask, enter, halves } = await openConsoleDoor();
    const headers = halves(await enter());
    const response = await ask('/c/api/undo', { method: 'POST', headers, body: {} });
    expect([response.status, await response.json()]).toEqual([
      409,
      { error: { code: 'conflict', message: 'It has changed.', details: { path: 'A.md' } } },
    ]);
  });

  it('takes nothing back on a server that only reads', async () => {
    const scopes = { effects: ['read'], folders: [''], hide: [] } as const;
    const { ask, enter, halves } = await openConsoleDoor({ scopes });
    const headers = halves(await enter());
    const response = await ask('/c/api/undo', { method: 'POST', headers, body: {} });
    expect([response.status, await codeOf(response)]).toEqual([403, 'forbidden']);
  });

  it('is answered by the program otherwise, for the vault that is named', async () => {
    const { ask, enter, halves } = await openConsoleDoor();
    const headers = halves(await enter());
    const body = { says: 'deny' };
    const path = '/c/api/questions/q1?vault=Work';
    const response = await ask(path, { method: 'POST', headers, body });
    expect(await response.json()).toEqual({
      own: 'answer-question',
      id: 'q1',
      body,
      vault: 'Work',
    });
    const gone = await ask('/c/api/tokens/ab', { method: 'DELETE', headers });
    expect(await gone.json()).toEqual({ own: 'revoke-token', id: 'ab', body: {} });
  });

  it('is a picture that cannot do anything', async () => {
    const { ask, enter, halves } = await openConsoleDoor();
    const response = await ask('/c/api/file?path=a.svg', { headers: halves(await enter()) });
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('never tells the log a key', async () => {
    const { ask, enter, halves, lines } = await openConsoleDoor();
    const { cookie, key } = await enter();
    await ask('/c/api/note?path=Secret.md', { headers: halves({ cookie, key }) });
    const secret = cookie.split(/[=;]/)[1] ?? '';
    for (const word of [key, secret, 'Secret']) expect(lines.join()).not.toContain(word);
  });
});

describe('pages', () => {
  it.each([
    ['/', 303, undefined],
    ['/c', 303, undefined],
    ['/c/', 200, 'no-cache'],
    ['/c/enter', 200, 'no-cache'],
    ['/c/notes/Projects/x.js', 200, 'no-cache'],
    ['/c/main-ABCD1234.js', 200, 'public, max-age=31536000, immutable'],
    ['/c/main-OLD00000.js', 404, 'no-store'],
    ['/c/main-ABCD1234.js.br', 404, 'no-store'],
    ['/c/../index.html', 404, undefined],
  ])('%s: %d', async (path, status, cache) => {
    const { ask } = await openConsoleDoor();
    if (path.includes('..')) {
      expect(isConsolePath(new URL(`http://x${path}`).pathname)).toBe(false);
      return;
    }
    const response = await ask(path);
    expect(response.status).toBe(status);
    if (cache !== undefined) expect(response.headers.get('cache-control')).toBe(cache);
    if (status === 303) expect(response.headers.get('location')).toBe('/c/');
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  it('may do only what the console needs', async () => {
    const { headers } = await (await openConsoleDoor()).ask('/c/activity');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types vaultdoor-worker",
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, br;q=0', null],
    ['gzip', null],
  ])('are compressed when there is such a file: %s', async (accept, encoding) => {
    const { ask } = await openConsoleDoor();
    const response = await ask('/c/main-ABCD1234.js', { headers: { 'accept-encoding': accept } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
  });

  it('say so when they were not built', async () => {
    const response = await (await openConsoleDoor({ files: async () => undefined })).ask('/c/');
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringContaining('npm run build'),
    ]);
  });

  it.each([
    ['localhost:1065', false, 200],
    ['127.0.0.1:1065', false, 200],
    ['notes.example.org', false, 200],
    ['192.168.1.5:1065', false, 403],
    ['nas.lan:1065', false, 403],
    ['nas.lan:1065', true, 200],
  ])('over %s, plain http allowed %s: %d', async (host, allowsPlainHttp, status) => {
    const { ask } = await openConsoleDoor({ allowsPlainHttp });
    expect((await ask('/c/', { host })).status).toBe(status);
    if (status === 200) return;
    expect((await ask('/c/api/me', { host })).status).toBe(403);
  });
});

describe('events', () => {
  it('begin with hello, and end with the sign-in', async () => {
    const opened = await openConsoleDoor();
    const { ask, enter, halves, sessions, tell, listeners } = opened;
    const headers = halves(await enter());
    const response = await ask('/c/api/events', { headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect([listeners.size, opened.door.pages]).toEqual([1, 1]);
    tell({ event: 'change', data: { vault: 'V', at: 8 } });
    tell({ event: 'call', data: { method: 'tools/list', ms: 1, ok: true } });
    tell({ event: 'wrong-token', data: {} });
    await sessions.endAll();
    expect(await response.text()).toBe(
      [
        'retry: 1000\n\n',
        'id: 1\nevent: hello\ndata: {"version":"1.2.3","vaults":[{"vault":"V","at":7}]}\n\n',
        'id: 2\nevent: change\ndata: {"vault":"V","at":8}\n\n',
      ].join(''),
    );
    expect([listeners.size, opened.door.pages]).toEqual([0, 0]);
  });

  it('tell about calls where that was asked for', async () => {
    const { ask, enter, halves, tell, door } = await openConsoleDoor();
    const response = await ask('/c/api/events?calls=1', { headers: halves(await enter()) });
    tell({ event: 'call', data: { method: 'tools/list', ms: 1, ok: true } });
    tell({ event: 'wrong-token', data: {} });
    door.close();
    expect(await response.text()).toMatch(/event: call\n.*\n\n.*\nevent: wrong-token\n/);
  });

  it('tell the pages of a sign-in how far its check is, which may take long', async () => {
    const { ask, enter, halves, door } = await openConsoleDoor();
    const [own, other] = [halves(await enter()), halves(await enter())];
    const streams = await Promise.all(
      [own, other].map((headers) => ask('/c/api/events', { headers })),
    );
    const checked = await ask('/c/api/check', { method: 'POST', headers: own, body: {} });
    expect(await checked.json()).toEqual({ deadlineMs: limits.consoleCheckMs });
    door.close();
    const [heard, silent] = await Promise.all(streams.map((stream) => stream.text()));
    expect(heard).toContain('event: check\ndata: {"done":1}\n');
    expect(heard).toContain('event: check\ndata: {"done":2,"total":3}\n');
    expect(silent).not.toContain('event: check');
  });

  it('tell a second page how things are', async () => {
    const { ask, enter, halves, tell, door } = await openConsoleDoor();
    const headers = halves(await enter());
    await ask('/c/api/events', { headers });
    tell({ event: 'question', data: { vault: 'V', open: 1, proposals: 0 } });
    tell({ event: 'question', data: { vault: 'V', open: 2, proposals: 0 } });
    tell({ event: 'change', data: { vault: 'V', at: 8 } });
    const response = await ask('/c/api/events', { headers });
    door.close();
    const events = Array.from((await response.text()).matchAll(/event: (.*)\ndata: (.*)/g));
    expect(events.map(([, event, data]) => [event, JSON.parse(data ?? '')])).toEqual([
      ['hello', expect.anything()],
      ['question', { vault: 'V', open: 2, proposals: 0 }],
    ]);
  });

  it('are not for too many pages, and a page that leaves makes room', async () => {
    const { ask, enter, halves } = await openConsoleDoor();
    const headers = halves(await enter());
    const streams: Response[] = [];
    for (let count = 0; count < limits.consoleStreamsMax; count++) {
      streams.push(await ask('/c/api/events', { headers }));
    }
    const refused = await ask('/c/api/events', { headers });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    await streams[0]?.body?.cancel();
    expect((await ask('/c/api/events', { headers })).status).toBe(200);
  });
});

it('takes large bodies of the owner alone', async () => {
  const { door, enter, halves } = await openConsoleDoor();
  const bytes = (headers: Record<string, string>, method = 'POST', path = '/c/api/undo') =>
    door.bodyBytesMax({
      method,
      path,
      headers: new Headers({ host: 'localhost:1065', ...headers }),
      address: '',
    });
  const own = halves(await enter());
  const asked = [bytes(own), bytes({}), bytes(own, 'GET'), bytes(own, 'POST', '/c/')];
  expect(await Promise.all(asked)).toEqual([
    limits.consoleBodyBytesMax,
    limits.consoleStrangerBodyBytesMax,
    0,
    0,
  ]);
});

it('puts refusals of the listener into the format of the path', async () => {
  const { door } = await openConsoleDoor();
  const refusal = { status: 413, message: 'Too much <b>.' };
  expect(await door.refusal('/c/api/undo', refusal).json()).toMatchObject({
    error: { code: 'too_large', message: 'Too much <b>.' },
  });
  expect(await door.refusal('/c/', refusal).text()).toContain('Too much &#60;b&#62;.');
});
