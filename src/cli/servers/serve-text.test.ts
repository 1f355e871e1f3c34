import { describe, expect, it } from 'vitest';
import { shellWord } from '../../base/shell-word.ts';
import { consoleOriginsOf, noTokenText, type ServeStart, serveText } from './serve-text.ts';

/** A text as it is typed on this platform. */
const typed = (text: string): string => shellWord(text, process.platform);

const local: ServeStart = {
  vaults: ['Notes'],
  folders: ['/srv/My Notes'],
  host: '127.0.0.1',
  port: 1065,
  ownAddresses: ['192.168.1.5', 'fd00::5'],
  allowHosts: [],
  publicUrls: [],
  tokens: 'optional',
  isLoopback: true,
  consoleLinks: [],
};

/** The addresses that are listed, and the one that is to be pasted. */
function addressesIn(text: string): { listed: string[]; pasted: string | undefined } {
  const [list = ''] = /(?<= at\n\n)(?: {2}\S+\n)+/.exec(text) ?? [];
  const pasted = /claude mcp add --scope user --transport http vaultdoor (\S+)/.exec(text)?.[1];
  return { listed: list.trim().split(/\s+/), pasted };
}

describe('the addresses', () => {
  const here = 'http://127.0.0.1:1065/mcp';
  it.each<[string, Partial<ServeStart>, string[], string]>([
    ['of this machine', {}, [here], here],
    ['of IPv6', { host: '::1' }, ['http://[::1]:1065/mcp'], typed('http://[::1]:1065/mcp')],
    [
      'of all networks',
      { host: '0.0.0.0' },
      [here, 'http://192.168.1.5:1065/mcp'],
      'http://192.168.1.5:1065/mcp',
    ],
    [
      'of all networks, IPv6 included',
      { host: '::' },
      [here, 'http://192.168.1.5:1065/mcp', 'http://[fd00::5]:1065/mcp'],
      'http://192.168.1.5:1065/mcp',
    ],
    [
      'that a container is told, because it does not know those of its host',
      { host: '0.0.0.0', isLoopback: false, allowHosts: ['nas.local', '192.168.1.5', 'fd00::6'] },
      [here, ...['nas.local', '192.168.1.5', '[fd00::6]'].map((name) => `http://${name}:1065/mcp`)],
      'http://nas.local:1065/mcp',
    ],
    ['of this machine alone, whatever names it has', { allowHosts: ['nas.local'] }, [here], here],
    ['where there is no network', { host: '0.0.0.0', ownAddresses: [] }, [here], here],
    [
      'that a proxy has for it',
      { publicUrls: ['https://a.example/', 'https://b.example/vault/mcp'] },
      ['https://a.example/mcp', 'https://b.example/vault/mcp', here],
      'https://a.example/mcp',
    ],
  ])('%s', (_what, start, listed, pasted) => {
    expect(addressesIn(serveText({ ...local, ...start }))).toEqual({ listed, pasted });
  });
});

describe('the console is opened', () => {
  const localhost = 'http://localhost:1065';
  const inNetwork = { host: '0.0.0.0', isLoopback: false, allowHosts: ['nas.local'] };
  const publicUrls = ['https://a.example/mcp', 'http://b.example', 'https://c.example/notes'];
  it.each<[string, Partial<ServeStart>, boolean, string[]]>([
    ['on this machine', {}, false, [localhost]],
    ['on the machine of a container', inNetwork, false, [localhost]],
    ['from the network, if that is allowed', inNetwork, true, ['http://nas.local:1065', localhost]],
    ['over https, without a path', { publicUrls }, false, ['https://a.example', localhost]],
    ['nowhere by itself', { host: '192.168.1.5', isLoopback: false }, false, []],
  ])('%s', (_what, start, allowsPlainHttp, origins) => {
    expect(consoleOriginsOf({ ...local, ...start }, { allowsPlainHttp })).toEqual(origins);
  });

  it.each([
    [[], /Ctrl-C ends it\.\n$/],
    [['http://localhost:1065/c/enter#k=a'], /This link opens it once.*\n {2}http:\S+=a\n$/s],
    [
      ['https://a.example/b', 'http://c'],
      /One of these links opens .*\n {2}https:\S+\n {2}http:\S+\n$/s,
    ],
  ])('by the last lines: %j', (consoleLinks, says) => {
    expect(serveText({ ...local, consoleLinks })).toMatch(says);
  });
});

it('what is to be pasted is JSON, and has a place for the token where one is asked for', () => {
  const pasted = (text: string): unknown =>
    JSON.parse(`{${/^ {2}("vaultdoor": \{.*\})$/m.exec(text)?.[1]}}`);
  const open = { type: 'http', url: 'http://127.0.0.1:1065/mcp' };
  expect(pasted(serveText(local))).toEqual({ vaultdoor: open });
  const text = serveText({ ...local, tokens: 'asked' });
  const headers = { Authorization: 'Bearer <token>' };
  expect(pasted(text)).toEqual({ vaultdoor: { ...open, headers } });
  expect(text).toContain('/mcp --header "Authorization: Bearer <token>"\n');
});

it('the link to the console is the last line', () => {
  const consoleLinks = ['http://localhost:1065/c/enter#k=x'];
  expect(serveText({ ...local, consoleLinks })).toMatch(
    /Ctrl-C ends it\.\n.*\n {2}http\S+#k=x\n$/s,
  );
});

it.each<[string, Partial<ServeStart>]>([
  ['Apps need a token', { tokens: 'asked' }],
  ['every program on this machine can connect, and nobody else', {}],
  ['NO TOKEN IS CHECKED: every program on this machine', { tokens: 'off' }],
  ['only your network (Tailscale,', { tokens: 'off', host: '0.0.0.0', isLoopback: false }],
  ['only your network (Tailscale,', { tokens: 'off', publicUrls: ['https://a.example'] }],
])('it says who may come in: %s', (says, start) => {
  expect(serveText({ ...local, ...start })).toContain(says);
});

it.each([
  ['Other machines can reach the server at 0.0.0.0', { host: '0.0.0.0', isLoopback: false }],
  ['--auth token is given', {}],
])('without a token it says why it does not start, and what to type: %s', (says, given) => {
  const text = noTokenText({ ...local, ...given });
  expect(text).toContain(says);
  const vault = `--vault ${typed('/srv/My Notes')}`;
  expect(text).toContain(`\n  vaultdoor token create laptop ${vault}\n`);
  expect(text).toContain(`\n  vaultdoor serve ${vault} --host 0.0.0.0 --port 1065 --auth none\n`);
});

it('of a node names no vaults for a token, and no command for the console that it has not', () => {
  const links = { consoleLinks: ['http://localhost:1065/c/enter#k=x'] };
  const text = serveText({ ...local, ...links, tokens: 'asked', folders: [], isNode: true });
  expect(text).toContain('\n  vaultdoor token create laptop\n');
  expect(text).toContain('each node prints one when it starts:');
  expect(text).not.toContain('vaultdoor console');
});

it('without a token, what a tunnel brings stays on this machine', () => {
  const text = noTokenText({ ...local, publicUrls: ['https://a.example'] });
  expect(text).toContain('other machines can reach the server');
  expect(text).toContain(
    `\n  vaultdoor serve --vault ${typed('/srv/My Notes')} --public-url https://a.example --host 127.0.0.1 --port 1065 --auth proxy\n`,
  );
});

it.each<[ServeStart['bridge'], RegExp]>([
  [
    { port: 3000, asksToken: false },
    /^Bridge v1, for every program on this machine:\n\n {2}http:\/\/127\.0\.0\.1:3000\/bridge\/v1\n\n {2}curl -s http:\/\/127\.0\.0\.1:3000\/bridge\/v1\/tools\n$/m,
  ],
  [
    { port: 4000, asksToken: true },
    /with the token:\n[\s\S]*\n {2}curl -s -H "Authorization: Bearer <token>" http:\/\/127\.0\.0\.1:4000\/bridge\/v1\/tools\n/,
  ],
])('it says where Bridge v1 is, and what to try: %j', (bridge, says) => {
  expect(serveText(local)).not.toContain('Bridge');
  expect(serveText({ ...local, ...(bridge && { bridge }) })).toMatch(says);
});

describe('signing in', () => {
  const url = 'https://a.example';
  const signedIn: ServeStart = {
    ...local,
    publicUrls: [`${url}/`],
    tokens: 'asked',
    signIn: { issuers: [{ url, resource: `${url}/mcp` }] },
  };

  it('says which address to paste into claude.ai and ChatGPT, and leaves out the token', () => {
    const text = serveText(signedIn);
    expect(text).toMatch(
      /claude\.ai.*ChatGPT[^:]*: paste this address\.\n\n {2}https:\/\/a\.example\/mcp\n/s,
    );
    expect(text).toContain(`claude mcp add --scope user --transport http vaultdoor ${url}/mcp\n`);
    expect(text).not.toContain('Bearer');
    expect(text).toContain(`${url}/owner\n`);
    expect(text).toContain('every app has to sign in again');
    expect(text).not.toContain('NOBODY');
  });

  it('sends claude.ai and ChatGPT to no address of this machine', () => {
    const here = 'http://localhost:1065';
    const issuers = [{ url: here, resource: `${here}/mcp` }];
    const text = serveText({ ...signedIn, publicUrls: [here], signIn: { issuers } });
    expect(text).not.toContain('ChatGPT');
    expect(text).toContain(`claude mcp add --scope user --transport http vaultdoor ${here}/mcp\n`);
  });

  it('is named as another way where there is no token', () => {
    const text = noTokenText({ ...local, publicUrls: ['http://a.example'] });
    expect(text).toMatch(/Or let apps sign in: .* begins with https:, without --oauth off\.\n/);
    expect(noTokenText(local)).not.toContain('sign in');
  });

  it('begins with the page and the code for the owner while there is none, and says little else', () => {
    const setUp = { url: `${url}/owner/set-up`, code: 'ABCD-EFGH' };
    const consoleLinks = ['http://localhost:1065/c/enter#k=x'];
    const signIn = { issuers: [], ...signedIn.signIn, setUp };
    const text = serveText({ ...signedIn, signIn, consoleLinks });
    expect(text).toMatch(
      /^NOBODY CAN SIGN IN YET\. .* 30 minutes .*\n\n {2}\S+\/owner\/set-up\n\n {2}ABCD-EFGH\n\n/,
    );
    expect(text).toMatch(/#k=x\n$/);
    expect(text).not.toMatch(/claude mcp add|token/);
    expect(text.split('\n').length).toBeLessThan(22);
  });
});
