// An address with a path, behind a proxy that takes the path away and behind one that keeps it.
import { join } from 'node:path';
import process from 'node:process';
import { check } from '../outside-programs.mjs';
import { freePorts } from './caddy.mjs';
import { McpRemoteConnector } from './mcp-remote-connector.mjs';
import { OwnerBrowser } from './owner-browser.mjs';
import { SdkConnector } from './sdk-connector.mjs';

/** Clients sign in at each of the addresses, and the doctor finds nothing wrong. */
export async function tryBelow({ server, context, passphrase, sites, home }) {
  const ca = { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS };
  const choices = { rights: 'read', days: '1', grant: 'new' };
  const [port] = await freePorts(1);
  for (const { site, below } of sites) {
    const owner = new OwnerBrowser({ context, site: new URL(site).origin, passphrase });
    const given = { url: `${site}/mcp`, owner, choices };
    const clients = [new SdkConnector({ ...given, redirectUrl: 'http://127.0.0.1:1/below' })];
    if (below === 'strip') {
      const env = { PATH: process.env.PATH, ...ca };
      clients.push(new McpRemoteConnector({ ...given, env, home: join(home, 'below'), port }));
    }
    for (const client of clients) {
      await client.signIn();
      const text = await client.call();
      await client.stop();
      const what = `an address with a path (${below}), ${client.constructor.name}`;
      check(`${what}: signs in`, text.includes('Hello, future me.'), text);
    }
    const seen = await server.command(['doctor', '--public-url', site], '', ca);
    check(`an address with a path (${below}): the doctor agrees`, seen.code === 0, seen);
  }
}
