import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/**
 * Makes the tokens of the clients of a day, and resolves to them in its order. `vaultdoor` runs the
 * program on the demo's vault, and resolves to what it prints.
 */
export function makeDemoTokens(day, vaultdoor) {
  return Promise.all(
    day.map(async ({ token: { name, flags } }) => {
      const printed = await vaultdoor(['token', 'create', name, ...flags, '--json']);
      return JSON.parse(printed).token;
    }),
  );
}

/**
 * Does everything of a day to the server at `url`, over MCP. Resolves when its questions and proposals
 * wait for the owner, to what went wrong: no lines if nothing did. The clients stay connected: functions
 * that end their sessions are added to `leave`.
 */
export async function makeDemoDay({ day, url, tokens, leave = [] }) {
  const wrong = [];
  for (const [at, { client, calls, asks }] of day.entries()) {
    const own = await connected(url, client, tokens[at]);
    leave.push(() => own.transport.terminateSession());
    for (const [tool, args] of calls) {
      const answer = await callTool(own, tool, args);
      if (answer.isError) wrong.push(`${client.name}: ${tool}: ${answer.text}`);
    }
    if (asks !== undefined) await untilAsked(own, asks);
  }
  return wrong;
}

/** Connects a client with a token to the server. */
async function connected(url, { name, version }, token) {
  const client = new Client({ name, version });
  const headers = { Authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}

async function callTool(client, name, args, options) {
  const { isError = false, content } = await client.callTool({ name, arguments: args }, options);
  return { isError, text: content.map(({ text = '' }) => text).join('\n') };
}

/**
 * Makes a call that the brake stops, and resolves when it waits for the owner. From then on the
 * client does what its user would tell it: it calls again until the owner has answered.
 */
function untilAsked(client, [tool, args]) {
  return new Promise((resolve, reject) => {
    const again = async () => {
      // The first progress of a call that waits comes once the question is kept.
      const { isError, text } = await callTool(client, tool, args, { onprogress: () => resolve() });
      if (isError && text.includes('has not answered yet')) await again();
    };
    // It fails when the server ends, or the owner ends the session.
    again().then(resolve, reject);
  });
}
