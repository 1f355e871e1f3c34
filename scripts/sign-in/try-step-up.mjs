// A client that may read asks for more when it needs more, and goes on in its session. When it is
// disconnected, its open stream ends.
import { check } from '../outside-programs.mjs';
import { SdkConnector } from './sdk-connector.mjs';

/** Both, with the client of the SDK. */
export async function tryStepUp({ server, owner }) {
  const choices = { rights: 'read', days: '30' };
  const redirectUrl = 'http://127.0.0.1:1/step-up';
  const client = new SdkConnector({ url: server.url, owner, choices, redirectUrl });
  await client.signIn();
  const { session } = client;
  const tools = await client.tools();
  check('step-up: tools that write are not listed', !tools.includes('append_note'), tools);
  let isPreselected = false;
  const look = async (page) => {
    isPreselected = (await page.locator('input[name=grant]:checked').inputValue()) !== 'new';
  };
  client.choices = { rights: 'change', look };
  const args = { name: 'Home', text: 'With more rights.' };
  const written = await client.callWithMore('append_note', args).catch(String);
  const isWritten = !/error/i.test(written);
  check('step-up: the owner allows more, and the call goes on', isWritten, written);
  check('step-up: changing the connection is proposed', isPreselected, 'adding another');
  check('step-up: in the same session', client.session === session, [session, client.session]);

  const found = await server.command(['connections', 'list', '--json']);
  const ours = JSON.parse(found.stdout).connections.filter(
    (connection) => connection.client.id === client.provider.client.client_id,
  );
  check('step-up: there is still one connection', ours.length === 1, ours);
  const { ended } = await openStream(client);
  await server.command(['connections', 'revoke', ours[0].id]);
  const fromMs = Date.now();
  const late = new Promise((resolve) => setTimeout(resolve, 10_000));
  const isEnded = await Promise.race([ended, late]);
  const took = `${Date.now() - fromMs} ms`;
  check(`disconnected: the open stream ends (${took})`, isEnded === true, took);
  await client.stop();
}

/** Opens a second stream for messages of the server. `ended` resolves when the server ends it. */
async function openStream(client) {
  const answer = await fetch(client.url, {
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${client.provider.kept.access_token}`,
      'mcp-session-id': client.session,
    },
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return {
    ended: answer.text().then(
      () => true,
      () => true,
    ),
  };
}
