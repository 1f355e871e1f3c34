import { expect, it } from 'vitest';
import { GrantsServer, type Tokens, tokensOf } from '../../../test/support/grants-server.ts';
import { limits } from '../../base/limits.ts';

const hour = 3_600_000;

// A connector that refreshes every hour for a month: from four processes at once, of which the last
// writer's tokens are kept, with answers that get lost, and with restarts of the server.
it('a connector that refreshes for a month is never asked to sign in again', async () => {
  const server = new GrantsServer();
  let { access, refresh } = await server.signIn();
  let laptop = await server.signIn();
  let pairsMax = 0;
  for (let at = 1; at <= 720; at++) {
    server.nowMs += hour;
    if (at % 50 === 0) server.restart();
    expect(await server.state(access)).toBe('in');
    if (at % 7 === 0) {
      await server.refresh(refresh); // The answer gets lost,
      server.nowMs += limits.refreshGraceMs + 1; // and the client tries again later.
    }
    const atOnce = at % 3 === 0 ? 4 : 1;
    const answers = await Promise.all(
      Array.from({ length: atOnce }, () => server.refresh(refresh)),
    );
    const tokens = answers.map(tokensOf);
    for (const one of tokens) expect(await server.state(one.access)).toBe('in');
    ({ access, refresh } = tokens.at(-1) ?? { access: '', refresh: '' });
    // Another connector of the same book refreshes once a day.
    if (at % 24 === 0) laptop = tokensOf(await server.refresh(laptop.refresh));
    const grants = await server.book.grants();
    pairsMax = Math.max(pairsMax, ...grants.map(({ pairs }) => pairs.length));
    expect(grants).toHaveLength(2);
  }
  expect(pairsMax).toBeLessThanOrEqual(limits.livePairsMax + limits.endedPairsMax);
  expect(JSON.stringify(await server.book.grants()).length).toBeLessThan(150_000);
});

it('connections that are made and revoked for a year leave nothing behind', async () => {
  const server = new GrantsServer();
  let grantsMax = 0;
  for (let at = 0; at < 365; at++) {
    server.nowMs += 24 * hour;
    await server.signIn();
    const [grant] = await server.grants.list();
    if (grant !== undefined) await server.grants.end(grant.id, 'revoked');
    grantsMax = Math.max(grantsMax, (await server.book.grants()).length);
  }
  expect(grantsMax).toBeLessThanOrEqual(8);
});

it('a slow program goes on beside a quick one with the same grant', async () => {
  const server = new GrantsServer();
  const first = await server.signIn();
  let [quick, slow] = (
    await Promise.all([server.refresh(first.refresh), server.refresh(first.refresh)])
  ).map(tokensOf) as [Tokens, Tokens];
  for (let at = 1; at <= 240; at++) {
    server.nowMs += hour;
    quick = tokensOf(await server.refresh(quick.refresh));
    expect(await server.state(quick.access)).toBe('in');
    if (at % 40 === 0) slow = tokensOf(await server.refresh(slow.refresh));
  }
});
