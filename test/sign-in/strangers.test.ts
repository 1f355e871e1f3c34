import { execFileSync } from 'node:child_process';
import { request as httpRequest } from 'node:http';
import { expect, it } from 'vitest';
import { messagesIn } from '../support/http-door.ts';
import { HttpProcess, httpEnv } from '../support/http-process.ts';
import { bundle } from '../support/run-cli.ts';
import {
  backIn,
  claude,
  passphrase,
  postAsProgram,
  type ReachedDoor,
  TestBrowser,
  verifier,
} from '../support/sign-in-door.ts';
import { legacyHello } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const host = 'vault.example.com';
const args = ['--public-url', `https://${host}`];

/** The built server with an owner, and how browsers and programs reach it over its socket. */
async function served(): Promise<{ server: HttpProcess; at: ReachedDoor; folder: string }> {
  const folder = tempFolder({ 'A.md': 'text of A' });
  const env = httpEnv({ folder });
  const input = `${passphrase}\n${passphrase}\n`;
  execFileSync(process.execPath, [bundle, 'owner', 'set'], { env, input });
  const server = await HttpProcess.start({ folder, args, env });
  return { server, at: reached(server), folder };
}

function reached(server: HttpProcess): ReachedDoor {
  const { port } = new URL(server.url);
  const handle = async (sent: Request): Promise<Response> => {
    const { pathname, search } = new URL(sent.url);
    const body = Buffer.from(await sent.arrayBuffer());
    return new Promise((resolve, reject) => {
      const headers = { ...Object.fromEntries(sent.headers), host };
      const options = { port, host: '127.0.0.1', method: sent.method, headers, agent: false };
      const request = httpRequest({ ...options, path: `${pathname}${search}` }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('error', reject).on('end', () => {
          const got = new Headers();
          for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
            for (const value of values) got.append(name, value);
          }
          const text = pieces.length === 0 ? null : Buffer.concat(pieces);
          resolve(new Response(text, { status: answer.statusCode ?? 0, headers: got }));
        });
      });
      request.on('error', reject).end(body.length === 0 ? undefined : body);
    });
  };
  const issuer = { origin: `https://${host}` };
  return { door: { handle }, issuer };
}

it('a cookie with thousands of spaces holds nobody up', async () => {
  const { server, at } = await served();
  const stranger = new TestBrowser(at);
  const cookie = `a=${' '.repeat(15_000)}x`;
  // Each of them held the server for a fifth of a second: together for longer than a test may take.
  for (let round = 0; round < 10; round++) {
    const all = Array.from({ length: 40 }, () => stranger.get('/owner', { cookie }));
    for (const { status } of await Promise.all(all)) expect(status).toBe(200);
  }
  await server.stop();
});

it('many requests of strangers neither keep the owner out nor fill the log', async () => {
  const { server, at } = await served();
  const owner = new TestBrowser(at);
  const path = await owner.begin();
  for (let times = 0; times < 150; times++) await new TestBrowser(at).begin();
  const late = await owner.post(`${path}/sign-in`, { passphrase });
  expect([late.status, await late.text()]).toEqual([400, expect.stringContaining('signed in')]);
  const next = await owner.begin();
  for (let times = 0; times < 150; times++) await new TestBrowser(at).begin();
  expect((await owner.consent(next)).status).toBe(200);
  await server.stop();
  expect(server.stderr.match(/step=authorize/g)?.length).toBeLessThan(250);
});

it('a token for reading does not borrow the rights of another token in the same session', async () => {
  const first = await served();
  const browser = new TestBrowser(first.at);
  await browser.signIn();
  const page = await (await browser.consent(await browser.begin())).text();
  const token = async (at: ReachedDoor, fields: Record<string, string>) => {
    const { json } = await postAsProgram(at, '/token', { client_id: claude.id, ...fields });
    return json as Record<string, string>;
  };
  const { refresh_token = '', access_token: writer = '' } = await token(first.at, {
    grant_type: 'authorization_code',
    code: backIn(page).searchParams.get('code') ?? '',
    redirect_uri: claude.redirect,
    code_verifier: verifier,
  });
  const fields = { grant_type: 'refresh_token', refresh_token, scope: 'vault:read' };
  const { access_token: reader = '' } = await token(first.at, fields);
  const post = (at: ReachedDoor, by: string, body: object, session?: string) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${by}`,
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    return at.door.handle(new Request(`https://${host}/mcp`, request), '127.0.0.1');
  };
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: legacyHello };
  const session = (await post(first.at, writer, hello)).headers.get('mcp-session-id') ?? '';
  const list = { jsonrpc: '2.0', id: 'w', method: 'tools/list', params: {} };
  // First uses are written; the race below must not wait for that.
  for (const by of [reader, writer]) await post(first.at, by, list, session);
  let { server } = first;
  for (let times = 0; times < 3; times++) {
    await server.stop('SIGKILL');
    // After a restart the session is revived, which takes a moment.
    server = await HttpProcess.start({ folder: first.folder, args, env: server.env });
    const at = reached(server);
    const params = { name: 'append_note', arguments: { path: 'A.md', text: 'x' } };
    const append = [{ jsonrpc: '2.0', id: 'r', method: 'tools/call', params }];
    const [answer] = await Promise.all([
      post(at, reader, append, session),
      ...Array.from({ length: 6 }, (_, id) => post(at, writer, { ...list, id }, session)),
    ]);
    expect(JSON.stringify(await messagesIn(answer as Response))).toContain('may only read');
  }
  await server.stop();
});
