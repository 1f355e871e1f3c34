import { describe, expect, it } from 'vitest';
import { readBridgeOptions } from './bridge-options.ts';

type Env = Readonly<Record<string, string>>;

const files: Readonly<Record<string, string>> = { 'key.txt': ' obsi_file\n', 'empty.txt': '\n' };
const read = (argv: readonly string[], env: Env = {}) =>
  readBridgeOptions(argv, env, (file) => files[file] ?? '');

const plain = {
  url: 'http://127.0.0.1:3000',
  deadlineMs: 45_000,
  pollMs: 5_000,
  logLevel: 'info',
  ignored: [],
};

describe('bridge', () => {
  it.each<[readonly string[], Env, object]>([
    [[], {}, {}],
    [['--url', 'http://localhost:4000/bridge/v1/'], {}, { url: 'http://localhost:4000' }],
    [['--timeout', '0.5', '--poll', '1'], {}, { deadlineMs: 500, pollMs: 1_000 }],
    [['--log-level', 'silent'], {}, { logLevel: 'silent' }],
    [['--key-file', 'key.txt'], {}, { key: 'obsi_file' }],
    [[], { OBSIDIAN_MCP_API_KEY: ' obsi_env ' }, { key: 'obsi_env' }],
    [['--key-file', 'key.txt'], { OBSIDIAN_MCP_API_KEY: 'obsi_env' }, { key: 'obsi_file' }],
    [[], { OBSIDIAN_MCP_API_KEY: '' }, {}],
    [[], { OBSIDIAN_MCP_HOST: 'vault.local' }, { url: 'http://vault.local:3000' }],
    [[], { OBSIDIAN_MCP_HOST: '::1', OBSIDIAN_MCP_PORT: '80' }, { url: 'http://[::1]' }],
    [[], { OBSIDIAN_MCP_HOST: '[::1]' }, { url: 'http://[::1]:3000' }],
    [[], { OBSIDIAN_MCP_PORT: '3001' }, { url: 'http://127.0.0.1:3001' }],
    [['--url', 'http://a:1'], { OBSIDIAN_MCP_PORT: '3001' }, { url: 'http://a:1' }],
    [[], { OBSIDIAN_MCP_TRANSPORT: 'v1' }, {}],
    [[], { OBSIDIAN_MCP_TRANSPORT: 'auto' }, {}],
  ])('%j with %j', (argv, env, options) => {
    expect(read(argv, env)).toEqual({ ...plain, ...options });
  });

  it.each([
    ['OBSIDIAN_MCP_PORT', 'http', '3000'],
    ['OBSIDIAN_MCP_PORT', '0', '3000'],
    ['OBSIDIAN_MCP_PORT', '65536', '3000'],
    ['OBSIDIAN_MCP_HOST', 'a/b', '127.0.0.1'],
    ['OBSIDIAN_MCP_HOST', 'me@host', '127.0.0.1'],
    ['OBSIDIAN_MCP_HOST', '1:2', '127.0.0.1'],
    ['OBSIDIAN_MCP_TRANSPORT', 'pigeon', 'auto'],
  ])('ignores %s=%s, and says so', (variable, value, used) => {
    expect(read([], { [variable]: value })).toEqual({ ...plain, ignored: [{ variable, used }] });
  });

  it.each<[readonly string[], Env, string]>([
    [['now'], {}, '"bridge" takes options only.'],
    [['--frob'], {}, 'There is no option "--frob".'],
    [['--url', 'localhost'], {}, '"localhost" is not the address of a server'],
    [['--timeout', '0'], {}, '"--timeout" must be more than 0 seconds.'],
    [['--poll', '0'], {}, '"--poll" must be more than 0 seconds.'],
    [['--poll', 'often'], {}, '"--poll" takes a number.'],
    [['--key-file', 'empty.txt'], {}, 'There is no key in "empty.txt".'],
    [['--key-file', 'empty.txt'], { OBSIDIAN_MCP_API_KEY: 'k' }, 'There is no key in "empty.txt".'],
    [[], { OBSIDIAN_MCP_TRANSPORT: 'mcp' }, 'The bridge speaks Bridge v1 only'],
    [
      ['--url', 'http://192.168.1.5:3000'],
      { OBSIDIAN_MCP_API_KEY: 'k' },
      'Everybody in the network could read the key',
    ],
    [
      [],
      { OBSIDIAN_MCP_API_KEY: 'k', OBSIDIAN_MCP_HOST: 'vault.local' },
      'Everybody in the network could read the key',
    ],
  ])('%j with %j is refused', (argv, env, message) => {
    expect(() => read(argv, env)).toThrow(message);
  });
});
