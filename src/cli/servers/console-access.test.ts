import { describe, expect, it } from 'vitest';
import { memoryOAuthBook } from '../../../test/support/memory-oauth-book.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { testCaller } from '../../../test/support/written-vault.ts';
import type { ReadEntry, ReadFilter } from '../../engine/ports/read-log.ts';
import { nodeOAuthCrypto } from '../../node/oauth/node-oauth-crypto.ts';
import { openTokenBook } from '../../node/server/token-book.ts';
import { Grants } from '../../oauth/grants/grants.ts';
import { accessAnswers } from './console-access.ts';

const read: ReadEntry = {
  timeMs: 5,
  tool: 'read_note',
  paths: ['A.md'],
  bytes: 3,
  door: 'mcp-http',
  token: 't1',
};

function openAccess() {
  const folder = tempFolder({});
  const book = openTokenBook({
    folders: async () => [folder],
    alone: (_, work) => work(),
    nowMs: Date.now,
  });
  const grants = new Grants({
    book: memoryOAuthBook(),
    crypto: nodeOAuthCrypto,
    nowMs: Date.now,
    vaults: [],
    issuers: [],
    accessMs: 0,
  });
  const open = new Set(['c1', 'c2']);
  const filters: ReadFilter[] = [];
  const answers = accessAnswers({
    book,
    grants,
    mcp: {
      openSessions: () =>
        [...open].map((connection) => ({
          connection,
          client: 'cursor/1',
          token: 't1',
          beganMs: 1,
          usedMs: 2,
          isConnected: true,
        })),
      endSession: async (connection) => open.delete(connection),
    },
    reads: () => ({
      entries: async (filter) => {
        filters.push(filter);
        return { items: [read], more: false, isEmpty: false };
      },
    }),
    names: async () => new Map([['t1', 'laptop']]),
    lastCalls: async () => {
      const ids = (await book.list()).map(({ id }) => id);
      return new Map(ids.map((id) => [id, { timeMs: 7, client: 'cursor/1' }]));
    },
  });
  const ask = async (
    what: keyof typeof answers,
    given: { id?: string; body?: object; query?: string } = {},
  ): Promise<object> =>
    answers[what]({
      id: given.id ?? '',
      query: new URLSearchParams(given.query),
      body: { ...given.body },
      caller: { ...testCaller(), door: 'console' },
      session: { id: 's', sinceMs: 0, usedMs: 0 },
      site: { origin: 'http://localhost:1065', kind: 'local' },
    });
  return { ask, book, filters };
}

describe('tokens', () => {
  it('are made, listed with their last call, and revoked', async () => {
    const { ask, book } = openAccess();
    const body = {
      name: ' laptop ',
      effects: ['write', 'read', 'read'],
      folders: ['Work', 'Work'],
    };
    const made = (await ask('create-token', { body })) as { token: string; kept: { id: string } };
    expect(made).toMatchObject({
      token: expect.stringMatching(/^vd_/),
      kept: { name: 'laptop', effects: ['read', 'write'], folders: ['Work'] },
    });
    const { id } = made.kept;
    const listed = await ask('tokens');
    expect(listed).toMatchObject({ tokens: [{ id, lastCall: { timeMs: 7 } }] });
    expect(JSON.stringify(listed)).not.toContain('sha256');
    await expect(ask('revoke-token', { id: 'laptop' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await ask('revoke-token', { id });
    expect(await book.list()).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['without a name', { effects: ['read'] }, 'invalid_input'],
    ['with a blank name', { name: '  ', effects: ['read'] }, 'invalid_input'],
    ['with an invisible name', { name: 'a\u202eb', effects: ['read'] }, 'invalid_input'],
    ['that cannot read', { name: 'a', effects: ['write'] }, 'invalid_input'],
    ['with other rights', { name: 'a', effects: ['read', 'all'] }, 'invalid_input'],
    ['with other tools', { name: 'a', effects: ['read'], tools: ['console'] }, 'invalid_input'],
    ['that has expired', { name: 'a', effects: ['read'], expiresMs: 1 }, 'invalid_input'],
    ['for a hidden folder', { name: 'a', effects: ['read'], folders: ['.obsidian'] }, 'forbidden'],
    ['for all around', { name: 'a', effects: ['read'], folders: ['../x'] }, 'outside_vault'],
  ])('are not made %s', async (_, body, code) => {
    const { ask, book } = openAccess();
    await expect(ask('create-token', { body })).rejects.toMatchObject({ code });
    expect(await book.list()).toEqual([]);
  });
});

it('lists open sessions by the names of their tokens, and ends them', async () => {
  const { ask } = openAccess();
  expect(await ask('open-sessions')).toMatchObject({
    sessions: [{ id: 'c2', client: 'cursor/1', tokenName: 'laptop' }, { id: 'c1' }],
  });
  await ask('end-session', { id: 'c2' });
  expect(await ask('open-sessions')).toMatchObject({ sessions: [{ id: 'c1' }] });
  await expect(ask('end-session', { id: 'c2' })).rejects.toMatchObject({ code: 'not_found' });
});

it('lists what was read, as it was asked for', async () => {
  const { ask, filters } = openAccess();
  const query = 'client=cur&path=Work&since=100&limit=5';
  expect(await ask('reads', { query })).toEqual({
    reads: [{ ...read, tokenName: 'laptop' }],
    more: false,
    isEmpty: false,
  });
  expect(filters).toEqual([{ client: 'cur', path: 'Work', sinceMs: 100, limit: 5 }]);
  for (const wrong of ['limit=0', 'limit=many', 'since=x', 'order=up']) {
    await expect(ask('reads', { query: wrong })).rejects.toMatchObject({ code: 'invalid_input' });
  }
});

it('ends only connections that are there', async () => {
  const { ask } = openAccess();
  expect(await ask('grants')).toEqual({ grants: [] });
  await expect(ask('end-grant', { id: 'g0' })).rejects.toMatchObject({ code: 'not_found' });
});
