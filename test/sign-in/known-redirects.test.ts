import { beforeEach, describe, expect, it } from 'vitest';
import type { TestBrowser } from '../support/sign-in-door.ts';
import { expectPage, stepsSince } from './support/expected-answers.ts';
import { sharedServer } from './support/shared-server.ts';
import { ownersBrowser, TrialClient, tokensIn } from './support/trial-client.ts';

// The addresses of every client of the sheet's table, as these clients send them.

const server = sharedServer();
let owner: TestBrowser;
beforeEach(async () => {
  owner = await ownersBrowser(server());
});

interface KnownClient {
  /** The id of its document, or what it registers. */
  readonly id?: string;
  readonly registers?: readonly string[];
  readonly name: string;
  /** What the consent page says about where an answer goes, for each address that is right. */
  readonly right: Readonly<Record<string, string>>;
  readonly wrong: readonly string[];
  /** What the page for a wrong address says beside. */
  readonly hint?: string;
}

const loopback = 'an app on this device';

const clients: Readonly<Record<string, KnownClient>> = {
  'claude.ai': {
    id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    name: 'Claude',
    right: {
      'https://claude.ai/api/mcp/auth_callback': 'claude.ai',
      'https://claude.com/api/mcp/auth_callback': 'claude.com',
    },
    wrong: [
      'https://claude.ai/api/mcp/auth_callback/',
      'https://claude.ai.evil.example/api/mcp/auth_callback',
      'https://www.claude.ai/api/mcp/auth_callback',
      'http://localhost/callback',
      'claude://callback',
    ],
  },
  'Claude Code': {
    id: 'https://claude.ai/oauth/claude-code-client-metadata',
    name: 'Claude Code',
    right: {
      'http://localhost:54545/callback': loopback,
      'http://127.0.0.1:54545/callback': loopback,
      'http://localhost/callback': loopback,
    },
    wrong: [
      'http://localhost:54545/',
      'http://[::1]:54545/callback',
      'https://localhost:54545/callback',
      'https://claude.ai/api/mcp/auth_callback',
    ],
  },
  'a connector of ChatGPT': {
    id: 'https://chatgpt.com/oauth/Ab3_x-9/client.json',
    name: 'ChatGPT',
    right: {
      'https://chatgpt.com/connector/oauth/Ab3_x-9': 'chatgpt.com',
      'https://chatgpt.com/connector_platform_oauth_redirect': 'chatgpt.com',
    },
    wrong: [
      'https://chatgpt.com/connector/oauth/other',
      'https://chatgpt.com/connector/oauth/Ab3_x-9/',
      'https://chatgpt.com/connector/oauth/',
      'https://chatgpt.com.evil.example/connector/oauth/Ab3_x-9',
      'http://localhost/callback',
    ],
  },
  'ChatGPT without an id of a connector': {
    id: 'https://chatgpt.com/oauth/client.json',
    name: 'ChatGPT',
    right: {
      'https://chatgpt.com/connector/oauth/any-1': 'chatgpt.com',
      'https://chatgpt.com/connector_platform_oauth_redirect': 'chatgpt.com',
    },
    wrong: ['https://chatgpt.com/connector/oauth/a/b', 'https://evil.example/connector/oauth/a'],
  },
  Codex: {
    id: 'https://chatgpt.com/oauth/codex/client.json',
    name: 'Codex',
    right: {
      'http://127.0.0.1:1455/callback': loopback,
      'http://localhost:1455/auth/callback': loopback,
    },
    wrong: [
      'https://chatgpt.com/connector/oauth/codex',
      'http://127.0.0.2:1455/callback',
      'codex://callback',
    ],
  },
  'VS Code': {
    id: 'https://vscode.dev/oauth/client-metadata.json',
    name: 'Visual Studio Code',
    right: {
      'https://vscode.dev/redirect': 'vscode.dev',
      'https://insiders.vscode.dev/redirect': 'insiders.vscode.dev',
      'http://127.0.0.1/': loopback,
      'http://127.0.0.1:33418/': loopback,
      'http://127.0.0.1:40123': loopback,
      'http://127.0.0.1:40123/': loopback,
    },
    wrong: [
      'http://localhost:33418/',
      'http://127.0.0.1:33418/x',
      'https://vscode.dev/redirect/',
      'vscode://x/y',
    ],
  },
  Cursor: {
    registers: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
    name: 'Cursor',
    right: {
      'cursor://anysphere.cursor-mcp/oauth/callback': 'cursor:',
      'https://www.cursor.com/agents/mcp/oauth/callback': 'www.cursor.com',
      'http://localhost:8787/callback': loopback,
      'http://localhost:8788/callback': loopback,
    },
    wrong: [
      'cursor://anysphere.cursor-mcp/oauth/callback/',
      'cursor://evil/oauth/callback',
      'CURSOR://anysphere.cursor-mcp/oauth/callback',
      'https://cursor.com/agents/mcp/oauth/callback',
      'http://127.0.0.1:8787/callback',
    ],
  },
  opencode: {
    id: 'https://opencode.ai/oauth/opencode/client.json',
    name: 'opencode',
    right: {
      'http://127.0.0.1:19876/callback': loopback,
      'http://localhost:19876/callback': loopback,
    },
    wrong: ['http://127.0.0.1:19876/mcp/oauth/callback'],
    hint: 'known fault of opencode',
  },
  'Gemini CLI': {
    registers: ['http://localhost:7777/oauth/callback'],
    name: 'Gemini CLI',
    right: {
      'http://localhost:7777/oauth/callback': loopback,
      'http://localhost:41234/oauth/callback': loopback,
    },
    wrong: ['http://127.0.0.1:7777/oauth/callback', 'http://localhost:7777/oauth'],
  },
  'mcp-remote': {
    registers: ['http://localhost:3335/oauth/callback'],
    name: 'MCP CLI Proxy',
    right: {
      'http://localhost:3335/oauth/callback': loopback,
      'http://localhost:49150/oauth/callback': loopback,
    },
    wrong: ['http://localhost:3335/oauth/callback?x'],
  },
  Inspector: {
    registers: ['http://127.0.0.1:6276/oauth/callback'],
    name: 'MCP Inspector',
    right: { 'http://127.0.0.1:6276/oauth/callback': loopback },
    wrong: ['http://localhost:6276/oauth/callback'],
  },
};

async function clientOf({ id, registers, name }: KnownClient, redirect: string) {
  if (id !== undefined) return new TrialClient(server(), { id, redirect });
  const metadata = { redirect_uris: registers ?? [], client_name: name };
  const registered = await TrialClient.register(server(), metadata);
  return new TrialClient(server(), { id: registered.id, redirect });
}

describe.each(Object.entries(clients))('%s', (_, known) => {
  it.each(Object.entries(known.right))('signs in with its address %s', async (redirect, goesTo) => {
    const client = await clientOf(known, redirect);
    const began = await owner.get(client.authorizePath());
    const page = await owner.get(began.headers.get('location') ?? '');
    const [, text = ''] = (await page.text()).split('</style>');
    expect(page.status).toBe(200);
    for (const said of [known.name, goesTo, known.id ? 'known app' : 'This name is not verified']) {
      expect(text).toContain(said);
    }
    const back = await client.allowed(owner);
    const code = back.searchParams.get('code') ?? '';
    expect(back.href.startsWith(`${redirect.replace(/^(http:\/\/[^/]*)$/, '$1/')}?code=vdk_`)).toBe(
      true,
    );
    expect((await tokensIn(await client.exchange(code))).scope).toBe('vault:read vault:write');
    expect(server().fetched).toEqual([]);
  });

  it.each(known.wrong)('is refused with %s', async (redirect) => {
    const client = await clientOf(known, redirect);
    const steps = stepsSince(server());
    const without = [redirect];
    const text = await expectPage(await owner.get(client.authorizePath()), { without });
    expect(text).toContain(known.hint ?? 'not registered for it');
    expect(steps()).toEqual(['authorize: page: 400']);
  });
});
