import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import {
  allowed,
  callback,
  claude,
  errorOf,
  GrantsServer,
  tokensOf,
  verifier,
} from '../../../test/support/grants-server.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Grant } from '../ports/oauth-book.ts';
import type { Grants } from './grants.ts';

const day = 24 * 3_600_000;

const onlyGrant = async (server: GrantsServer): Promise<Grant> =>
  (await server.book.grants())[0] as Grant;

describe('a code', () => {
  it('is exchanged for tokens, and only then there is a grant', async () => {
    const server = new GrantsServer();
    const folders = [vaultPath('Work')];
    const code = await server.code({ allowed: { ...allowed, folders } });
    expect(code).toMatch(/^vdk_[\w-]{43}$/);
    expect(await server.grants.list()).toEqual([]);
    expect(await server.exchange(code)).toEqual({
      access_token: expect.stringMatching(/^vda_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 86_400,
      refresh_token: expect.stringMatching(/^vdr_[\w-]{43}$/),
      scope: 'vault:read vault:write',
    });
    expect(await server.grants.list()).toEqual([
      {
        id: expect.stringMatching(/^g[0-9a-f]{16}$/),
        client: claude,
        effects: ['read', 'write'],
        folders,
        tools: ['notes'],
        vaults: ['/home/me/notes'],
        resource: 'https://vault.example.com/mcp',
        createdMs: server.nowMs,
        pairs: [expect.objectContaining({ madeMs: server.nowMs })],
      },
    ]);
  });

  it('leaves neither code nor tokens in the book', async () => {
    const server = new GrantsServer();
    const code = await server.code();
    const { access, refresh } = tokensOf(await server.exchange(code));
    const kept = JSON.stringify(await server.book.grants());
    for (const secret of [code, access, refresh]) expect(kept).not.toContain(secret.slice(4));
  });

  type Sent = Partial<Parameters<Grants['exchange']>[0]>;
  it.each<[string, Sent, string, string]>([
    // What is wrong, what is sent, the answer, and what the right request gets afterwards.
    ['another client', { client: 'evil' }, 'invalid_grant', 'invalid_grant'],
    ['another address', { redirectUri: `${callback}/` }, 'invalid_grant', 'invalid_grant'],
    ['a wrong verifier', { verifier: 'x'.repeat(43) }, 'invalid_grant', 'invalid_grant'],
    ['a short verifier', { verifier: 'x' }, 'invalid_grant', 'invalid_grant'],
    ['an empty verifier', { verifier: '' }, 'invalid_grant', 'invalid_grant'],
    ['another resource', { resource: ['https://evil.example/mcp'] }, 'invalid_target', 'ok'],
    ['a code that is unknown', { code: 'vdk_x' }, 'invalid_grant', 'ok'],
    ['its resource', { resource: ['https://vault.example.com'] }, 'ok', 'invalid_grant'],
  ])('with %s', async (_, sent, first, then) => {
    const server = new GrantsServer();
    const code = await server.code();
    expect(errorOf(await server.exchange(code, sent))).toBe(first);
    expect(errorOf(await server.exchange(code))).toBe(then);
    expect(await server.grants.list()).toHaveLength(first === 'ok' || then === 'ok' ? 1 : 0);
  });

  it('needs the verifier, but not the address once more', async () => {
    const server = new GrantsServer();
    const bare = { client: claude.id, code: await server.code() };
    expect(errorOf(await server.grants.exchange(bare))).toBe('invalid_grant');
    const proven = { client: claude.id, code: await server.code(), verifier };
    expect(errorOf(await server.grants.exchange(proven))).toBe('ok');
  });

  it.each<[string, number, string]>([
    ['holds for a minute', limits.codeMs - 1, 'ok'],
    ['ends then', limits.codeMs, 'invalid_grant'],
  ])('%s', async (_, waitMs, error) => {
    const server = new GrantsServer();
    const code = await server.code();
    server.nowMs += waitMs;
    expect(errorOf(await server.exchange(code))).toBe(error);
  });

  it('ends although the clock is set back', async () => {
    const server = new GrantsServer();
    const code = await server.code();
    server.nowMs += limits.codeMs - 1;
    await server.grants.list();
    server.nowMs -= day;
    await server.grants.list();
    server.nowMs += 1;
    expect(errorOf(await server.exchange(code))).toBe('invalid_grant');
  });

  it('ends with a restart', async () => {
    const server = new GrantsServer();
    const code = await server.code();
    server.restart();
    expect(errorOf(await server.exchange(code))).toBe('invalid_grant');
  });

  it.each<[string, number, Sent, 'in' | 'ended']>([
    ['is only a repeated request soon afterwards', limits.codeRetryMs, {}, 'in'],
    ['ends the grant later', limits.codeRetryMs + 1, {}, 'ended'],
    ['ends the grant at once with another verifier', 0, { verifier: 'x'.repeat(43) }, 'ended'],
    ['ends the grant at once without a verifier', 0, { verifier: '' }, 'ended'],
    ['ends the grant at once from another client', 0, { client: 'evil' }, 'ended'],
    ['ends the grant as long as it is remembered', limits.usedCodeMs - 1, {}, 'ended'],
    ['is unknown when it is forgotten', limits.usedCodeMs, {}, 'in'],
  ])('shown again %s', async (_, waitMs, sent, state) => {
    const server = new GrantsServer();
    const code = await server.code();
    const { access, refresh } = tokensOf(await server.exchange(code));
    server.nowMs += waitMs;
    expect(errorOf(await server.exchange(code, sent))).toBe('invalid_grant');
    expect(await server.state(access)).toBe(state);
    expect(errorOf(await server.refresh(refresh))).toBe(state === 'in' ? 'ok' : 'invalid_grant');
    expect((await onlyGrant(server)).ended?.why).toBe(state === 'in' ? undefined : 'replayed');
  });

  it('shown many times at the same moment gives tokens once', async () => {
    const server = new GrantsServer();
    const code = await server.code();
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.exchange(code)));
    expect(answers.map(errorOf).filter((error) => error === 'ok')).toHaveLength(1);
    expect(await server.grants.list()).toHaveLength(1);
  });

  it('shown by a thief while the grant is being written ends it', async () => {
    const server = new GrantsServer();
    const code = await server.code();
    const [mine, stolen] = await Promise.all([
      server.exchange(code),
      server.exchange(code, { client: 'evil' }),
    ]);
    expect([errorOf(mine), errorOf(stolen)]).toEqual(['ok', 'invalid_grant']);
    expect(await server.state(tokensOf(mine).access)).toBe('ended');
  });

  it('can be used after all when the book could not be written', async () => {
    const server = new GrantsServer();
    const { change } = server.book;
    const code = await server.code();
    const full = new VaultError('io_failed', 'The disk is full.');
    Object.assign(server.book, { change: () => Promise.reject(full) });
    expect(await failureOf(server.exchange(code))).toBe(full);
    Object.assign(server.book, { change });
    expect(errorOf(await server.exchange(code))).toBe('ok');
  });
});
