import { describe, expect, it } from 'vitest';
import {
  type Awaited,
  bestAddress,
  CallFinder,
  clientText,
  connectClients,
  isCallOf,
  publicAddress,
  removeCommand,
} from './client-texts.ts';

const url = 'http://127.0.0.1:1065/mcp';

describe('clientText', () => {
  it.each(['claude-code', 'cursor', 'vscode', 'claude-ai', 'other'] as const)(
    '%s has the address',
    (client) => {
      expect(clientText(client, url, undefined).text).toContain(url);
      expect(clientText(client, url, undefined).text).not.toContain('Authorization');
    },
  );

  it.each(['claude-code', 'cursor', 'vscode', 'other'] as const)('%s has the token', (client) => {
    expect(clientText(client, url, 'vd_x').text).toContain('Bearer vd_x');
  });

  it('Claude Code keeps the entry for all folders, and takes it out there', () => {
    const { text } = clientText('claude-code', url, undefined);
    expect(text).toBe(`claude mcp add --scope user --transport http vaultdoor ${url}`);
    expect(removeCommand('claude-code')).toBe('claude mcp remove --scope user vaultdoor');
  });

  it('quotes addresses for a shell', () => {
    const text = clientText('claude-code', "http://[::1]:1065/mcp?a='&b", undefined).text;
    expect(text).toContain(`vaultdoor 'http://[::1]:1065/mcp?a='\\''&b'`);
  });
});

it.each([
  ['cursor-vscode/2.2.14', ['cursor']],
  ['Visual Studio Code/1.106.0', ['vscode']],
  ['vscode-copilot', ['vscode']],
  ['claude-code/2.1.0', ['claude-code', 'claude-ai']],
  [undefined, []],
])('%s is recognized as %j', (name, clients) => {
  expect(connectClients.filter((client) => isCallOf(client, name))).toEqual(clients);
});

describe('bestAddress', () => {
  const addresses = ['https://vault.example.org/mcp', url, 'http://192.168.1.5:1065/mcp'];
  it.each([
    ['localhost:1065', url],
    ['127.0.0.1:1065', url],
    ['192.168.1.5:1065', 'http://192.168.1.5:1065/mcp'],
    ['vault.example.org', 'https://vault.example.org/mcp'],
    ['localhost:9', 'https://vault.example.org/mcp'],
    ['', 'https://vault.example.org/mcp'],
  ])('%s', (host, expected) => {
    expect(bestAddress(addresses, host)).toBe(expected);
  });
});

it('publicAddress is the one over HTTPS', () => {
  expect(publicAddress([url, 'https://vault.example.org/mcp'])).toBe(
    'https://vault.example.org/mcp',
  );
  expect(publicAddress([url, 'http://vault.example.org/mcp'])).toBeUndefined();
});

describe('CallFinder', () => {
  const free = { isAsked: false, isDemo: false };
  const asked = { isAsked: true, isDemo: false };
  it.each<[what: string, awaited: Awaited, calls: string[], taken: number[]]>([
    [
      'by name',
      { client: 'cursor', ...asked },
      ['list cursor-vscode/1.0.0', 'list claude-ai/1'],
      [0],
    ],
    ['by name', { client: 'vscode', ...asked }, ['list Visual Studio Code/1.99'], [0]],
    ['by name', { client: 'claude-code', ...asked }, ['list claude-code/2'], [0]],
    [
      'of any name with the token that was made',
      { client: 'claude-code', token: 't1', ...asked },
      ['initialize my-script t1', 'list my-script t1', 'initialize other t2'],
      [0, 1],
    ],
    [
      'of any name that begin while nothing is asked, not of those that are there',
      { client: 'cursor', ...free },
      ['list demo', 'initialize mine', 'list demo', 'list mine'],
      [1, 3],
    ],
    [
      'of no app that the demo plays, which have tokens',
      { client: 'cursor', isAsked: false, isDemo: true },
      ['list cursor-vscode/2 t1', 'initialize cursor-vscode/2', 'list cursor-vscode/2'],
      [1, 2],
    ],
    [
      'nobody new while a token is asked for',
      { client: 'other', ...asked },
      ['initialize mine'],
      [],
    ],
    [
      'nobody else once a token was made',
      { client: 'other', token: 't1', ...free },
      ['initialize mine', 'initialize any t1'],
      [1],
    ],
  ])('takes calls %s', (_, awaited, calls, taken) => {
    const finder = new CallFinder(awaited);
    const takes = calls.map((call) => {
      const [, method = '', client = '', token] = /^(\S+) (.*?)(?: (t\d))?$/.exec(call) ?? [];
      return finder.takes({ method, client, ...(token === undefined ? {} : { token }) });
    });
    expect(takes.flatMap((is, at) => (is ? [at] : []))).toEqual(taken);
  });
});
