import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import {
  allowed,
  claude,
  errorOf,
  GrantsServer,
  tokensOf,
} from '../../../test/support/grants-server.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import type { Allowed, Grant } from '../ports/oauth-book.ts';
import type { Grants } from './grants.ts';
import { type Issuer, issuerOf } from './issuer.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

const onlyGrant = async (server: GrantsServer): Promise<Grant> =>
  (await server.book.grants())[0] as Grant;

describe('a grant', () => {
  it('caps the lifetime of its tokens, and ends', async () => {
    const server = new GrantsServer();
    const endsMs = server.nowMs + 30 * hour;
    const first = await server.signIn({ allowed: { ...allowed, endsMs } });
    server.nowMs += 20 * hour;
    const next = tokensOf(await server.refresh(first.refresh));
    expect([first.seconds, next.seconds]).toEqual([86_400, 36_000]);
    server.nowMs = endsMs - 1;
    expect(await server.state(next.access)).toBe('in');
    server.nowMs = endsMs;
    expect(await server.state(next.access)).toBe('ended');
    expect(errorOf(await server.refresh(next.refresh))).toBe('invalid_grant');
    expect(await server.grants.list()).toEqual([]);
    expect(await server.grants.listEnded()).toMatchObject([{ ended: { why: 'expired' } }]);
  });

  it('ends when it is not refreshed for long', async () => {
    const server = new GrantsServer();
    const { refresh } = await server.signIn();
    server.nowMs += limits.grantIdleMs - 1;
    const next = tokensOf(await server.refresh(refresh));
    server.nowMs += limits.grantIdleMs;
    expect(errorOf(await server.refresh(next.refresh))).toBe('invalid_grant');
    expect(await server.grants.listEnded()).toMatchObject([{ ended: { why: 'idle' } }]);
  });

  it('is changed in place: same id, other rights, and tokens from before go on', async () => {
    const server = new GrantsServer();
    const old = await server.signIn({ allowed: { ...allowed, endsMs: server.nowMs + day } });
    const { id, createdMs } = await onlyGrant(server);
    server.nowMs += hour;
    const wider: Allowed = {
      effects: ['read', 'write', 'destroy'],
      folders: [''],
      tools: ['agent'],
    };
    const next = await server.signIn({ allowed: wider, change: id });
    expect(await server.grants.list()).toMatchObject([{ id, createdMs, ...wider }]);
    expect(await onlyGrant(server)).not.toHaveProperty('endsMs');
    for (const { access } of [old, next]) {
      expect(await server.find(access)).toMatchObject({ id, effects: wider.effects });
    }
    expect(errorOf(await server.refresh(old.refresh))).toBe('ok');
  });

  it.each<[string, (server: GrantsServer, id: string) => Promise<unknown>, number]>([
    ['of another client is not changed', async () => undefined, 2],
    ['that has ended is not changed', (server, id) => server.grants.end(id, 'revoked'), 1],
  ])('%s: a new one is made', async (what, before, live) => {
    const server = new GrantsServer();
    await server.signIn();
    const { id } = await onlyGrant(server);
    await before(server, id);
    const client = what.includes('another') ? { ...claude, id: 'other' } : claude;
    await server.signIn({ client, change: id });
    expect(await server.grants.list()).toHaveLength(live);
    expect((await server.grants.list()).at(-1)?.id).not.toBe(id);
  });

  it('that ends before its change is fetched stays ended', async () => {
    const server = new GrantsServer();
    await server.signIn();
    const { id } = await onlyGrant(server);
    const code = await server.code({ change: id });
    await server.grants.end(id, 'revoked');
    expect(errorOf(await server.exchange(code))).toBe('invalid_grant');
    expect(await server.grants.isAlive(id)).toBe(false);
  });

  it('is refused when there are too many, until one ends', async () => {
    const server = new GrantsServer();
    await server.signIn();
    const first = await onlyGrant(server);
    for (let at = 1; at < limits.grantsMax - 1; at++) {
      const id = `g${at.toString(16).padStart(16, '0')}`;
      await server.book.change(id, () => ({ keep: { ...first, id }, answer: undefined }));
    }
    const last = await server.code();
    expect(await failureOf(server.code())).toMatchObject({ code: 'too_large' });
    expect(errorOf(await server.exchange(last))).toBe('ok');
    expect(await failureOf(server.code())).toMatchObject({ code: 'too_large' });
    expect(await server.code({ change: first.id })).toMatch(/^vdk_/);
    await server.grants.end(first.id, 'revoked');
    expect(await server.code()).toMatch(/^vdk_/);
  });

  it.each([
    ['revoked', /owner has disconnected this app/],
    ['client', /ended its connection itself/],
    ['replayed', /unknown, was used, or is too old/],
  ] as const)('that was ended (%s) says so when its token is refreshed', async (why, says) => {
    const server = new GrantsServer();
    const { refresh } = await server.signIn();
    await server.grants.end((await onlyGrant(server)).id, why);
    expect(await server.refresh(refresh)).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringMatching(says),
    });
  });

  it('is forgotten a week after it has ended', async () => {
    const server = new GrantsServer();
    const { access } = await server.signIn();
    await server.grants.end((await onlyGrant(server)).id, 'revoked');
    server.nowMs += limits.endedTokenMs - 1;
    await server.code();
    expect(await server.state(access)).toBe('ended');
    server.nowMs += 1;
    await server.code();
    expect(await server.state(access)).toBe('unknown');
    expect(await server.book.grants()).toEqual([]);
  });
});

describe('an access token', () => {
  it('says whom it lets in, and to what', async () => {
    const server = new GrantsServer();
    const { access } = await server.signIn();
    const { id } = await onlyGrant(server);
    expect(await server.find(access)).toMatchObject({ id, ...allowed });
    expect(await server.state('vda_unknown')).toBe('unknown');
  });

  it.each<[string, Partial<ConstructorParameters<typeof Grants>[0]>, 'in' | 'ended']>([
    ['another vault', { vaults: ['/home/me/work'] }, 'ended'],
    ['one vault more', { vaults: ['/home/me/notes', '/home/me/work'] }, 'ended'],
    ['another address', { issuers: [issuerOf('https://b.example') as Issuer] }, 'ended'],
    [
      'one address more',
      {
        issuers: ['https://b.example', 'https://vault.example.com'].map(
          (url) => issuerOf(url) as Issuer,
        ),
      },
      'in',
    ],
    ['the same vault twice', { vaults: ['/home/me/notes', '/home/me/notes'] }, 'in'],
  ])('at a server with %s', async (_, parts, state) => {
    const server = new GrantsServer();
    const { access, refresh } = await server.signIn();
    const { id } = await onlyGrant(server);
    server.restart(parts);
    expect(await server.state(access)).toBe(state);
    expect(await server.grants.isAlive(id)).toBe(state === 'in');
    expect(await server.grants.liveOf(claude.id)).toHaveLength(state === 'in' ? 1 : 0);
    expect(await server.grants.list()).toHaveLength(1);
    expect(errorOf(await server.refresh(refresh))).toBe(state === 'in' ? 'ok' : 'invalid_grant');
    server.restart();
    expect(await server.state(access)).toBe('in');
  });

  it('holds for a day, and no longer when the clock is set back', async () => {
    const server = new GrantsServer();
    const { access } = await server.signIn();
    server.nowMs += day - 1;
    expect(await server.state(access)).toBe('in');
    server.nowMs -= 2 * hour;
    expect(await server.state(access)).toBe('in');
    server.nowMs += 1;
    expect(await server.state(access)).toBe('ended');
    server.nowMs -= 10 * day;
    expect(await server.state(access)).toBe('ended');
    server.restart();
    expect(await server.state(access)).toBe('ended');
  });

  it('is marked as used once, and the grant every hour', async () => {
    let writes = 0;
    const server = new GrantsServer();
    const { change } = server.book;
    const counting: typeof change = (id, decide) =>
      change(id, (grant) => {
        const decided = decide(grant);
        if (decided.keep !== undefined) writes += 1;
        return decided;
      });
    const { access } = await server.signIn();
    Object.assign(server.book, { change: counting });
    const usedMs = server.nowMs;
    await Promise.all([server.find(access), server.find(access), server.find(access)]);
    server.nowMs += hour - 1;
    await server.find(access);
    expect(writes).toBe(1);
    expect(await onlyGrant(server)).toMatchObject({ usedMs, pairs: [{ usedMs }] });
    server.nowMs += 1;
    await server.find(access);
    await server.find(access);
    expect(writes).toBe(2);
    expect(await onlyGrant(server)).toMatchObject({ usedMs: usedMs + hour, pairs: [{ usedMs }] });
  });

  it('lets in while the time of the last use cannot be written', async () => {
    const server = new GrantsServer();
    const { access } = await server.signIn();
    await server.find(access);
    server.nowMs += hour;
    const full = new VaultError('io_failed', 'The disk is full.');
    Object.assign(server.book, { change: () => Promise.reject(full) });
    expect(await server.state(access)).toBe('in');
  });
});

describe('a refresh token', () => {
  it.each<[string, Partial<Parameters<Grants['refresh']>[0]>, string, string]>([
    ['of the client', {}, 'ok', 'vault:read vault:write'],
    ['with fewer rights', { scope: 'vault:read' }, 'ok', 'vault:read'],
    ['with unknown rights', { scope: 'claudeai' }, 'ok', 'vault:read vault:write'],
    ['with more rights', { scope: 'vault:read vault:delete' }, 'invalid_scope', ''],
    ['of another client', { client: 'evil' }, 'invalid_grant', ''],
    [
      'for its resource',
      { resource: ['https://vault.example.com/mcp/'] },
      'ok',
      'vault:read vault:write',
    ],
    ['for another resource', { resource: ['https://evil.example/mcp'] }, 'invalid_target', ''],
  ])('%s', async (_, sent, error, scope) => {
    const server = new GrantsServer();
    const { access, refresh } = await server.signIn();
    const answer = await server.refresh(refresh, sent);
    expect(errorOf(answer)).toBe(error);
    if (error === 'ok') expect(tokensOf(answer).scope).toBe(scope);
    // Nothing is revoked, and the token can still be used.
    expect(await server.state(access)).toBe('in');
    expect(errorOf(await server.refresh(refresh))).toBe('ok');
  });

  it('that asked for less gives less, and the next one all again', async () => {
    const server = new GrantsServer();
    const { refresh } = await server.signIn();
    const less = tokensOf(await server.refresh(refresh, { scope: 'vault:read' }));
    expect(await server.find(less.access)).toMatchObject({ effects: ['read'] });
    const all = tokensOf(await server.refresh(less.refresh));
    expect(await server.find(all.access)).toMatchObject({ effects: ['read', 'write'] });
  });

  it('is no access token, and an access token no refresh token', async () => {
    const server = new GrantsServer();
    const { access, refresh } = await server.signIn();
    expect(await server.state(refresh)).toBe('unknown');
    expect(errorOf(await server.refresh(access))).toBe('invalid_grant');
    expect(errorOf(await server.refresh('vd_static'))).toBe('invalid_grant');
    expect(await server.state(access)).toBe('in');
  });

  it('that is replayed ends the grant and is told', async () => {
    const server = new GrantsServer();
    const first = await server.signIn();
    const stolen = tokensOf(await server.refresh(first.refresh));
    await server.find(stolen.access);
    server.nowMs += limits.refreshGraceMs + 1;
    expect(errorOf(await server.refresh(first.refresh))).toBe('invalid_grant');
    expect(await server.state(stolen.access)).toBe('ended');
    expect(errorOf(await server.refresh(stolen.refresh))).toBe('invalid_grant');
    expect(server.events).toEqual(['Claude: an old refresh token was shown again']);
    expect(await server.grants.listEnded()).toMatchObject([{ ended: { why: 'replayed' } }]);
  });

  it.each<[string, number]>([
    ['at once', 0],
    ['after the grace', limits.refreshGraceMs + 1],
    ['a month later', 30 * day],
  ])('survives a crash between write and answer, and is shown again %s', async (_, waitMs) => {
    const server = new GrantsServer();
    const { access, refresh } = await server.signIn();
    await server.find(access);
    await server.refresh(refresh); // Nobody gets this answer.
    server.restart();
    server.nowMs += waitMs;
    const next = tokensOf(await server.refresh(refresh));
    expect(await server.state(next.access)).toBe('in');
    server.nowMs += hour;
    expect(errorOf(await server.refresh(next.refresh))).toBe('ok');
  });
});

describe('revoking', () => {
  it.each<[string, 'access' | 'refresh', string, 'in' | 'ended']>([
    ['an access token ends the grant', 'access', claude.id, 'ended'],
    ['a refresh token ends the grant', 'refresh', claude.id, 'ended'],
    ["another client's token does nothing", 'refresh', 'evil', 'in'],
  ])('%s', async (_, which, client, state) => {
    const server = new GrantsServer();
    const tokens = await server.signIn();
    await server.grants.revokeToken({ client, token: tokens[which] });
    await server.grants.revokeToken({ client, token: 'vd_static' });
    expect(await server.state(tokens.access)).toBe(state);
    expect((await onlyGrant(server)).ended?.why).toBe(state === 'in' ? undefined : 'client');
  });

  it('by id ends one grant, once', async () => {
    const server = new GrantsServer();
    const [one, other] = [await server.signIn(), await server.signIn()];
    const { id } = await onlyGrant(server);
    expect(await server.grants.isAlive(id)).toBe(true);
    const { folders } = await onlyGrant(server);
    expect(await server.grants.isAlive(id, folders)).toBe(true);
    expect(await server.grants.isAlive(id, [...folders, vaultFolder('Elsewhere')])).toBe(false);
    expect(await server.grants.end(id, 'revoked')).toMatchObject({ id, ended: { why: 'revoked' } });
    expect(await server.grants.end(id, 'revoked')).toBeUndefined();
    expect(await server.grants.end('g0', 'revoked')).toBeUndefined();
    expect(await server.grants.isAlive(id)).toBe(false);
    expect(await server.state(one.access)).toBe('ended');
    expect(await server.state(other.access)).toBe('in');
    expect(server.events).toEqual(['Claude: connection ended: revoked']);
  });
});
