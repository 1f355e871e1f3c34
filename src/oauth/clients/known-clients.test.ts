import { describe, expect, it } from 'vitest';
import { documentHost } from './client-document.ts';
import { knownClient } from './known-clients.ts';

const claude = 'https://claude.ai/oauth/mcp-oauth-client-metadata';
const claudeCode = 'https://claude.ai/oauth/claude-code-client-metadata';
const chatGpt = 'https://chatgpt.com/oauth/client.json';
const connector = 'https://chatgpt.com/oauth/abc-1/client.json';
const codex = 'https://chatgpt.com/oauth/codex/client.json';
const vsCode = 'https://vscode.dev/oauth/client-metadata.json';
const opencode = 'https://opencode.ai/oauth/opencode/client.json';

describe('knownClient', () => {
  it.each([
    [claude, 'Claude', 'claude.ai'],
    [claudeCode, 'Claude Code', 'claude.ai'],
    [chatGpt, 'ChatGPT', 'chatgpt.com'],
    [connector, 'ChatGPT', 'chatgpt.com'],
    [codex, 'Codex', 'chatgpt.com'],
    [vsCode, 'Visual Studio Code', 'vscode.dev'],
    [opencode, 'opencode', 'opencode.ai'],
  ])('knows %s', (id, name, host) => {
    expect(knownClient(id)).toMatchObject({ id, name, host, kind: 'known' });
    expect(documentHost(id)).toBe(host);
    expect(knownClient(id)).not.toHaveProperty('onlyRedirect');
  });

  it.each([
    [claude, 'https://claude.ai/api/mcp/auth_callback'],
    [claude, 'https://claude.com/api/mcp/auth_callback'],
    [claudeCode, 'http://localhost:54321/callback'],
    [claudeCode, 'http://127.0.0.1:3118/callback'],
    [chatGpt, 'https://chatgpt.com/connector_platform_oauth_redirect'],
    [chatGpt, 'https://chatgpt.com/connector/oauth/anything_1'],
    [connector, 'https://chatgpt.com/connector/oauth/abc-1'],
    [connector, 'https://chatgpt.com/connector_platform_oauth_redirect'],
    [codex, 'http://127.0.0.1:5555/callback'],
    [codex, 'http://localhost:5555/callback/x_-1'],
    [vsCode, 'https://vscode.dev/redirect'],
    [vsCode, 'https://insiders.vscode.dev/redirect'],
    [vsCode, 'http://127.0.0.1:33418/'],
    [vsCode, 'http://127.0.0.1:40123'],
    [opencode, 'http://127.0.0.1:19876/callback'],
  ])('lets %s have its answer at %s', (id, uri) => {
    expect(knownClient(id)?.allowsRedirect(uri)).toBe(true);
  });

  it.each([
    [claude, 'https://claude.ai.evil.example/api/mcp/auth_callback'],
    [claude, 'http://localhost/callback'],
    [claudeCode, 'http://localhost:1/other'],
    [chatGpt, 'https://chatgpt.com/connector/oauth/'],
    [chatGpt, 'https://chatgpt.com/connector/oauth/a/b'],
    [chatGpt, 'https://chatgpt.com/connector/oauth/a?b'],
    [chatGpt, 'https://chatgpt.com/connector/oauth/..'],
    [chatGpt, 'https://chatgpt.com/connector/oauth/a\n'],
    [connector, 'https://chatgpt.com/connector/oauth/abc-2'],
    [codex, 'https://chatgpt.com/connector/oauth/codex'],
    [codex, 'http://localhost.evil.example/callback'],
    [vsCode, 'http://localhost:33418/'],
    [opencode, 'http://127.0.0.1:19876/mcp/oauth/callback'],
  ])('does not let %s have its answer at %j', (id, uri) => {
    expect(knownClient(id)?.allowsRedirect(uri)).toBe(false);
  });

  it('says what is wrong with opencode', () => {
    expect(knownClient(opencode)?.hint).toContain('known fault of opencode');
    expect(knownClient(claude)).not.toHaveProperty('hint');
  });

  it.each([
    'https://claude.ai/oauth/mcp-oauth-client-metadata/',
    'https://claude.ai.evil.example/oauth/mcp-oauth-client-metadata',
    'http://claude.ai/oauth/mcp-oauth-client-metadata',
    'https://chatgpt.com/oauth/a/b/client.json',
    'https://chatgpt.com/oauth//client.json',
    'https://chatgpt.com/oauth/client.json?x',
    'https://chatgpt.com.evil.example/oauth/x/client.json',
    '__proto__',
    'constructor',
    '',
  ])('does not know %j', (id) => {
    expect(knownClient(id)).toBeUndefined();
  });
});
