// Tests `vaultdoor serve --bridge` with a real browser. A web page that a user happens to visit can
// neither list nor call tools, whatever it tries. A page of an allowed origin can. Each attack is
// also made on a server that allows every page. It must succeed there; otherwise its failure on the
// other server would prove nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { connect, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { attacks, looks, unsigned, whereOpen } from './browser-attacks.mjs';
import {
  check,
  exampleVault,
  installed,
  serveWords,
  startServer,
  systemProgram,
  temporaryHome,
  until,
} from './outside-programs.mjs';

const modules = await installed('playwright-core', '1.64.1');
const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');
const executablePath = await systemProgram('chromium');

const { home, env } = temporaryHome('browser');
const pages = createServer(servePage);
const pagePort = await listening(pages);
const pageOf = (name) => `http://${name}:${pagePort}`;
const [evil, good] = [pageOf('evil.example'), pageOf('good.example')];

/** Listens on a free port and returns the port. The server does not keep this process alive. */
async function listening(server) {
  server.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address().port;
}

/**
 * Returns an address that leads to the same server through a proxy in this process. The proxy
 * records the status of each answer, because a browser does not reveal all of them.
 */
async function tapped(address, statuses) {
  const { port } = new URL(address);
  const tap = createTcpServer((client) => {
    const server = connect(port, '127.0.0.1');
    server.on('data', (bytes) => {
      const lines = bytes.toString('latin1').matchAll(/^HTTP\/1\.1 (\d+) /gm);
      for (const [, status] of lines) statuses.push(Number(status));
    });
    server.on('error', () => client.destroy());
    client.on('error', () => server.destroy());
    client.pipe(server).pipe(client);
  });
  return address.replace(`:${port}`, `:${await listening(tap)}`);
}

/** Answers with an empty page, or with a redirect to the address in the parameter `to`. */
function servePage(request, response) {
  const to = new URL(request.url, 'http://x').searchParams.get('to');
  if (to !== null) response.writeHead(307, { location: to });
  else response.writeHead(200, { 'content-type': 'text/html' });
  response.end('<!doctype html><title>A page</title>');
}

const browser = await chromium.launch({
  executablePath,
  env,
  args: [
    // All names mean this machine. So the browser treats all pages alike, and only the server
    // itself can keep a page out.
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
    ...['--disable-background-networking', '--disable-component-update'],
  ],
});

/** Starts a server on its own copy of the example vault. */
async function serve(name, ...args) {
  const vault = exampleVault(join(home, name));
  const words = serveWords('--vault', vault, '--bridge-port', '0', ...args);
  const server = await startServer(words, env);
  await until(
    () => server.seen.stdout.includes('Ctrl-C'),
    () => server.seen.stdout,
  );
  const [bridge] = /http:\S+\/bridge\/v1(?=\n)/.exec(server.seen.stdout);
  const statuses = [];
  const [mcp, v1] = [await tapped(server.url, statuses), await tapped(bridge, statuses)];
  return { ...server, vault, statuses, url: mcp, bridge: v1 };
}

/**
 * For each door: the addresses for listing, listening and calling, and the body that makes a note.
 */
const doors = {
  'Bridge v1': ({ bridge }) => ({
    list: `${bridge}/tools`,
    events: `${bridge}/tools/events`,
    call: `${bridge}/tools/create_note/call`,
    body: (note) => ({ arguments: { path: note, content: 'From a page.' } }),
  }),
  MCP: ({ url }) => ({
    list: url,
    events: url,
    call: url,
    body: (note) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'note_upsert', arguments: { path: note, content: 'From a page.' } },
    }),
  }),
};

/** All files of a vault with their text, as one string to compare. */
function filesIn(vault) {
  const entries = readdirSync(vault, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  return JSON.stringify(files.sort().map((file) => [file, readFileSync(file, 'latin1')]));
}

/** The only page of the browser, and the number of its requests that are not answered yet. */
const page = await browser.newPage();
let underWay = 0;
page.on('request', () => underWay++);
page.on('requestfailed', () => underWay--);
page.on('requestfinished', () => underWay--);

function settled() {
  return until(
    () => underWay === 0,
    () => `${underWay} requests of ${page.url()}`,
  );
}

/**
 * Makes one attack. Returns what the page could read, the server's answers, and what it achieved.
 */
async function attack(origin, what, { server, door }) {
  const before = filesIn(server.vault);
  await page.goto(origin);
  const heard = server.statuses.length;
  const { list, events, call, body } = doors[door](server);
  const url = what === 'an event source' ? events : looks.includes(what) ? list : call;
  const given = { url, body: JSON.stringify(body(`${Object.keys(attacks).indexOf(what)}.md`)) };
  let read = '';
  let why = '';
  try {
    read = await page.evaluate(attacks[what], given);
  } catch (error) {
    why = String(error);
  }
  await settled();
  const wrote = filesIn(server.vault) !== before;
  const did = wrote ? 'writes' : read === '' ? 'nothing' : 'reads';
  return { did, read, why, statuses: server.statuses.slice(heard) };
}

const closed = await serve('closed', '--allow-origin', good, '--allow-host', 'good.example');
const open = await serve('open', '--allow-origin', '*');
for (const what of Object.keys(attacks)) {
  for (const door of Object.keys(doors)) {
    const made = await attack(evil, what, { server: closed, door });
    const { did, statuses } = made;
    // A request without an Origin is answered, but the browser does not show the answer to the
    // page.
    const refusal = what === 'a socket' ? 400 : 403; // The server has no WebSockets for anyone.
    const isRefused = statuses.every((status) => status === refusal) || unsigned.includes(what);
    check(`${door}, ${what}: nothing`, did === 'nothing' && isRefused && statuses.length > 0, made);
  }
  const made = await attack(evil, what, { server: open, door: 'Bridge v1' });
  const isRight = made.did === whereOpen[what] && made.statuses.length > 0;
  check(`a server for every page, ${what}: ${whereOpen[what]}`, isRight, made);
}

for (const [door, what, did, has] of [
  ['Bridge v1', 'fetch of a list', 'reads', '"read_note"'],
  ['Bridge v1', 'fetch of JSON', 'writes', '"success":true'],
  ['Bridge v1', 'an event source', 'reads', '"hash"'],
  ['MCP', 'fetch of JSON', 'writes', '"created'],
]) {
  const made = await attack(good, what, { server: closed, door });
  check(`an allowed page, ${door}, ${what}`, made.did === did && made.read.includes(has), made);
}

// DNS rebinding: the name of the attacker's page, with the server's port, now leads to this
// machine.
for (const [door, of] of Object.entries(doors)) {
  const { list, call, body } = of(closed);
  const own = (url) => url.replace('127.0.0.1', 'rebound.example');
  // The refusal itself is a page of the attacker's origin, so the attack can run in it.
  await page.goto(own(list));
  const before = filesIn(closed.vault);
  const sent = { list: own(list), call: own(call), body: JSON.stringify(body('rebound.md')) };
  const answers = await page.evaluate(async ({ list, call, body }) => {
    const headers = { 'content-type': 'application/json' };
    const all = [await fetch(list), await fetch(call, { method: 'POST', headers, body })];
    return Promise.all(all.map(async (answer) => [answer.status, await answer.text()]));
  }, sent);
  const isRefused = answers.every(([status, text]) => status === 403 && !text.includes('_note'));
  check(`${door}, rebound: 403`, isRefused && filesIn(closed.vault) === before, answers);
}

await browser.close();
for (const server of [closed, open]) check('the server ends', (await server.stop()) === 0, server);
process.stdout.write(`Chromium ${browser.version()}\n`);
