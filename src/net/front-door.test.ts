import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { allScopes, type Scopes, type Visitor } from '../base/caller.ts';
import { limits } from '../base/limits.ts';
import type { VaultFolder } from '../base/vault-path.ts';
import { FrontDoor } from './front-door.ts';
import type { Refusal, RequestHead } from './http-handler.ts';

type FrontDoorOptions = ConstructorParameters<typeof FrontDoor>[0];

const folder = 'work' as VaultFolder;
const tokens: Readonly<Record<string, Pick<Scopes, 'effects' | 'folders'>>> = {
  vd_all: { effects: ['read', 'write', 'destroy'], folders: [''] },
  vd_work: { effects: ['read'], folders: [folder] },
};
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const book: FrontDoorOptions['book'] = {
  find: async (sha256) => {
    const hash = Buffer.from(sha256).toString('hex');
    const found = Object.entries(tokens).find(([token]) => hashOf(token) === hash);
    return found && { id: `id of ${found[0]}`, scopes: found[1] };
  },
};

function frontDoor(options: Partial<FrontDoorOptions> = {}): FrontDoor {
  return new FrontDoor({
    allowHosts: [],
    publicUrls: [],
    tokens: 'optional',
    book,
    scopes: allScopes,
    nowMs: () => 0,
    ...options,
  });
}

function head(
  headers: Readonly<Record<string, string>>,
  more: Partial<RequestHead> = {},
): RequestHead {
  const all = new Headers({ Host: 'localhost:1065', ...headers });
  return { method: 'POST', path: '/mcp', headers: all, address: '127.0.0.1', ...more };
}

/** The status, or `in` with the token that it came with. */
function said(answer: Refusal | Visitor): string | number {
  return 'status' in answer ? answer.status : `in${answer.token ? ` by ${answer.token}` : ''}`;
}

type Row = readonly [
  what: string,
  headers: Readonly<Record<string, string>>,
  answer: string | number,
  options?: Partial<FrontDoorOptions>,
];

function check(rows: readonly Row[]): void {
  for (const [what, headers, answer, options] of rows) {
    it(`${what}: ${answer}`, async () => {
      expect(said(await frontDoor(options).admit(head(headers)))).toBe(answer);
    });
  }
}

const publicly = { publicUrls: ['https://Notes.example.org:8443/mcp'] };

describe('Host', () => {
  check([
    ['localhost', { Host: 'localhost' }, 'in'],
    ['another port', { Host: 'LOCALHOST.:9' }, 'in'],
    ['127.0.0.1', { Host: '127.0.0.1:1065' }, 'in'],
    ['::1', { Host: '[::1]:1065' }, 'in'],
    ['the name of this machine', { Host: `${hostname()}:1065` }, 'in'],
    ['its name on the network', { Host: `${hostname()}.local` }, 'in'],
    ['another name (DNS rebinding)', { Host: 'evil.com:1065' }, 403],
    ['a name that begins right', { Host: 'localhost.evil.com' }, 403],
    ['a name that ends right', { Host: 'evil-localhost' }, 403],
    ['another address', { Host: '203.0.113.7' }, 403],
    ['no name at all', { Host: '' }, 403],
    ['two names', { Host: 'localhost, evil.com' }, 403],
    ['a user before it', { Host: 'localhost@evil.com' }, 403],
    ['a name that is allowed', { Host: 'NAS.lan:1065' }, 'in', { allowHosts: ['nas.LAN.'] }],
    ['an address that is allowed', { Host: '[fd7a::1]' }, 'in', { allowHosts: ['FD7A:0::1'] }],
    ['below a name that is allowed', { Host: 'a.nas.lan' }, 403, { allowHosts: ['nas.lan'] }],
    ['the public one', { Host: 'notes.example.org' }, 'in', publicly],
    ['loopback beside the public one', { Host: '127.0.0.1' }, 'in', publicly],
    ['another beside the public one', { Host: 'example.org' }, 403, publicly],
  ]);

  it('may be missing nowhere', async () => {
    const headers = new Headers();
    expect(said(await frontDoor().admit(head({}, { headers })))).toBe(403);
  });
});

describe('Origin', () => {
  check([
    ['a page on this machine', { Origin: 'http://localhost:6274' }, 'in'],
    ['over TLS', { Origin: 'https://127.0.0.1' }, 'in'],
    ['another site', { Origin: 'https://evil.com' }, 403],
    ['a name that begins right', { Origin: 'http://localhost.evil.com' }, 403],
    ['a user before it', { Origin: 'http://localhost@evil.com' }, 403],
    ['a path behind it', { Origin: 'http://localhost/' }, 403],
    ['null', { Origin: 'null' }, 403],
    ['nothing', { Origin: '' }, 403],
    ['two of them', { Origin: 'http://localhost, http://localhost' }, 403],
    ['another scheme', { Origin: 'chrome-extension://localhost' }, 403],
    ['a file', { Origin: 'file://' }, 403],
    ['one that is allowed', { Origin: 'http://nas.lan:8080' }, 'in', { allowHosts: ['nas.lan'] }],
    ['the public one', { Origin: 'https://notes.example.org:8443' }, 'in', publicly],
    ['the public one without TLS', { Origin: 'http://notes.example.org:8443' }, 403, publicly],
    ['another port of it', { Origin: 'https://notes.example.org' }, 403, publicly],
    [
      'another site with a right token',
      { Origin: 'http://evil.com', Authorization: 'Bearer vd_all' },
      403,
    ],
  ]);
});

describe('forwarded headers', () => {
  const names = [
    'Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Server',
    'X-Real-IP',
    'CF-Connecting-IP',
    'CF-Ray',
    'True-Client-IP',
    'Tailscale-User-Login',
    'X-Forwarded-Port',
    'X-Client-IP',
    'Client-IP',
    'Fly-Client-IP',
    'CDN-Loop',
    'Ngrok-Trace-Id',
    'X-Amzn-Trace-Id',
    'x_forwarded_for',
    'X_Real-IP',
    'CLIENT_IP',
    'Via',
  ];
  check([
    ...names.map((name): Row => [name, { [name]: '' }, 403]),
    ['with a right token', { Via: 'x', Authorization: 'Bearer vd_all' }, 403],
    ['where everybody may come in', { Via: 'x' }, 403, { tokens: 'off' }],
    ['with a public URL', { 'X-Forwarded-For': '203.0.113.7' }, 'in', publicly],
  ]);

  it('say what to do, by a foreign name too', async () => {
    const sent = { Host: 'abc.tunnel.dev', 'x-forwarded-for': '1', 'cf-ray': '2' };
    expect(await frontDoor().admit(head(sent))).toEqual({
      status: 403,
      message:
        'These headers (X-Forwarded-For, CF-Ray) show that a proxy or tunnel forwarded this request. Start the server with --public-url <the address people use>; clients then need a token.',
    });
  });
});

describe('tokens', () => {
  const asked = { tokens: 'asked' } as const;
  const off = { tokens: 'off' } as const;
  check([
    ['none, asked for', {}, 401, asked],
    ['none, optional', {}, 'in'],
    ['none, off', {}, 'in', off],
    ['a right one', { Authorization: 'Bearer vd_all' }, 'in by id of vd_all', asked],
    ['a right one, optional', { Authorization: 'Bearer vd_all' }, 'in by id of vd_all'],
    ['a right one, off', { Authorization: 'Bearer vd_all' }, 'in', off],
    ['written small', { Authorization: 'bearer  vd_all' }, 'in by id of vd_all', asked],
    ['a wrong one', { Authorization: 'Bearer vd_other' }, 401, asked],
    ['a wrong one, optional', { Authorization: 'Bearer vd_other' }, 401],
    ['a wrong one, off', { Authorization: 'Bearer vd_other' }, 'in', off],
    ['a part of one', { Authorization: 'Bearer vd_al' }, 401, asked],
    ['one and more', { Authorization: 'Bearer vd_all vd_all' }, 401, asked],
    ['two headers', { Authorization: 'Bearer vd_all, Bearer vd_all' }, 401, asked],
    ['nothing behind Bearer', { Authorization: 'Bearer ' }, 401, asked],
    ['nothing at all', { Authorization: '' }, 401],
    ['another scheme', { Authorization: 'Basic dmRfYWxs' }, 401, asked],
    ['no scheme', { Authorization: 'vd_all' }, 401, asked],
  ]);

  it('are asked for in a way that clients understand', async () => {
    const door = frontDoor(asked);
    expect(await door.admit(head({}))).toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer realm="vaultdoor"' },
    });
    expect(await door.admit(head({ Authorization: 'Bearer x' }))).toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer realm="vaultdoor", error="invalid_token"' },
    });
  });

  it('give what they allow and the server does too, in their folders', async () => {
    const scopes: Scopes = {
      effects: ['read', 'write'],
      folders: [''],
      hide: ['private/**'],
      hideTags: ['private'],
    };
    const door = frontDoor({ tokens: 'asked', scopes });
    expect(await door.admit(head({ Authorization: 'Bearer vd_all' }))).toEqual({
      scopes: {
        effects: ['read', 'write'],
        folders: [''],
        hide: ['private/**'],
        hideTags: ['private'],
      },
      token: 'id of vd_all',
      address: '127.0.0.1',
    });
    expect(await door.admit(head({ Authorization: 'Bearer vd_work' }))).toMatchObject({
      scopes: { effects: ['read'], folders: ['work'], hide: ['private/**'], hideTags: ['private'] },
    });
  });

  it('are not asked for where nothing of the vault is shown, and nothing is allowed there', async () => {
    const door = frontDoor(asked);
    expect(await door.admit(head({ Authorization: 'Bearer x' }), { open: true })).toEqual({
      scopes: { effects: [], folders: [], hide: [] },
      address: '127.0.0.1',
    });
    expect(said(await door.admit(head({ Host: 'evil.com' }), { open: true }))).toBe(403);
  });

  it('may be wrong so often a minute from one address; right ones always come in', async () => {
    let nowMs = 0;
    let told = 0;
    const onWrongToken = (): void => void told++;
    const door = frontDoor({ tokens: 'asked', nowMs: () => nowMs, onWrongToken });
    const wrong = head({ Authorization: 'Bearer x' });
    for (let count = 0; count < limits.wrongTokensMax; count++) {
      expect(said(await door.admit(wrong))).toBe(401);
    }
    nowMs = 20_000;
    expect(await door.admit(wrong)).toMatchObject({
      status: 429,
      headers: { 'Retry-After': '40' },
    });
    expect(said(await door.admit(head({})))).toBe(401);
    expect(told).toBe(limits.wrongTokensMax);
    expect(said(await door.admit(head({ Authorization: 'Bearer vd_all' })))).toBe(
      'in by id of vd_all',
    );
    expect(
      said(await door.admit(head({ Authorization: 'Bearer x' }, { address: '10.0.0.2' }))),
    ).toBe(401);
    nowMs = 60_000;
    expect(said(await door.admit(wrong))).toBe(401);
  });

  it('let nobody in when the book cannot be read', async () => {
    const unreadable: FrontDoorOptions['book'] = {
      find: () => Promise.reject(new Error('unreadable')),
    };
    const door = frontDoor({ tokens: 'optional', book: unreadable });
    await expect(door.admit(head({ Authorization: 'Bearer vd_all' }))).rejects.toThrow(
      'unreadable',
    );
  });
});

describe('refusals', () => {
  it('repeat no more of what was sent than a name, cut and on one line', async () => {
    const door = frontDoor({ tokens: 'asked' });
    const heads = [
      head({ Host: `${'a'.repeat(5_000)}.com` }),
      head({ Host: 'a"<b>\tc' }),
      head({ Origin: `http://${'b'.repeat(5_000)}` }),
      head({ Origin: 'http://<i>\t"' }),
      head({ Authorization: 'Bearer vd_secret' }),
      head({ 'X-Forwarded-For': 'secret' }),
    ];
    for (const one of heads) {
      const refusal = await door.admit(one);
      const message = 'status' in refusal ? refusal.message : '';
      expect(message).toMatch(/^[\w "().,:;?\-`<>'/]+\.$/);
      expect(message).not.toMatch(/secret|<i>|<b>|[ab]{101}/);
    }
  });

  it('of options that name no host say so at the start', async () => {
    const rows: readonly [Partial<FrontDoorOptions>, string][] = [
      [{ allowHosts: ['http://nas.lan'] }, '--allow-host'],
      [{ allowHosts: [''] }, '--allow-host'],
      [{ allowHosts: ['*'] }, '--allow-host'],
      [{ publicUrls: ['notes.example.org'] }, '--public-url'],
      [{ publicUrls: ['ftp://notes.example.org'] }, '--public-url'],
      [{ publicUrls: ['https://notes.example.org/?a=b'] }, '--public-url'],
      [{ publicUrls: ['https://me:secret@notes.example.org'] }, '--public-url'],
    ];
    for (const [options, option] of rows) {
      const error = await failureOf((async () => frontDoor(options))());
      expect(error.code).toBe('invalid_input');
      expect(error.message).toContain(option);
    }
  });
});

describe('CORS', () => {
  it('is for pages that may use the server', () => {
    const door = frontDoor(publicly);
    expect(door.corsHeaders(head({ Origin: 'http://localhost:6274' }))).toMatchObject({
      'Access-Control-Allow-Origin': 'http://localhost:6274',
      Vary: 'Origin',
    });
    expect(door.corsHeaders(head({}))).toEqual({});
    expect(door.corsHeaders(head({ Origin: 'https://evil.com' }))).toEqual({});
    expect(door.corsHeaders(head({ Origin: 'null' }))).toEqual({});
  });

  it('lets them send the headers that they ask for', () => {
    const sent = {
      Origin: 'http://localhost',
      'Access-Control-Request-Headers': 'authorization, x-a',
    };
    expect(frontDoor().corsHeaders(head(sent, { method: 'OPTIONS' }))).toMatchObject({
      'Access-Control-Allow-Headers': 'authorization, x-a',
      'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
    });
    const odd = { ...sent, 'Access-Control-Request-Headers': 'a; b' };
    expect(frontDoor().corsHeaders(head(odd, { method: 'OPTIONS' }))).not.toHaveProperty(
      'Access-Control-Allow-Headers',
    );
  });
});
