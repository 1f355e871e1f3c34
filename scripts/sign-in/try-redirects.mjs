// Replays where each known client wants its answer: the redirect addresses of the table in the fact
// sheet, each with the id or the registration that the client has.
import { check } from '../outside-programs.mjs';
import { WebApiConnector } from './web-api-connector.mjs';

const claude = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
const code = 'https://claude.ai/oauth/claude-code-client-metadata';
const chatGpt = 'https://chatgpt.com/oauth/c-4711/client.json';
const vsCode = 'https://vscode.dev/oauth/client-metadata.json';
const cursor = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
];

// Each row: the client, its document or what it registers, and where it wants its answer.
const rows = [
  ['claude.ai', claude, 'https://claude.ai/api/mcp/auth_callback'],
  ['claude.com', claude, 'https://claude.com/api/mcp/auth_callback'],
  [
    'claude.ai without its document',
    {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'claudeai',
      client_uri: null,
    },
    'https://claude.ai/api/mcp/auth_callback',
  ],
  ['Claude Code, localhost', code, 'http://localhost:53123/callback'],
  ['Claude Code, 127.0.0.1', code, 'http://127.0.0.1:53124/callback'],
  ['ChatGPT', chatGpt, 'https://chatgpt.com/connector/oauth/c-4711'],
  ['ChatGPT, older', chatGpt, 'https://chatgpt.com/connector_platform_oauth_redirect'],
  [
    'ChatGPT, shared id',
    'https://chatgpt.com/oauth/client.json',
    'https://chatgpt.com/connector/oauth/c-4712',
  ],
  ['Codex', 'https://chatgpt.com/oauth/codex/client.json', 'http://127.0.0.1:41234/auth/callback'],
  ['VS Code, web', vsCode, 'https://vscode.dev/redirect'],
  ['VS Code Insiders', vsCode, 'https://insiders.vscode.dev/redirect'],
  ['VS Code, port', vsCode, 'http://127.0.0.1:33418/'],
  ['VS Code, other port', vsCode, 'http://127.0.0.1:40123/'],
  ['VS Code, no path', vsCode, 'http://127.0.0.1:40123'],
  ...cursor.map((uri) => [
    `Cursor, ${uri.split(':')[0]}`,
    { client_name: 'Cursor', redirect_uris: cursor, application_type: 'web' },
    uri,
  ]),
  [
    'Gemini CLI, other port',
    { redirect_uris: ['http://localhost:7777/oauth/callback'], token_endpoint_auth_method: 'none' },
    'http://localhost:7802/oauth/callback',
  ],
];

/** Signs in as every client of the table. */
export async function tryRedirects({ server, owner }) {
  const choices = { rights: 'read', days: '1', grant: 'new' };
  const given = { url: server.url, owner, choices };
  const waiting = [...rows];
  const work = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const [name, client, redirectUrl] = row;
      let seen;
      try {
        const known = typeof client === 'string' ? { clientMetadataUrl: client } : undefined;
        const by = known ?? { registered: await register(server.site, client) };
        const namesNoResource = name.startsWith('ChatGPT');
        const connector = new WebApiConnector({ ...given, ...by, redirectUrl, namesNoResource });
        await connector.signIn();
        seen = await connector.call();
      } catch (error) {
        seen = String(error?.stack ?? error);
      }
      check(`redirect: ${name}`, seen.includes('Hello, future me.'), seen);
    }
  };
  await Promise.all([work(), work(), work()]);

  const refused = new URL(`${server.site}/authorize`);
  refused.search = new URLSearchParams({
    client_id: 'https://opencode.ai/oauth/opencode/client.json',
    redirect_uri: 'http://127.0.0.1:19876/mcp/oauth/callback',
    response_type: 'code',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
  const { page, left } = await owner.open(refused);
  const text = await page.innerText('main');
  check('redirect: opencode is told why', /opencode/.test(text) && left.length === 0, text);
  await page.close();
}

async function register(site, metadata) {
  const answer = await fetch(`${site}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  const text = await answer.text();
  if (answer.status !== 201 || text.includes('null')) throw new Error(text);
  return JSON.parse(text);
}
