import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectAnswer, GuardedVault, placeOf, toldBeyond } from '../intrusion/guarded-vault.ts';
import {
  forwardedHeaders,
  honestRows,
  type KnockRow,
  methodRows,
  pageRows,
  unclearRows,
} from '../intrusion/head-cases.ts';
import { type Address, ask, beginSession, hello, knock, requestText } from '../intrusion/knock.ts';
import { pathRows, tool } from '../intrusion/path-cases.ts';
import { sizeRows } from '../intrusion/size-cases.ts';
import { httpEnv } from '../support/http-process.ts';
import { RawClient } from '../support/raw-http.ts';
import { bundle } from '../support/run-cli.ts';
import { tempFolder } from '../support/temp-folder.ts';

// Every way in without the right to, over real sockets to the built program: what is tried, and how
// the answer begins. After each, the vault is byte for byte as before, and the log has told nothing.
// What is tried with tokens is in http-intrusion-tokens.test.ts,
// and clients that never finish a request are in http-intrusion-slow.test.ts.

const ends: (() => void)[] = [];
const onFinished = (end: () => void): void => void ends.push(end);
afterAll(async () => {
  await vault.close().finally(() => {
    for (const end of ends.reverse()) end();
  });
});

let vault: GuardedVault;
/** On loopback, without tokens: every program of the machine may come in. */
let server: Address;

beforeAll(async () => {
  vault = new GuardedVault(onFinished);
  server = placeOf(await vault.serve(['--tools', 'agent,notes,obsidian']));
});

afterEach(() => vault.expectUntouched());

async function refused(...[, request, expected]: KnockRow): Promise<void> {
  const { line, headers } = await knock(server, request);
  expectAnswer(line, expected);
  // Nothing that a page of others could read, and nothing about what answers.
  expect(headers.get('access-control-allow-origin')).toBeNull();
  expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull();
}

async function honest(): Promise<string> {
  return (await knock(server)).line;
}

describe('whoever has the right to comes in', () => {
  it.each(honestRows)('%s', async (_, request, expected) => {
    expectAnswer((await knock(server, request)).line, expected);
  });
});

describe('web pages and names of others', () => {
  it.each(pageRows)('%s', refused);
});

describe('requests that could be understood in two ways', () => {
  it.each(unclearRows)('%s', refused);

  it('nothing is served after a refusal on the same connection', async () => {
    const foreign = { hosts: ['Host: evil.example'], headers: ['Connection: keep-alive'] };
    const client = new RawClient(server);
    client.send(requestText(server, foreign) + requestText(server));
    expect((await client.all()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403']);
  });
});

describe('methods and addresses', () => {
  it.each(methodRows)('%s', refused);
});

describe('a proxy or tunnel that nobody has declared', () => {
  it.each(forwardedHeaders)('%s', async (header) => {
    const [name = ''] = header.replaceAll('_', '-').split(':');
    for (const line of ['POST /mcp HTTP/1.1', 'GET /health HTTP/1.1']) {
      const answer = await knock(server, { line, headers: [header] });
      const expected = `403 -32000 These headers (${name}) show that a proxy or tunnel forwarded`;
      expectAnswer(answer.line, expected, '--public-url');
    }
  });
});

describe('names that could lead out of the vault', () => {
  it.each(pathRows)('%s', async (_, request, kind, part) => {
    const { line } = await ask(server, request);
    expectAnswer(line, `200 ${kind}`, part);
    expect(toldBeyond(request, line)).toBeUndefined();
  });
});

describe('too much at once', () => {
  it.each(sizeRows)('%s', refused);

  it('more requests than are taken are told to come again', async () => {
    const half = requestText(server, { headers: ['Content-Length: 99'] });
    const clients = Array.from({ length: 520 }, () => new RawClient(server).send(half));
    await expect
      .poll(honest, { timeout: 20_000 })
      .toContain('503 -32000 The server has too many requests under way.');
    for (const client of clients) client.leave();
    await expect.poll(honest, { timeout: 20_000 }).toBe('200 ok {}');
  });
});

describe('a server that others than this machine can reach', () => {
  // With signing in, it starts without a token: see serve-sign-in.test.ts.
  const tunnel = ['--public-url', 'https://notes.example.org', '--oauth', 'off'];
  it.each<readonly [string, readonly string[], string, host: string]>([
    ['all networks', ['--host', '0.0.0.0'], 'Other machines can reach', '0.0.0.0'],
    ['all networks of IPv6', ['--host', '::'], 'Other machines can reach the server at ::', '::'],
    ['a tunnel', tunnel, 'With --public-url, other machines', '127.0.0.1'],
    ['tokens alone', ['--auth', 'token'], '--auth token is given', '0.0.0.0'],
  ])('is not started without a token: %s', async (_, args, why, host) => {
    const { code, stdout, stderr } = await vault.run('serve', '--port', '0', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expectAnswer(stderr, `vaultdoor: ${why}`, 'so apps need a token, and there is none yet.');
    expect(stderr).toContain('vaultdoor token create');
    expect(stderr).toContain(
      ` --host ${host} --port 0 --auth ${args === tunnel ? 'proxy' : 'none'}\n`,
    );
  });

  const [address] = Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map((one) => one.address);

  it.skipIf(address === undefined)(
    "is the seed's own set-up, over its address in the network",
    async () => {
      const host = address ?? '';
      const port = await freePort();
      const folder = tempFolder({ 'devlog/a.md': 'alpaca\n' });
      const env = {
        ...httpEnv({ folder }),
        HOST: '0.0.0.0',
        VAULTDOOR_AUTH: 'none',
        PORT: String(port),
      };
      const child = spawn(process.execPath, [bundle, 'serve'], { env });
      onFinished(() => child.kill('SIGKILL'));
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      await expect.poll(() => said, { timeout: 30_000 }).toContain('Ctrl-C ends it.');
      expect(said).toContain(`http://${host}:${port}/mcp`);
      expect(said).toContain('NO TOKEN IS CHECKED (--auth none): only your network');
      const there = { host, port };
      const session = (await knock(there, { body: hello })).headers.get('mcp-session-id') ?? '';
      const answer = await ask(there, { ...tool('note_read', { path: 'devlog/a.md' }), session });
      expectAnswer(
        answer.line,
        '200 ok',
        '"structuredContent":{"content":"alpaca\\n","exists":true}',
      );
      // What a proxy in front may say for itself is not looked at; who asks still is.
      expectAnswer((await knock(there, { token: 'of-the-proxy' })).line, '200 ok {}');
      for (const [headers, hosts] of [
        [['Origin: http://evil.example'], undefined],
        [[], ['Host: evil.example']],
        [['X-Forwarded-For: 203.0.113.7'], undefined],
      ] as const) {
        const { status } = await knock(there, { headers, ...(hosts && { hosts }) });
        expect(status).toBe(403);
      }
    },
  );
});

describe('more connections than are taken', () => {
  it('give way to whoever asks for something, and streams go on', async () => {
    const session = await beginSession(server);
    const stream = new RawClient(server);
    stream.send(requestText(server, { line: 'GET /mcp HTTP/1.1', session }));
    await stream.until(/^HTTP\/1.1 200 /);
    const silent = Array.from({ length: 2_100 }, () => new RawClient(server));
    await Promise.race(silent.map(({ ended }) => ended));
    expect(await honest()).toBe('200 ok {}');
    expect(stream.socket.destroyed).toBe(false);
    for (const client of [...silent, stream]) client.leave();
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
