import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { allScopes, type Visitor } from '../base/caller.ts';
import { limits } from '../base/limits.ts';
import { FrontDoor } from './front-door.ts';
import type { Refusal, RequestHead } from './http-handler.ts';

type FrontDoorOptions = ConstructorParameters<typeof FrontDoor>[0];

const url = 'https://notes.example.org';
const Host = 'notes.example.org';
const challenge = 'Bearer realm="vaultdoor", resource_metadata="…"';
const grant = { id: 'g0123456789abcdef', scopes: { effects: ['read'], folders: [''] } } as const;

/** A book with these tokens; the hashes are looked up. */
function bookOf(
  tokens: Readonly<Record<string, Awaited<ReturnType<FrontDoorOptions['book']['find']>>>>,
): FrontDoorOptions['book'] {
  const byHash = new Map(
    Object.entries(tokens).map(([token, found]) => [
      createHash('sha256').update(token).digest('hex'),
      found,
    ]),
  );
  return { find: async (sha256) => byHash.get(Buffer.from(sha256).toString('hex')) };
}

function frontDoor(): FrontDoor {
  return new FrontDoor({
    allowHosts: [],
    publicUrls: [url],
    tokens: 'asked',
    book: bookOf({ vd_static: { id: 'static', scopes: allScopes }, vd_old: 'ended' }),
    signIn: {
      prefix: 'vda_',
      book: bookOf({
        vda_now: { ...grant, tools: ['notes'] },
        vda_old: 'ended',
        vd_static: 'ended',
      }),
      challenge: ({ host }, error) =>
        host === Host ? `${challenge}${error ? `, error="${error}"` : ''}` : undefined,
    },
    scopes: allScopes,
    nowMs: () => 0,
  });
}

function head(headers: Readonly<Record<string, string>>): RequestHead {
  const all = new Headers({ Host: 'localhost:1065', ...headers });
  return { method: 'POST', path: '/mcp', headers: all, address: '127.0.0.1' };
}

/** The status, or `in` with the token or grant that it came with. */
function said(answer: Refusal | Visitor): string | number {
  return 'status' in answer ? answer.status : `in by ${answer.token}`;
}

describe('a client that has signed in', () => {
  it.each<[string, Record<string, string>, string | number]>([
    ['comes in by its grant', { Host, Authorization: 'Bearer vda_now' }, `in by ${grant.id}`],
    ['and under other names too', { Authorization: 'Bearer vda_now' }, `in by ${grant.id}`],
    ['not with an ended token', { Host, Authorization: 'Bearer vda_old' }, 401],
    ['not with an unknown token', { Host, Authorization: 'Bearer vda_x' }, 401],
    ['while static tokens go on', { Host, Authorization: 'Bearer vd_static' }, 'in by static'],
  ])('%s', async (_what, headers, answer) => {
    expect(said(await frontDoor().admit(head(headers)))).toBe(answer);
  });

  it('has the toolsets of its grant', async () => {
    const visitor = await frontDoor().admit(head({ Host, Authorization: 'Bearer vda_now' }));
    expect(visitor).toMatchObject({ token: grant.id, tools: ['notes'], scopes: grant.scopes });
  });
});

describe('a client that has not', () => {
  it.each<[string, Record<string, string>, string]>([
    ['is told where, under a public name', { Host }, challenge],
    ['is not under another name', {}, 'Bearer realm="vaultdoor"'],
    [
      'is told again when its token has ended',
      { Host, Authorization: 'Bearer vda_old' },
      `${challenge}, error="invalid_token"`,
    ],
    [
      'is told only that, under another name',
      { Authorization: 'Bearer vda_old' },
      'Bearer realm="vaultdoor", error="invalid_token"',
    ],
  ])('%s', async (_what, headers, header) => {
    expect(await frontDoor().admit(head(headers))).toMatchObject({
      status: 401,
      headers: { 'WWW-Authenticate': header },
    });
  });
});

it.each(['vda_old', 'vd_old'])(
  'ended tokens (%s) do not count as wrong, however many come from one address',
  async (token) => {
    const door = frontDoor();
    const ended = head({ Host, Authorization: `Bearer ${token}` });
    for (let count = 0; count < 3 * limits.wrongTokensMax; count++) {
      expect(said(await door.admit(ended))).toBe(401);
    }
    expect(said(await door.admit(head({ Host, Authorization: 'Bearer vda_x' })))).toBe(401);
  },
);

it('web pages of every site come in only where that was said', async () => {
  const door = frontDoor();
  const foreign = head({ Host, Origin: 'https://evil.example' });
  expect(said(await door.admit(foreign, { open: true }))).toBe(403);
  expect(said(await door.admit(foreign, { open: true, anyOrigin: true }))).toBe('in by undefined');
  const named = head({ Host: 'evil.example', Origin: 'https://evil.example' });
  expect(said(await door.admit(named, { open: true, anyOrigin: true }))).toBe(403);
});
