// The four clients, each once with a registration of its own and once as Claude Code, whose document
// is built in. All go through the same steps together, because the clock of the server is moved
// between two steps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { check } from '../outside-programs.mjs';
import { freePorts } from './caddy.mjs';
import { InspectorConnector } from './inspector-connector.mjs';
import { McpRemoteConnector } from './mcp-remote-connector.mjs';
import { SdkConnector } from './sdk-connector.mjs';
import { WebApiConnector } from './web-api-connector.mjs';

const claudeCode = 'https://claude.ai/oauth/claude-code-client-metadata';
const dayMs = 24 * 60 * 60_000;
const greeting = 'Hello, future me.';

/** Takes all clients through all steps. */
export async function tryConnectors({ server, owner, home }) {
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS };
  const choices = { rights: 'change', days: '30', grant: 'new' };
  const ports = await freePorts(8);
  const local = (i, host, path) => `http://${host}:${ports[i]}${path}`;
  const given = { url: server.url, owner, choices, env };
  const byDocument = { clientMetadataUrl: claudeCode };
  const document = ['--client-metadata-url', claudeCode];
  const all = [
    ['SDK, registered', new SdkConnector({ ...given, redirectUrl: local(0, 'localhost', '/cb') })],
    [
      'SDK, by document',
      new SdkConnector({
        ...given,
        ...byDocument,
        redirectUrl: local(1, '127.0.0.1', '/callback'),
      }),
    ],
    [
      'oauth4webapi, registered',
      new WebApiConnector({ ...given, redirectUrl: local(2, '127.0.0.1', '/') }),
    ],
    [
      'oauth4webapi, by document',
      new WebApiConnector({
        ...given,
        ...byDocument,
        redirectUrl: local(3, 'localhost', '/callback'),
      }),
    ],
    [
      'mcp-remote, registered',
      new McpRemoteConnector({ ...given, home: join(home, 'remote-1'), port: ports[4] }),
    ],
    [
      'mcp-remote, by document',
      new McpRemoteConnector({
        ...given,
        home: join(home, 'remote-2'),
        port: ports[5],
        more: ['--callback-path', '/callback', ...document],
      }),
    ],
    [
      'Inspector, registered',
      new InspectorConnector({
        ...given,
        home: join(home, 'inspector-1'),
        more: ['--callback-url', local(6, '127.0.0.1', '/oauth/callback')],
      }),
    ],
    [
      'Inspector, by document',
      new InspectorConnector({
        ...given,
        home: join(home, 'inspector-2'),
        more: ['--callback-url', local(7, '127.0.0.1', '/callback'), ...document],
      }),
    ],
  ];
  const only = process.env.ONLY?.split(',');
  const chosen = only ? all.filter(([title]) => only.some((word) => title.includes(word))) : all;
  const each = (what, step, clients = chosen) =>
    Promise.all(
      clients.map(async ([title, client]) => {
        const startMs = Date.now();
        let seen;
        try {
          seen = await step(client, title);
        } catch (error) {
          seen = String(error?.stack ?? error);
        }
        const seconds = ((Date.now() - startMs) / 1000).toFixed(1);
        check(`${title}: ${what} (${seconds} s)`, seen === undefined, seen);
      }),
    );
  await server.command(['connections', 'revoke', '--all']);
  const greets = (text) => (text.includes(greeting) ? undefined : text);

  await each('signs in, and makes its first call', async (client) => {
    await client.signIn();
    return greets(client.first ?? (await client.call()));
  });

  await server.advance(dayMs + 60_000);
  const sessions = new Map(chosen.map(([, client]) => [client, client.session]));
  const asked = new Map(chosen.map(([, client]) => [client, client.asked]));
  await each('refreshes when its token has ended', async (client) => {
    const wrong = greets(await client.call());
    if (wrong !== undefined) return wrong;
    if (sessions.get(client) !== client.session) return 'another session';
    if (client.refreshes !== undefined && client.refreshes !== 1) return client.refreshes;
    return asked.get(client) === client.asked || client.provider ? undefined : 'asked the owner';
  });

  await server.advance(dayMs + 60_000);
  await each('four refreshes at once', async (client) => {
    const texts = await client.four();
    const wrong = texts.find((text) => greets(text) !== undefined);
    if (wrong !== undefined) return wrong;
    return client.refreshes === undefined || client.refreshes === 5 ? undefined : client.refreshes;
  });
  const exchanged = pairsForOneToken(server);
  // mcp-remote may have one more connection, with which it has not refreshed yet.
  const isParallel = exchanged.filter((pairs) => pairs >= 2).length >= chosen.length;
  check(
    `one refresh token of each was exchanged ${exchanged.join(', ')} times`,
    isParallel,
    exchanged,
  );
  await each('and goes on', async (client) => greets(await client.call()));

  // Two days have passed for the server: the owner's session has ended.
  const ownerPage = await owner.signIn();
  const isSelf = (client) => client instanceof WebApiConnector;
  const live = async () => (await listConnections(server)).length;
  const count = chosen.length;
  const listed = await live();
  check(`${count} connections are listed`, listed >= count, await listConnections(server));
  const some = (holds) => chosen.filter(([, client]) => holds(client));
  await each('revokes its token and is out', (client) => client.isOut(), some(isSelf));
  const left = listed - some(isSelf).length;
  check('only what was revoked has ended', (await live()) === left, await listConnections(server));

  for (const { id, name } of await listConnections(server)) {
    if (name !== 'Claude Code') await server.command(['connections', 'revoke', id]);
  }
  await ownerPage.reload();
  await ownerPage.locator('summary', { hasText: 'Disconnect all' }).click();
  await ownerPage.getByRole('button', { name: /^Disconnect all/ }).click();
  await ownerPage.getByText('No app is connected').waitFor();
  check('the shell and the owner have disconnected all', (await live()) === 0, 'some are left');

  await each(
    'is out',
    (client) => client.isOut(),
    some((client) => !isSelf(client)),
  );
  await each('signs in again', (client) => client.again());
  await each('is in again', async (client) => greets(await client.call()));
  check(`${count} connections again`, (await live()) === count, await listConnections(server));
  await ownerPage.close();
  await Promise.all(chosen.map(([, client]) => client.stop()));
}

/** For each connection, how many pairs of tokens were given out for one refresh token, at most. */
function pairsForOneToken(server) {
  const { grants } = JSON.parse(
    readFileSync(join(server.home, 'state', 'vaultdoor', 'oauth.json')),
  );
  const live = grants.filter(({ ended }) => ended === undefined);
  return live.map(({ pairs }) => {
    const counts = new Map();
    for (const { from } of pairs) if (from) counts.set(from, (counts.get(from) ?? 0) + 1);
    return Math.max(0, ...counts.values());
  });
}

async function listConnections(server) {
  const { stdout } = await server.command(['connections', 'list', '--json']);
  return JSON.parse(stdout).connections.map(({ id, client }) => ({ id, name: client.name }));
}
