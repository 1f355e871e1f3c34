import { describe, expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { isAllowedRedirect, isSameRedirect, redirectTarget } from './redirect-uri.ts';

const longest = `https://a.example/${'x'.repeat(limits.redirectCharsMax - 18)}`;

describe('isAllowedRedirect', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://claude.com/api/mcp/auth_callback',
    'https://chatgpt.com/connector/oauth/abc_D-1',
    'https://vscode.dev/redirect',
    'https://www.cursor.com/agents/mcp/oauth/callback',
    'https://a.example',
    'https://a.example:8443/cb?x=1&y=%20@',
    'https://10.0.0.1/cb',
    'https://[2001:db8::1]/cb',
    'http://localhost/callback',
    'http://localhost:8787/callback',
    'http://localhost:7777/oauth/callback',
    'http://127.0.0.1:6276/oauth/callback',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
    'http://127.0.0.1',
    'http://127.0.0.1?x=1',
    'http://[::1]:80/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://x.y/cb',
    'com.example.app:/oauth',
    'claude://x',
    longest,
  ])('allows %s', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(true);
  });

  it.each([
    '',
    'https://',
    'https:a.example',
    'https:/a.example/',
    'https:///a.example/',
    'HTTPS://a.example/',
    'https://user@a.example/',
    'https://user:pass@a.example/',
    'https://@a.example/',
    'https://a.example@evil.example/',
    'https://a.example/#x',
    'https://a.example/#',
    'https://a.example:99999/',
    'https://a.exa mple/',
    'https://a.example/\r\nx',
    'https://a.example/\0',
    'https://a.example/\t',
    'https://a.example/"',
    "https://a.example/'",
    'https://a.example/`',
    'https://a.example/<b>',
    'https://a.example\\evil.example/',
    'https://ä.example/',
    'https://a.example/\u202e',
    `${longest}x`,
    'http://a.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'http://127.1/',
    'http://127.0.0.2/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://0.0.0.0/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://x@localhost/',
    'http://localhost@evil.example/',
    'http://localhost:80@evil.example/',
    'http://localhost:99999/',
    'http://localhost/#x',
    'http:localhost/',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/x',
    'about:blank',
    'view-source:https://a.example/',
    'ws://a.example/',
    'wss://a.example/',
    'ftp://a.example/',
    'mailto:a@b.example',
    'tel:1',
    'filesystem:https://a.example/x',
    'intent://x#Intent;end',
    'intent://x',
    'content://x',
    'chrome://settings',
    'chrome-extension://x/y',
    'ms-settings:x',
    'ms-msdt:/id',
    'c:/x',
    'cursor',
    'cursor:',
    '/callback',
    '//a.example/',
    'app://x#y',
    'app://x y',
  ])('refuses %j', (uri) => {
    expect(isAllowedRedirect(uri)).toBe(false);
  });
});

describe('isSameRedirect', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb'],
    ['cursor://x/cb', 'cursor://x/cb'],
    ['http://localhost/callback', 'http://localhost:50123/callback'],
    ['http://localhost:8787/callback', 'http://localhost:9/callback'],
    ['http://localhost:8787/callback', 'http://localhost/callback'],
    ['http://127.0.0.1/', 'http://127.0.0.1:40123'],
    ['http://127.0.0.1/', 'http://127.0.0.1:40123/'],
    ['http://127.0.0.1', 'http://127.0.0.1:40123/'],
    ['http://127.0.0.1?a=1', 'http://127.0.0.1:1/?a=1'],
    ['http://[::1]/cb?a=1', 'http://[::1]:1/cb?a=1'],
  ])('takes for %s also %s', (registered, sent) => {
    expect(isSameRedirect(registered, sent)).toBe(true);
  });

  it.each([
    ['https://a.example/cb', 'https://b.example/cb'],
    ['https://a.example/cb', 'https://a.example/CB'],
    ['https://a.example/cb', 'https://A.example/cb'],
    ['https://a.example/cb', 'https://a.example./cb'],
    ['https://a.example/cb', 'https://a.example:443/cb'],
    ['https://a.example/cb', 'https://a.example/cb/'],
    ['https://a.example/cb', 'https://a.example/cb/..'],
    ['https://a.example/cb', 'https://a.example/x/../cb'],
    ['https://a.example/cb', 'https://a.example/%63b'],
    ['https://a.example/cb', 'https://a.example/%2e/cb'],
    ['https://a.example/cb', 'https://a.example/cb?x=1'],
    ['https://a.example/cb', 'https://u@a.example/cb'],
    ['https://a.example/cb', 'http://a.example/cb'],
    ['https://localhost/cb', 'https://localhost:1/cb'],
    ['https://a.example/', 'https://a.example'],
    ['http://localhost/cb', 'http://127.0.0.1/cb'],
    ['http://127.0.0.1/cb', 'http://localhost/cb'],
    ['http://127.0.0.1/cb', 'http://[::1]/cb'],
    ['http://localhost/cb', 'https://localhost/cb'],
    ['http://localhost/cb', 'http://localhost/other'],
    ['http://localhost/cb', 'http://localhost/cb/'],
    ['http://localhost/cb', 'http://localhost/x/../cb'],
    ['http://localhost/cb', 'http://localhost/%2e/cb'],
    ['http://localhost/cb', 'http://localhost/cb?x=1'],
    ['http://localhost/cb', 'http://localhost/cb#x'],
    ['http://localhost/cb', 'http://localhost:1@evil.example/cb'],
    ['http://localhost/cb', 'http://localhost:99999/cb'],
    ['http://localhost/cb', 'http://localhost:1/cb\n'],
    ['http://127.0.0.1/', 'http://127.0.0.1.evil.example/'],
    ['http://127.0.0.1/', 'http://127.1/'],
    ['cursor://x/cb', 'cursor://x/cb/'],
    ['cursor://x/cb', 'Cursor://x/cb'],
    ['cursor://x/cb', 'cursor://x:1/cb'],
  ])('does not take for %s also %j', (registered, sent) => {
    expect(isSameRedirect(registered, sent)).toBe(false);
  });
});

describe('redirectTarget', () => {
  it.each([
    ['https://claude.ai/api/mcp/auth_callback', { kind: 'web', host: 'claude.ai' }],
    ['https://A.example:8443/cb', { kind: 'web', host: 'a.example:8443' }],
    ['https://claude.ai%2eevil.example/cb', { kind: 'web', host: 'claude.ai.evil.example' }],
    ['https://localhost/cb', { kind: 'web', host: 'localhost' }],
    ['http://localhost:1/cb', { kind: 'loopback' }],
    ['http://127.0.0.1', { kind: 'loopback' }],
    ['cursor://anysphere.cursor-mcp/oauth/callback', { kind: 'app', scheme: 'cursor' }],
  ])('of %s', (uri, target) => {
    expect(redirectTarget(uri)).toEqual(target);
  });
});
