import { describe, expect, it } from 'vitest';
import { readServeOptions, type ServeOptions } from './serve-options.ts';

describe('the options of serve', () => {
  it.each<[string[], Readonly<Record<string, string>>, Partial<ServeOptions>]>([
    [
      [],
      {},
      {
        host: '127.0.0.1',
        port: 1065,
        allowHosts: [],
        publicUrls: [],
        auth: 'auto',
        toolsets: ['agent'],
      },
    ],
    [['--port', '0', '--host', '0.0.0.0'], {}, { port: 0, host: '0.0.0.0' }],
    [['--host', '[::1]'], {}, { host: '::1' }],
    [[], { PORT: '8080', HOST: '0.0.0.0' }, { port: 8080, host: '0.0.0.0' }],
    [['--port', '1', '--host=::'], { PORT: '2', HOST: '0.0.0.0' }, { port: 1, host: '::' }],
    [[], { PORT: '', HOST: ' ' }, { port: 1065, host: '127.0.0.1' }],
    [[], { VAULTDOOR_AUTH: 'none' }, { auth: 'none' }],
    [
      ['--auth', 'proxy', '--public-url', 'https://a.example'],
      {},
      { auth: 'proxy', publicUrls: ['https://a.example'] },
    ],
    [['--auth', 'token'], { VAULTDOOR_AUTH: 'none' }, { auth: 'token' }],
    [
      ['--allow-host', 'c.lan'],
      { VAULTDOOR_ALLOW_HOST: 'a.lan, b.lan' },
      { allowHosts: ['a.lan', 'b.lan', 'c.lan'] },
    ],
    [
      [],
      { VAULTDOOR_PUBLIC_URL: 'https://a.example,https://b.example/' },
      { publicUrls: ['https://a.example', 'https://b.example/'] },
    ],
    [['--tools', 'notes', '--read-only'], {}, { toolsets: ['notes'], rights: ['read'] }],
    [
      ['--bridge'],
      {},
      {
        bridge: { port: 3000, toolsets: ['notes'], allowOrigins: [] },
        toolsets: ['agent'],
        otherToolsets: ['notes', 'obsidian', 'agent'],
      },
    ],
    [
      ['--bridge-port=0', '--bridge-tools=agent,notes', '--bridge-token-file', 't'],
      {},
      {
        bridge: { port: 0, toolsets: ['agent', 'notes'], allowOrigins: [], tokenFile: 't' },
      },
    ],
    [
      ['--bridge', '--allow-origin', 'https://a.example', '--allow-origin=*'],
      {},
      { bridge: { port: 3000, toolsets: ['notes'], allowOrigins: ['https://a.example', '*'] } },
    ],
    [[], {}, { console: 'safely' }],
    [['--no-console'], {}, { console: 'off' }],
    [['--console-http'], {}, { console: 'plain' }],
    [[], {}, { oauth: { choice: 'auto', accessMs: 24 * 3_600_000, fetches: true } }],
    [
      ['--oauth', 'off'],
      {
        VAULTDOOR_OAUTH: 'auto',
        VAULTDOOR_OAUTH_ACCESS_HOURS: '168',
        VAULTDOOR_OAUTH_FETCH: 'off',
      },
      { oauth: { choice: 'off', accessMs: 168 * 3_600_000, fetches: false } },
    ],
    [[], { VAULTDOOR_READ_ONLY: 'true', VAULTDOOR_HIDE: 'a' }, { rights: ['read'], hide: ['a'] }],
  ])('%j with %j', (argv, env, options) => {
    expect(readServeOptions(argv, env)).toMatchObject(options);
  });

  it.each<[string[], string]>([
    [['--port', '65536'], '"--port" takes a number up to 65535.'],
    [['--port', '-1'], '"--port" takes a number up to 65535.'],
    [['--port', '1e3'], '"--port" takes a number up to 65535.'],
    [['--bridge-port', '65536'], '"--bridge-port" takes a number up to 65535.'],
    [['--bridge-tools', 'notes'], '"--bridge-tools" is for "--bridge".'],
    [
      ['--no-console', '--console-http'],
      '"--no-console" and "--console-http" contradict each other.',
    ],
    [['--bridge-token-file', 'x'], '"--bridge-token-file" is for "--bridge".'],
    [['--allow-origin', 'x'], '"--allow-origin" is for "--bridge".'],
    [['--bridge', '--bridge-token-file='], '"--bridge-token-file" needs the name of a file.'],
    [['--host', ''], '"--host" needs an address, such as 0.0.0.0.'],
    [['--auth', 'yes'], '"--auth" must be one of auto, token, none, proxy.'],
    [['--oauth', 'on'], '"--oauth" must be one of auto, off.'],
    [
      ['--oauth-access-hours', '169'],
      '"--oauth-access-hours" takes a number of hours between 1 and 168.',
    ],
    [['vault'], '"serve" takes options only.'],
    [['--json'], 'There is no option "--json".'],
  ])('%j is refused with what to write instead', (argv, message) => {
    expect(() => readServeOptions(argv)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: `${message} "vaultdoor serve --help" lists the options.`,
      }),
    );
  });
});

it('the Bridge is not served unless it is asked for', () => {
  expect(readServeOptions([])).not.toHaveProperty('bridge');
});

it('is a node of a cluster where a folder can be flushed to disk', () => {
  const argv = ['--cluster', 'postgres://h/d', '--vaults-root', '/v', '--cluster-secret-file', 's'];
  const node = [...argv, '--node-address', 'http://10.0.0.3:1066'];
  expect(readServeOptions(node, {}, 'linux').cluster).toMatchObject({ port: 1066 });
  expect(() => readServeOptions(node, {}, 'win32')).toThrow('"--cluster" needs Linux or macOS');
  expect(readServeOptions([], {}, 'win32')).not.toHaveProperty('cluster');
});
