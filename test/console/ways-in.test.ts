import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleBrowser, linkIn, type Sent, send } from '../support/console-browser.ts';
import { HttpProcess } from '../support/http-process.ts';
import { runCli } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Every way into the console without the right to, over real sockets to the built program.

const ends: (() => void)[] = [];
const onFinished = (end: () => void): void => void ends.push(end);
let program: HttpProcess;
let owner: ConsoleBrowser;
let folder: string;
let token = '';

beforeAll(async () => {
  folder = tempFolder({ 'A.md': 'text of A\n' }, onFinished);
  program = await HttpProcess.start({ folder, args: ['--log-level', 'debug'], onFinished });
  owner = await ConsoleBrowser.enter(linkIn(program.stdout));
  const made = await owner.json<{ token: string }>('/tokens', {
    method: 'POST',
    body: { name: 'agent', effects: ['read', 'write', 'destroy'] },
  });
  token = made.token;
});

afterAll(async () => {
  await program.stop();
  for (const end of ends.reverse()) end();
});

const evil = 'https://evil.example';
type Row = readonly [what: string, sent: Sent, status: number];
const without = { cookie: undefined, 'x-vaultdoor-console': undefined };

const reading: readonly Row[] = [
  ['both halves', {}, 200],
  ['nothing', { headers: without }, 401],
  ['the cookie alone', { headers: { 'x-vaultdoor-console': undefined } }, 401],
  ['the key alone', { headers: { cookie: undefined } }, 401],
  ['a wrong key', { headers: { 'x-vaultdoor-console': 'A'.repeat(43) } }, 401],
  ['a page of another site', { headers: { origin: evil, 'sec-fetch-site': 'cross-site' } }, 403],
  ['a page of another port', { headers: { origin: 'http://localhost:3000' } }, 403],
  ['a link of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
  ['another port without Origin', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
  ['a frame of no origin', { headers: { origin: 'null' } }, 403],
  ['a foreign name (rebinding)', { host: 'evil.example' }, 403],
  ['a foreign name with its page', { host: 'evil.example', headers: { origin: evil } }, 403],
  ['a proxy that was not declared', { headers: { 'x-forwarded-for': '203.0.113.7' } }, 403],
];

describe.each(['/me', '/changes', '/note?path=A.md', '/tokens', '/events', '/file?path=a.png'])(
  'GET %s',
  (path) => {
    it.each(reading.slice(1))('with %s', async (_, sent, status) => {
      const got = await owner.send(path, sent);
      expect(got.status).toBe(status);
      expect(got.headers['access-control-allow-origin']).toBeUndefined();
      expect(got.text).not.toContain('text of A');
    });

    it("with an agent's token", async () => {
      const headers = { ...without, authorization: `Bearer ${token}` };
      expect((await owner.send(path, { headers })).status).toBe(401);
    });
  },
);

const writing: readonly Row[] = [
  ['nothing', { headers: without }, 401],
  ['the cookie alone', { headers: { 'x-vaultdoor-console': undefined } }, 401],
  ['a form of another site', { headers: { origin: evil, 'content-type': 'text/plain' } }, 403],
  ['a page of another port', { headers: { origin: 'http://localhost:3000' } }, 403],
  ['a program without Origin', { headers: { origin: undefined } }, 403],
  ['a foreign name', { host: 'evil.example' }, 403],
];

describe.each([
  ['POST', '/undo', { ids: [1] }],
  ['POST', '/base', { path: 'A.md', block: 'views: []' }],
  ['POST', '/questions/q1', { says: 'once' }],
  ['POST', '/proposals/accept', { names: ['p1'] }],
  ['POST', '/tokens', { name: 'mine', effects: ['read'] }],
  ['DELETE', '/tokens/x', undefined],
  ['POST', '/sign-out', { everywhere: true }],
] as const)('%s %s', (method, path, body) => {
  it.each(writing)('with %s', async (_, sent, status) => {
    const got = await owner.send(path, { method, body, ...sent });
    expect(got.status).toBe(status);
  });

  it("with an agent's token", async () => {
    const headers = { ...without, authorization: `Bearer ${token}` };
    expect((await owner.send(path, { method, body, headers })).status).toBe(401);
  });

  it('is not asked for by pages of others', async () => {
    const headers = { origin: evil, 'access-control-request-method': method };
    const got = await owner.send(path, { method: 'OPTIONS', headers });
    expect([got.status, got.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });
});

describe('links', () => {
  it('work once', async () => {
    await expect(ConsoleBrowser.enter(linkIn(program.stdout))).rejects.toThrow('403');
  });

  it('come from "vaultdoor console", which asks this server', async () => {
    const argv = ['console', '--no-browser', '--vault', folder];
    const { stdout, code } = await runCli(argv, program.env);
    expect([code, new URL(linkIn(stdout)).port]).toEqual([0, new URL(program.url).port]);
    const second = await ConsoleBrowser.enter(linkIn(stdout));
    expect((await second.send('/me')).status).toBe(200);
  });
});

it('shows a base that stands in a note', async () => {
  const body = { path: 'A.md', block: 'filters: file == this\nviews: [{ name: V, type: list }]\n' };
  expect(await owner.json('/base', { method: 'POST', body })).toMatchObject({
    ...{ view: 'V', type: 'list', this: 'A.md', total: 1 },
    rows: [{ path: 'A.md', cells: ['A'] }],
  });
});

it('opens nothing else: MCP takes neither half', async () => {
  const headers = { cookie: owner.cookie, 'x-vaultdoor-console': owner.key };
  const asked = { method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } };
  const bare = await HttpProcess.start({
    folder,
    args: ['--auth', 'token'],
    env: stateOf(program),
  });
  const got = await send(bare.url, { ...asked, headers });
  expect(got.status).toBe(401);
  await bare.stop();
});

it('is not there with --no-console', async () => {
  const bare = await HttpProcess.start({ folder, args: ['--no-console'] });
  expect(linkIn(bare.stdout)).toBe('');
  for (const path of ['/', '/c/', '/c/api/me']) {
    expect((await send(bare.at(path), {})).status).toBe(404);
  }
  await bare.stop();
});

it('has left the vault as it was, and told the log no secret', () => {
  expect(readFileSync(join(folder, 'A.md'), 'utf8')).toBe('text of A\n');
  const secrets = [owner.key, owner.cookie.split('=')[1] ?? '', token, 'text of A'];
  for (const secret of secrets) expect(program.stderr).not.toContain(secret);
});

function stateOf({ env }: HttpProcess): Record<string, string> {
  return { XDG_STATE_HOME: env['XDG_STATE_HOME'] ?? '' };
}
