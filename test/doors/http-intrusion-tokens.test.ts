import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { folderRefusals, folderRows } from '../intrusion/folder-cases.ts';
import { expectAnswer, GuardedVault, placeOf, toldBeyond } from '../intrusion/guarded-vault.ts';
import { forwardedHeaders } from '../intrusion/head-cases.ts';
import {
  type Address,
  ask,
  beginSession,
  hello,
  type Knock,
  knock,
  requestText,
} from '../intrusion/knock.ts';
import { tool } from '../intrusion/path-cases.ts';
import { RawClient } from '../support/raw-http.ts';
import { modernMeta } from '../support/stdio-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Every way in without the right to, where tokens are asked for: what is tried with which token, and
// how the answer begins. After each, the vault is byte for byte as before, and the log has told
// nothing. What needs no token is in http-intrusion.test.ts.

const ends: (() => void)[] = [];
const onFinished = (end: () => void): void => void ends.push(end);
afterAll(async () => {
  await vault.close().finally(() => {
    for (const end of ends.reverse()) end();
  });
});

let vault: GuardedVault;
/** Offered by a tunnel: asks for tokens on loopback too. */
let server: Address;
/** Another server, which knows neither these tokens nor these sessions. */
let other: Address;
let tokens: Readonly<Record<TokenName, string>>;
type TokenName =
  | 'whole'
  | 'folder'
  | 'reader'
  | 'writer'
  /** Revoked by the first test that uses it. */
  | 'spent'
  /** May write, but not read: no command makes it. */
  | 'blind'
  /** Has expired. */
  | 'old'
  | 'narrowed';

beforeAll(async () => {
  vault = new GuardedVault(onFinished);
  await vault.run('append', 'Secret/zq.md', 'more of the quagga');
  vault.remember();
  const [whole, folder, reader, writer, spent] = await Promise.all([
    vault.token('whole'),
    vault.token('folder', '--folder', 'Work'),
    vault.token('reader', '--read-only'),
    vault.token('writer', '--scope', 'read,write'),
    vault.token('spent'),
  ]);
  const blind = vault.forgeToken('blind', { effects: ['write', 'destroy'] });
  const old = vault.forgeToken('old', { expiresMs: Date.now() - 1 });
  const narrowed = vault.forgeToken('narrowed', {});
  tokens = { whole, folder, reader, writer, spent, blind, old, narrowed };
  // A sync would bring this note into the vault.
  const remote = tempFolder({ 'okapi.md': 'okapi' }, onFinished);
  const args = [
    ...['--tools', 'agent,notes,obsidian'],
    ...['--public-url', 'https://notes.example.org'],
    ...['--sync', 'pull', '--sync-remote', remote],
  ];
  const started = [vault.serve(args), new GuardedVault(onFinished).serve([])];
  [server, other] = (await Promise.all(started)).map(placeOf) as [Address, Address];
});

afterEach(() => vault.expectUntouched());

const bothForms = 'Accept: application/json, text/event-stream';
const missing = '401 -32000 This server asks for a token.';
const wrong = '401 -32000 This token is not valid: it is unknown, revoked or expired.';
const authorized = (...values: readonly string[]): Knock => ({
  headers: values.map((value) => `Authorization: ${value}`),
});

describe('a token that is revoked while it is used', () => {
  it('ends its session, its stream and what it listens to', async () => {
    const token = tokens.spent;
    const session = await beginSession(server, token);
    const stream = open({ line: 'GET /mcp HTTP/1.1', token, session });
    const listening = open(listen(['vault:///Secret/zq.md'], token));
    await stream.until(/^HTTP\/1.1 200 .*\r\n\r\n/s);
    await listening.until(/subscriptions\/acknowledged/);
    await vault.run('token', 'revoke', 'spent');
    expectAnswer((await knock(server, { token, session })).line, wrong);
    await Promise.all([stream.ended, listening.ended]);
  });
});

describe('a token that is narrowed while it is used', () => {
  it('is narrow in the middle of a session', async () => {
    const from = { token: tokens.narrowed, session: await beginSession(server, tokens.narrowed) };
    expectAnswer((await ask(server, { ...reading, ...from })).line, '200 ok', '"exists":true');
    vault.editToken('narrowed', { effects: ['read'], folders: ['Work'] });
    expectAnswer((await ask(server, { ...reading, ...from })).line, '200 ok', '"exists":false');
    const writing = tool('note_upsert', { path: 'Work/okapi.md', content: 'okapi' });
    const { line } = await ask(server, { ...writing, ...from });
    expectAnswer(line, '200 isError Nothing can be changed here: this connection may only read.');
  });
  const reading = tool('note_read', { path: 'Secret/zq.md' });
});

describe('no token', () => {
  it.each<readonly [string, () => Knock]>([
    ['at all', () => ({})],
    ['for a new session', () => ({ body: hello })],
    ['but a browser that asks first', () => ({ headers: ['Origin: https://notes.example.org'] })],
    ['in the head, but in the address', () => ({ line: at(`/mcp?token=${tokens.whole}`) })],
    ['but the name that others use', () => ({ line: at(`/mcp?access_token=${tokens.whole}`) })],
    ['but a cookie', () => ({ headers: [`Cookie: token=${tokens.whole}`] })],
    ['but a header of another kind', () => ({ headers: [`X-API-Key: ${tokens.whole}`] })],
    ['but one for a proxy', () => ({ headers: [`Proxy-Authorization: Bearer ${tokens.whole}`] })],
    ['by way of health', () => ({ line: at('/health/../mcp') })],
    ['by way of health, encoded', () => ({ line: at('/health/%2e%2e/mcp') })],
    ['with another method', () => ({ line: 'PUT /mcp HTTP/1.1' })],
    ['but a body that never comes', () => ({ headers: ['Content-Length: 1000000'], body: '' })],
    ['but a body that would take long to read', () => ({ body: '['.repeat(8_000_000) })],
    ['but a body that is too large', () => ({ headers: ['Content-Length: 99999999'], body: '' })],
    ['but the word of a proxy', () => ({ headers: ['X-Forwarded-For: 127.0.0.1'] })],
    ['but a login of Tailscale', () => ({ headers: ['Tailscale-User-Login: me@example.org'] })],
  ])('%s', async (_, request) => {
    const answer = await knock(server, request());
    expectAnswer(answer.line, missing);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="vaultdoor"');
  });
});

describe('a wrong token', () => {
  // No more of them than may be wrong within a minute.
  it.each<readonly [string, () => Knock]>([
    ['that was never made', () => ({ token: `vd_${'x'.repeat(43)}` })],
    ['that was revoked', () => ({ token: tokens.spent })],
    ['that has expired', () => ({ token: tokens.old })],
    ['that is cut', () => ({ token: tokens.whole.slice(0, -1) })],
    ['in other letters', () => ({ token: tokens.whole.toUpperCase() })],
    ['that is what is kept of it', () => ({ token: sha256(tokens.whole) })],
    ['with a space in it', () => authorized(`Bearer vd_ ${tokens.whole.slice(3)}`)],
    ['of another kind', () => authorized(`Basic ${btoa(`me:${tokens.whole}`)}`)],
    ['beside a right one', () => authorized(`Bearer ${tokens.whole}`, 'Bearer x')],
  ])('%s', async (_, request) => {
    const answer = await knock(server, request());
    expectAnswer(answer.line, wrong);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('is wrong where none is asked for, too', async () => {
    expectAnswer((await knock(other, { token: tokens.whole })).line, wrong);
  });
});

describe('a right token', () => {
  it.each<readonly [string, () => Knock]>([
    ['as it is', () => ({ token: tokens.whole })],
    ['with the scheme in other letters', () => authorized(`bEARER ${tokens.whole}`)],
    ['with more spaces', () => authorized(`Bearer   ${tokens.whole}  `)],
    ['by the public name', () => ({ token: tokens.whole, hosts: ['Host: notes.example.org'] })],
    ...forwardedHeaders.map(
      (header) => [header, () => ({ token: tokens.whole, headers: [header] })] as const,
    ),
  ])('comes in: %s', async (_, request) => {
    expectAnswer((await knock(server, request())).line, '200 ok {}');
  });

  it.each<readonly [string, Knock, string]>([
    ['from a page', { headers: ['Origin: http://evil.example'] }, '403 -32000 Web pages of'],
    [
      'from a page of the public name without TLS',
      { headers: ['Origin: http://notes.example.org'] },
      '403 -32000 Web pages of',
    ],
    [
      'by another name',
      { hosts: ['Host: evil.example'] },
      '403 -32000 This server does not know the name',
    ],
    [
      'by another name of the proxy',
      { hosts: ['Host: evil.example'], headers: ['X-Forwarded-Host: notes.example.org'] },
      '403 -32000 This server does not know the name',
    ],
  ])('does not: %s', async (_, request, expected) => {
    expectAnswer((await knock(server, { ...request, token: tokens.whole })).line, expected);
  });
});

describe('the id of a session', () => {
  let own: string;
  const notFound = '404 -32001 Session not found. Send "initialize"';
  beforeAll(async () => {
    own = await beginSession(server, tokens.whole);
  });

  it('lets the one in who has it', async () => {
    const request = { method: 'ping', token: tokens.whole, session: own };
    expectAnswer((await ask(server, request)).line, '200 ok {}');
  });

  it.each<readonly [string, () => string]>([
    ['that nobody was given', () => crypto.randomUUID()],
    ['that is nothing', () => ''],
    ['that is cut', () => own.slice(0, -1)],
    ['without its signature', () => own.split('.').slice(0, 2).join('.')],
    ['with a signature of nothing', () => own.replace(/[^.]+$/, 'A'.repeat(22))],
    ['with a letter changed in it', () => own.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['with another connection', () => own.replace(/^[^.]+/, crypto.randomUUID())],
    ['that says other things', () => own.replace(/\.[^.]+\./, `.${facts()}.`)],
    ['in other letters', () => own.toUpperCase()],
    ['that is too long', () => `${own}${'A'.repeat(5_000)}`],
    ['twice', () => `${own}, ${own}`],
    ['of a path', () => '../../etc/passwd'],
  ])('is refused, one %s', async (_, session) => {
    for (const line of ['POST', 'GET', 'DELETE'].map((method) => `${method} /mcp HTTP/1.1`)) {
      const answer = await knock(server, { line, token: tokens.whole, session: session() });
      expectAnswer(answer.line, notFound);
    }
  });

  it.each<readonly [string, () => Promise<Knock>, string]>([
    ['by another token', async () => ({ session: own, token: tokens.folder }), notFound],
    ['without a token', async () => ({ session: own }), missing],
    ['of another token', async () => ({ ...(await of('folder')), token: tokens.whole }), notFound],
    [
      'of another server, whose key is another',
      async () => ({ session: await beginSession(other), token: tokens.whole }),
      notFound,
    ],
    ['that has ended', async () => ({ ...(await ended()), token: tokens.whole }), notFound],
  ])('is refused, used %s', async (_, request, expected) => {
    expectAnswer((await knock(server, await request())).line, expected);
  });

  it('is not ended by another token', async () => {
    await knock(server, { line: 'DELETE /mcp HTTP/1.1', session: own, token: tokens.folder });
    const request = { method: 'ping', token: tokens.whole, session: own };
    expectAnswer((await ask(server, request)).line, '200 ok {}');
  });

  it('does not go on with an answer to someone else', async () => {
    const asked = { ...tool('note_read', { path: 'Secret/zq.md' }), headers: [bothForms] };
    const told = await ask(server, { ...asked, token: tokens.whole, session: own });
    expect(told.body).toContain('quagga');
    const [, event = ''] = /^id: (\S+)/m.exec(told.body) ?? [];
    const from = { ...(await of('folder')), token: tokens.folder };
    const headers = [`Last-Event-ID: ${event}`];
    const { body } = await knock(server, { ...from, line: 'GET /mcp HTTP/1.1', headers });
    // It is not there for this one, as if it were no longer kept.
    expect(body).toContain('the answer is no longer kept');
    expect(body).not.toContain('quagga');
  });

  const of = async (name: 'folder'): Promise<Knock> => ({
    session: await beginSession(server, tokens[name]),
  });
  const ended = async (): Promise<Knock> => {
    const session = await beginSession(server, tokens.whole);
    await knock(server, { line: 'DELETE /mcp HTTP/1.1', session, token: tokens.whole });
    return { session };
  };
});

describe('a token for another folder', () => {
  it.each(folderRows)('is not shown %s', async (_, request, kind, part) => {
    const { line } = await ask(server, { ...request, token: tokens.folder });
    expectAnswer(line, `200 ${kind}`, part);
    expect(toldBeyond(request, line)).toBeUndefined();
    const modern = await ask(server, { ...request, token: tokens.folder, era: '2026' });
    expectAnswer(modern.line, '200', kind === '-32002' ? '-32602' : kind);
    expect(toldBeyond(request, modern.line)).toBeUndefined();
    const control = await ask(server, { ...request, token: tokens.whole });
    expect(toldBeyond(request, control.line), 'by someone else').toBeDefined();
  });

  it.each(folderRefusals)('is refused %s', async (_, request, kind, part) => {
    const { line } = await ask(server, { ...request, token: tokens.folder });
    expectAnswer(line, `200 ${kind}`, part);
    expect(toldBeyond(request, line)).toBeUndefined();
  });

  it('subscribes to nothing outside', async () => {
    const session = await beginSession(server, tokens.folder);
    const subscribe = (uri: string) => ({ method: 'resources/subscribe', params: { uri } });
    const from = { token: tokens.folder, session };
    const outside = await ask(server, { ...subscribe('vault:///Secret/zq.md'), ...from });
    expectAnswer(outside.line, '200 -32002 There is no file "Secret/zq.md"');
    const inside = await ask(server, { ...subscribe('vault:///Work/Open.md'), ...from });
    expectAnswer(inside.line, '200 ok {}');
  });

  it('hears of nothing outside', async () => {
    const uris = ['vault:///Secret/zq.md', 'vault:///Work/Open.md', 'vault:///Workshop/Quagga.md'];
    const listening = open(listen(uris, tokens.folder));
    await listening.until(/subscriptions\/acknowledged/);
    for (const path of ['Secret/zq.md', 'Workshop/Quagga.md', 'Work/Open.md']) {
      appendFileSync(join(vault.folder, path), 'more\n');
    }
    await listening.until(/resources\/updated/);
    vault.remember();
    expect(listening.received).toContain('Work/Open.md');
    expect(listening.received).not.toMatch(/Secret|Workshop/);
    listening.leave();
  });
});

describe('a token for less than everything', () => {
  it.each<readonly ['reader' | 'writer' | 'blind', RegExp, string]>([
    ['reader', /"(destructiveHint)":/, 'may only read.'],
    ['writer', /"(destructiveHint)":true/, 'may only read and write.'],
    ['blind', /"(readOnlyHint)":true/, 'may only write and destroy.'],
  ])('%s is neither shown nor given the rest', async (name, kept, says) => {
    const token = tokens[name];
    const list = async (of: string): Promise<readonly { readonly name: string }[]> => {
      const { body } = await ask(server, { method: 'tools/list', token: of });
      return JSON.parse(body).result.tools;
    };
    const shown = (await list(token)).map((tool) => tool.name);
    const others = (await list(tokens.whole)).filter((tool) => kept.test(JSON.stringify(tool)));
    expect(others.length).toBeGreaterThan(5);
    for (const { name: tried } of others) {
      expect(shown).not.toContain(tried);
      const { line } = await ask(server, { ...tool(tried, {}), token });
      expect(line, tried).toMatch(/^200 (isError|-32005) Nothing can be/);
      expect(line, tried).toContain(says);
    }
  });

  it.each<readonly [string, string, Record<string, unknown>]>([
    ['a resource', 'resources/read', { uri: 'vault:///Work/Open.md' }],
    ['resources', 'resources/list', {}],
    ['a prompt', 'prompts/get', { name: 'note', arguments: { name: 'Open' } }],
  ])('one that may not read is not shown %s', async (_, method, params) => {
    const { line } = await ask(server, { method, params, token: tokens.blind });
    expectAnswer(line, '200 -32602 Nothing can be read here: this connection may only write');
  });

  it('cannot be made without the right to read', async () => {
    const { code, stderr } = await vault.run('token', 'create', 'x', '--scope', 'write');
    expect([code, stderr]).toEqual([2, expect.stringContaining('"--scope" must include read')]);
  });
});

describe('too many wrong tokens', () => {
  it('are told to wait, and a right one comes in all the same', async () => {
    // More than twice as many as a minute allows: one may have begun in between.
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => knock(server, { token: `vd_okapi${index}` })),
    );
    const late = answers.find(({ status }) => status === 429);
    expectAnswer(late?.line ?? '', '429 -32000 Too many wrong tokens came from this address. Wait');
    expect(Number(late?.headers.get('retry-after'))).toBeGreaterThan(0);
    expectAnswer((await knock(server, { token: tokens.whole })).line, '200 ok {}');
  });
});

function open(request: Knock): RawClient {
  const client = new RawClient(server).send(requestText(server, request));
  onFinished(() => client.leave());
  return client;
}

function listen(uris: readonly string[], token: string): Knock {
  const params = { notifications: { resourceSubscriptions: uris }, _meta: modernMeta };
  return {
    token,
    headers: [bothForms, 'Mcp-Protocol-Version: 2026-07-28', 'Mcp-Method: subscriptions/listen'],
    body: { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params },
  };
}

function at(target: string): string {
  return `POST ${target} HTTP/1.1`;
}

function sha256(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** What an id says of its session, with a later beginning. */
function facts(): string {
  const values = [Date.now() + 1, '2025-11-25', false, 'x', '1'];
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}
