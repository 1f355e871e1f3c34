import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createTls } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import { examineServer } from '../../src/cli/doctor/examine-server.ts';
import { connectionFinding } from '../../src/cli/doctor/server-connection.ts';
import type { ServerFinding } from '../../src/cli/doctor/server-finding.ts';
import { issuerOf } from '../../src/oauth/grants/issuer.ts';
import { runCli } from '../support/run-cli.ts';
import { doctorFaults } from './support/doctor-faults.ts';
import { startDoctorServer } from './support/doctor-server.ts';
import { type OwnAuthority, type OwnCertificate, ownAuthority } from './support/own-authority.ts';

// `vaultdoor doctor` against real servers with TLS on loopback: one that answers as it should, and one
// for each fault that a line of the doctor names.

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-doctor-'));
let authority: OwnAuthority;
let good: OwnCertificate;

beforeAll(() => {
  authority = ownAuthority(folder);
  good = authority.certificate({});
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type ServerOptions = Parameters<typeof startDoctorServer>[0];

async function start(options: ServerOptions) {
  const server = await startDoctorServer({ certificate: good, ...options });
  onTestFinished(server.close);
  return server;
}

/** All findings about a server, which is trusted unless it is said otherwise. */
async function examine(
  url: string,
  { ca = authority.root, askMs = Number(limits.doctorAskMs) } = {},
) {
  const issuer = issuerOf(url);
  if (issuer === undefined) throw new Error(`no issuer: ${url}`);
  const { signal } = new AbortController();
  return examineServer(issuer, { signal, askMs, nowMs: Date.now, ...(ca === '' ? {} : { ca }) });
}

/** The findings that are bad, as lines without the address of the server. */
function bad(findings: readonly ServerFinding[], url: string): string[] {
  return findings
    .filter(({ isOk }) => !isOk)
    .map(({ check, says, change }) => `${check}: ${says} ${change}`.replaceAll(url, '<url>'));
}

const everyCheck = [
  'connection',
  'certificate',
  'redirects',
  'resource document',
  'resource document at the root',
  'server document',
  'WWW-Authenticate',
  'GET /mcp',
  'Authorization',
  '/register',
  '/token',
  '/authorize',
  '/owner',
  '/c/',
  '/c/api',
  'clock',
];

it('an address of this machine is doubtful, because nobody outside reaches it', async () => {
  const { url } = await start({});
  const [connection] = await examine(url);
  expect(connection).toMatchObject({ check: 'connection', isOk: true, isDoubtful: true });
  expect(connection?.says).toContain(`Nobody outside reaches ${url}`);
});

it.each<readonly [host: string, addresses: readonly string[], isHere: boolean, says: RegExp]>([
  ['a.example.com', ['93.184.215.14'], false, /^The server answers at \S+$/],
  ['a.example.com', ['93.184.215.14'], true, /This machine is the server/],
  ['a.example.com', ['192.168.1.5'], false, /address of a private network/],
  ['nas.local', ['192.168.1.5'], false, /Nobody outside reaches https:\/\/nas\.local/],
])('whether %s at %j can be reached from outside (the server is here: %s)', (...row) => {
  const [host, addresses, isHere, says] = row;
  const address = addresses[0] ?? '';
  const origin = `https://${host}`;
  const found = connectionFinding(
    { addresses, address },
    { path: '', origin },
    { isHere, who: 'server' },
  );
  expect(found.says).toMatch(says);
  expect(found.isDoubtful).toBe(found.change === undefined ? undefined : true);
});

it('a server that does not run behind its proxy is one line, not one for each check', async () => {
  const proxy = createTls(good, (_request, response) => void response.writeHead(502).end());
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const url = `https://localhost:${(proxy.address() as AddressInfo).port}`;
  const found = await examine(url);
  expect(found.map(({ says }) => says).join('\n')).not.toContain('The server answers');
  expect(bad(found, url)).toEqual([
    expect.stringMatching(/^server: The proxy answers, but nothing behind it does \(502\)\. Start/),
  ]);
});

describe('a server that is well', () => {
  it('passes every check', async () => {
    const { url } = await start({});
    const findings = await examine(url);
    expect(findings.map(({ check }) => check)).toEqual(everyCheck);
    expect(bad(findings, url)).toEqual([]);
  });

  it('may be given with /mcp and a final slash', async () => {
    const { url } = await start({});
    expect(bad(await examine(`${url}/mcp`), url)).toEqual([]);
    expect(bad(await examine(`${url}/`), url)).toEqual([]);
  });

  it('may be below a path, whose root is not asked for', async () => {
    const { url, seen } = await start({ path: '/notes' });
    const findings = await examine(url);
    expect(bad(findings, url)).toEqual([]);
    expect(findings[0]?.says).toContain('a name of its own is safer');
    expect(seen.filter((line) => line.startsWith('GET /.well-known/oauth-pro'))).toHaveLength(1);
    expect(seen.filter((line) => line.startsWith('GET /c/'))).toEqual([]);
  });

  it('may be plain HTTP on this machine, without a certificate', async () => {
    const server = await startDoctorServer({});
    onTestFinished(server.close);
    const findings = await examine(server.url);
    expect(bad(findings, server.url)).toEqual([]);
    expect(findings.map(({ check }) => check)).not.toContain('certificate');
  });

  it('may lead from /owner to a page below it', async () => {
    const headers = { location: '/owner/sign-in' };
    const { url } = await start({ faults: { 'GET /owner': { status: 303, headers } } });
    expect(bad(await examine(url), url)).toEqual([]);
  });

  it('may have no console', async () => {
    const missing = { status: 404, headers: { 'content-type': 'application/json' } };
    const body = '{"error":{"code":-32000,"message":"There is nothing at this address."}}';
    const fault = { ...missing, body };
    const { url } = await start({ faults: { 'GET /c/': fault, 'GET /c/api/me': fault } });
    const findings = await examine(url);
    expect(bad(findings, url)).toEqual([]);
    expect(findings.find(({ check }) => check === '/c/')?.says).toContain('--no-console');
  });

  it('may have counted too many wrong tokens', async () => {
    const body = '{"error":{"message":"Too many wrong tokens came from this address."}}';
    // Only the call with a token is answered so; the server has then seen the token.
    const { url } = await start({ faults: { 'POST /mcp': { status: 429, body } } });
    expect(bad(await examine(url), url).map((line) => line.split(':')[0])).toEqual([
      'WWW-Authenticate',
    ]);
  });

  it('is sent nothing secret', async () => {
    const { url, seen } = await start({});
    await examine(url);
    const sent = seen.join('\n');
    expect(sent).not.toMatch(/cookie|passphrase/i);
    expect(sent.match(/"authorization":"[^"]*"/g)).toEqual([
      '"authorization":"Bearer vda_sent-by-vaultdoor-doctor-and-never-valid"',
    ]);
  });
});

describe('each line can fail', () => {
  it.each(doctorFaults)('%s', async (_, faults, expected) => {
    const { url } = await start({ faults });
    const found = bad(await examine(url), url);
    expect(
      found.filter((line) => expected.test(line)),
      found.join('\n'),
    ).toHaveLength(1);
    // Only what has to do with the fault is bad.
    expect(found.length).toBeLessThanOrEqual(3);
  });

  it('a call that gets no answer', async () => {
    const { url } = await start({ faults: { 'GET /mcp': 'none' } });
    expect(bad(await examine(url, { askMs: 2_000 }), url)).toEqual([
      expect.stringMatching(
        /^GET \/mcp: GET \/mcp got no answer\. There was no answer in 2 seconds/,
      ),
    ]);
  });

  it('a header Authorization that does not arrive', async () => {
    const { url } = await start({ swallows: ['authorization'] });
    expect(bad(await examine(url), url)).toEqual([
      expect.stringMatching(/^Authorization: The header Authorization does not arrive/),
    ]);
  });

  it.each<[string, number, RegExp | undefined]>([
    ['30 seconds ahead', 30_000, undefined],
    ['five minutes ahead', 5 * 60_000, /^clock: .* is 5 minutes ahead of the clock of this/],
    ['two hours behind', -2 * hourMs, /^clock: .* is 120 minutes behind the clock .*set-ntp/],
  ])('a clock that is %s', async (_, aheadMs, expected) => {
    const { url } = await start({ date: new Date(Date.now() + aheadMs).toUTCString() });
    const lines = bad(await examine(url), url);
    expect(lines).toEqual(expected === undefined ? [] : [expect.stringMatching(expected)]);
  });

  it('a clock that is not told', async () => {
    const { url } = await start({ date: '' });
    expect(bad(await examine(url), url)).toEqual([
      expect.stringMatching(/^clock: The answers have no Date header/),
    ]);
  });
});

describe('the certificate', () => {
  it.each<[fault: string, Parameters<OwnAuthority['certificate']>[0], expected: RegExp]>([
    ['has ended', { untilMs: -3 * dayMs }, /The certificate ended [23] days ago\. Renew it/],
    ['holds only later', { fromMs: 5 * hourMs }, /begins to hold only in [45] hours\. Set the/],
    ['ends soon', { untilMs: 5 * dayMs, fromMs: -85 * dayMs }, /ends in [45] days and was not/],
    ['is of another name', { names: 'DNS:other.example' }, /not for localhost but for DNS:other\./],
  ])('%s', async (_, options, expected) => {
    const { url } = await start({ certificate: authority.certificate(options) });
    expect(bad(await examine(url), url)).toEqual([expect.stringMatching(expected)]);
  });

  it('may hold for hours only, if most of its time is left', async () => {
    const short = authority.certificate({ fromMs: -2 * hourMs, untilMs: 10 * hourMs });
    const { url } = await start({ certificate: short });
    const findings = await examine(url);
    expect(bad(findings, url)).toEqual([]);
    expect(findings[1]?.says).toMatch(/holds for (9|10) hours/);
  });

  it('is not trusted, and the rest is checked all the same', async () => {
    const { url } = await start({});
    const findings = await examine(url, { ca: '' });
    expect(bad(findings, url)).toEqual([
      expect.stringMatching(/^certificate: The certificate is not trusted .*NODE_EXTRA_CA_CERTS/),
    ]);
    expect(findings).toHaveLength(everyCheck.length);
  });
});

describe('no connection', () => {
  it.each<[string, () => Promise<string>, RegExp]>([
    ['a closed port', closedPort, /cannot be reached\. Nothing listens there\./],
    ['a name that does not exist', async () => 'https://no-such-name.invalid', /cannot be reached/],
    ['plain HTTP where TLS is expected', plainPort, /speaks plain HTTP, not TLS/],
    ['a connection that is closed', () => rudePort('closes'), /cannot be reached/],
    ['a server that says nothing', () => rudePort('waits'), /no answer in 2 seconds/],
  ])('%s is the only finding', async (_, address, expected) => {
    const url = await address();
    expect(bad(await examine(url, { askMs: 2_000 }), url)).toEqual([
      expect.stringMatching(expected),
    ]);
  });

  async function plainPort(): Promise<string> {
    const server = await startDoctorServer({});
    onTestFinished(server.close);
    return server.url.replace('http:', 'https:');
  }

  async function closedPort(): Promise<string> {
    const server = await startDoctorServer({ certificate: good });
    await server.close();
    return server.url;
  }

  async function rudePort(does: 'closes' | 'waits'): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      if (does === 'closes') socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return `https://localhost:${(server.address() as AddressInfo).port}`;
  }

  it('ends at once when the command is interrupted', async () => {
    const issuer = issuerOf(await rudePort('waits'));
    const ending = new AbortController();
    setTimeout(() => ending.abort(), 50);
    if (issuer === undefined) throw new Error('no issuer');
    const examined = examineServer(issuer, {
      signal: ending.signal,
      // Longer than a test may take.
      askMs: 600_000,
      nowMs: Date.now,
    });
    await expect(examined).rejects.toThrow();
  });
});

describe('vaultdoor doctor', () => {
  /** Runs it in a home of its own, in which nothing is wrong. */
  const doctor = (words: readonly string[], env: Readonly<Record<string, string>>) =>
    runCli(['doctor', '--port', '1', ...words], { HOME: folder, ...env });

  /** The checks from outside, in the JSON that it has printed. */
  function proxyIn({ stdout }: { readonly stdout: string }) {
    const { ok, groups } = JSON.parse(stdout);
    const proxy = groups.find(({ name }: { name: string }) => name === 'proxy');
    return { ok, ...proxy };
  }

  it('exits with 0 if all is well, and trusts NODE_EXTRA_CA_CERTS', async () => {
    const { url } = await start({});
    const trusting = { NODE_EXTRA_CA_CERTS: authority.file };
    const said = await doctor(['--public-url', url, '--json'], trusting);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    const { ok, title, checks } = proxyIn(said);
    expect([ok, title]).toEqual([true, `Proxy and sign-in at ${url}/mcp`]);
    expect(checks.map(({ check }: { check: string }) => check)).toEqual(everyCheck);
    // The variable of the server stands for the option.
    const again = await doctor(['--json'], { ...trusting, VAULTDOOR_PUBLIC_URL: url });
    expect(again.code).toBe(0);
    expect(proxyIn(again)).toEqual(proxyIn(said));
  });

  it('exits with 6 if something is wrong, and says what to change', async () => {
    const { url } = await start({ swallows: ['authorization'] });
    const said = await doctor(['--public-url', url], {});
    expect(said).toMatchObject({ code: 6, stderr: '' });
    expect(said.stdout).toMatch(/^BAD {3}certificate +.*\n {6,}.*NODE_EXTRA_CA_CERTS/m);
    expect(said.stdout).toMatch(/^BAD {3}Authorization +.*\n {6,}Let the proxy pass the header/m);
    expect(said.stdout).toContain('2 things need attention: certificate, Authorization.');
  });

  it('reports what is wrong without the address of the server', async () => {
    const { url } = await start({ swallows: ['authorization'] });
    const trusting = { NODE_EXTRA_CA_CERTS: authority.file };
    const said = await doctor(['--report', '--public-url', url], trusting);
    expect(said.code).toBe(6);
    expect(said.stdout).toContain('| BAD | Authorization |');
    expect(said.stdout).not.toContain(new URL(url).host);
  });

  it.each([
    [['--json', '--report'], 'contradict each other'],
    [['--port', 'x'], '"--port" takes a number'],
    [['https://vault.example.com'], '"doctor" takes options only'],
    [['--public-url', 'http://vault.example.com'], 'Apps sign in only at an address that'],
    [['--public-url', 'https://me:pass@vault.example.com'], 'Apps sign in only at an address'],
    [['--public-url', 'vault.example.com'], 'Apps sign in only at an address'],
  ])('refuses %j', async (words, expected) => {
    const said = await runCli(['doctor', ...words], {});
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said.stderr).toContain(expected);
  });
});
