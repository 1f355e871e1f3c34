import { type Client, clientWith } from './client.ts';
import { isAllowedRedirect, redirectTarget } from './redirect-uri.ts';

// The documents of well-known clients, as they were published in 2026. For these nothing is fetched:
// claude.ai refuses servers in data centres, and most owners then need no outbound traffic at all.

interface KnownDocument {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly hint?: string;
}

const documents: ReadonlyMap<string, KnownDocument> = new Map([
  [
    'https://claude.ai/oauth/mcp-oauth-client-metadata',
    {
      name: 'Claude',
      redirectUris: [
        'https://claude.ai/api/mcp/auth_callback',
        'https://claude.com/api/mcp/auth_callback',
      ],
    },
  ],
  [
    'https://claude.ai/oauth/claude-code-client-metadata',
    {
      name: 'Claude Code',
      redirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    },
  ],
  [
    'https://vscode.dev/oauth/client-metadata.json',
    {
      name: 'Visual Studio Code',
      redirectUris: [
        'https://vscode.dev/redirect',
        'https://insiders.vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    },
  ],
  [
    'https://opencode.ai/oauth/opencode/client.json',
    {
      name: 'opencode',
      redirectUris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      hint:
        'This is a known fault of opencode: it asks for an address that its own document does not ' +
        'list. Update opencode, or enter it by hand with "vaultdoor client create" and give it ' +
        'the id that is printed.',
    },
  ],
]);

const codexId = 'https://chatgpt.com/oauth/codex/client.json';

/** Each connector of ChatGPT has an id and an address of its own; older ones share both. */
const chatGptId = /^https:\/\/chatgpt\.com\/oauth\/(?:([\w-]{1,100})\/)?client\.json$/;
const chatGptRedirect = /^https:\/\/chatgpt\.com\/connector\/oauth\/([\w-]{1,100})$/;
const chatGptLegacyRedirect = 'https://chatgpt.com/connector_platform_oauth_redirect';

/** The client with this id, if its document is built in. */
export function knownClient(id: string): Client | undefined {
  const document = documents.get(id);
  if (document !== undefined) {
    const { name, redirectUris, hint } = document;
    const about = { id, name, kind: 'known', host: new URL(id).host } as const;
    return clientWith(hint === undefined ? about : { ...about, hint }, redirectUris);
  }
  if (id === codexId) return chatGpt(id, 'Codex', isLoopbackRedirect);
  const connector = chatGptId.exec(id);
  if (connector === null) return undefined;
  return chatGpt(id, 'ChatGPT', (uri) => {
    if (uri === chatGptLegacyRedirect) return true;
    const sent = chatGptRedirect.exec(uri)?.[1];
    return sent !== undefined && (connector[1] === undefined || connector[1] === sent);
  });
}

function chatGpt(id: string, name: string, allowsRedirect: (uri: string) => boolean): Client {
  return { id, name, kind: 'known', host: 'chatgpt.com', allowsRedirect };
}

/** Codex chooses port and path by its version. */
function isLoopbackRedirect(uri: string): boolean {
  return isAllowedRedirect(uri) && redirectTarget(uri).kind === 'loopback';
}
