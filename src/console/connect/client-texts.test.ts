import { describe, expect, it } from 'vitest';
import { bestAddress, clientText, connectClients, isCallOf } from './client-texts.ts';

const url = 'http://127.0.0.1:1065/mcp';

describe('clientText', () => {
  it.each(connectClients.filter((client) => client !== 'claude-desktop'))(
    '%s has the address',
    (client) => {
      expect(clientText(client, url, undefined).text).toContain(url);
      expect(clientText(client, url, undefined).text).not.toContain('Authorization');
    },
  );

  it.each(['claude-code', 'cursor', 'vscode', 'other'] as const)('%s has the token', (client) => {
    expect(clientText(client, url, 'vd_x').text).toContain('Bearer vd_x');
  });

  it('quotes addresses for a shell', () => {
    const text = clientText('claude-code', "http://[::1]:1065/mcp?a='&b", undefined).text;
    expect(text).toContain(`vaultdoor 'http://[::1]:1065/mcp?a='\\''&b'`);
  });
});

describe('bestAddress', () => {
  const addresses = ['https://vault.example.org/mcp', url, 'http://192.168.1.5:1065/mcp'];
  it.each([
    ['localhost:1065', url],
    ['127.0.0.1:1065', url],
    ['192.168.1.5:1065', 'http://192.168.1.5:1065/mcp'],
    ['vault.example.org', 'https://vault.example.org/mcp'],
    ['localhost:9', 'https://vault.example.org/mcp'],
  ])('%s', (host, expected) => {
    expect(bestAddress(addresses, host)).toBe(expected);
  });
});

it.each([
  ['cursor', 'cursor-vscode/1.0.0', true],
  ['cursor', 'claude-ai/1', false],
  ['vscode', 'Visual Studio Code/1.99', true],
  ['claude-code', 'claude-code/2', true],
  ['other', undefined, true],
  ['cursor', undefined, false],
] as const)('%s: a call of %s', (client, name, expected) => {
  expect(isCallOf(client, name)).toBe(expected);
});
