// A connector that refreshes once a minute for an hour, over the built server, which is restarted in
// the middle. It is never asked to sign in again. With SOAK=1 it refreshes every hour for 29
// days: a session of MCP ends after 30.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { auth } from '@modelcontextprotocol/client';
import { check } from '../outside-programs.mjs';
import { SdkConnector } from './sdk-connector.mjs';

const [steps, stepMs] = process.env.SOAK ? [29 * 24, 60 * 60_000] : [60, 60_000];

export async function tryHour({ server, owner, redirectUrl }) {
  const choices = { rights: 'change', days: '90' };
  const sdk = new SdkConnector({ url: server.url, owner, choices, redirectUrl });
  await sdk.signIn();
  const { session, provider } = sdk;
  const bytes = () => statSync(join(server.home, 'state', 'vaultdoor', 'oauth.json')).size;
  const wrong = [];
  const refresh = async (token) => {
    const answer = await fetch(`${server.site}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: token,
        client_id: provider.client.client_id,
        resource: server.url,
      }),
    });
    const tokens = await answer.json();
    if (answer.status !== 200) wrong.push([answer.status, tokens]);
    return tokens;
  };
  let middle = 0;
  for (let step = 1; step <= steps; step++) {
    await server.advance(stepMs);
    const token = provider.kept.refresh_token;
    // Every tenth time four processes of the client refresh at the same moment, and the last wins.
    const count = step % 10 === 0 ? 4 : 1;
    const all = await Promise.all(Array.from({ length: count }, () => refresh(token)));
    provider.kept = { ...provider.kept, ...all.at(-1) };
    if (step % 6 === 0) await sdk.call().catch((error) => wrong.push(String(error)));
    if (step === steps / 2) {
      await server.stop();
      await refreshWhileAway(server, provider);
      await server.start();
      middle = bytes();
    }
    if (wrong.length > 0) break;
  }
  const text = await sdk.call();
  const isIn = wrong.length === 0 && provider.asked.length === 0 && text.includes('future me');
  check(`${steps} refreshes and a restart: never asked again`, isIn, wrong);
  check('and the same session goes on', sdk.session === session, [session, sdk.session]);
  const isBounded = bytes() < 2 * middle;
  check(`what is kept does not grow without bound: ${bytes()} bytes`, isBounded, middle);
  await sdk.stop();
}

/** Lets the SDK refresh while the proxy cannot reach the server. */
async function refreshWhileAway(server, provider) {
  const before = provider.kept;
  const outcome = await auth(provider, { serverUrl: server.url }).catch(String);
  const isKept = provider.kept === before && provider.asked.length === 0;
  check('while it restarts, the client waits and keeps its tokens', isKept, outcome);
}
