// A real browser against `vaultdoor serve --bridge`: a page that you happen to visit can neither list
// nor call tools, whatever it tries; a page of an allowed origin can. Each attack is also made on a
// server that lets every page in, where it must do what such an attack does: else it would prove
// nothing.
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

/** Listens on a free port of this machine and answers which; does not keep the process alive. */
async function listening(server) {
  server.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  return server.address().port;
}

/** The same address by way of us, who note what the server answers: a browser does not say it all. */
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

/** An empty page, or the way on to wherever a page wants to be led. */
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
    // All names are this machine: no page comes from farther away than another, so that nothing but
    // the server itself keeps one out.
    '--host-resolver-rules=MAP *.example 127.0.0.1',
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
    ...['--disable-background-networking', '--disable-component-update'],
  ],
});

/** A server on a vault of its own. */
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

/** How a door is asked to list, to listen, and to make a note. */
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

/** Everything in a vault, with its text. */
function filesIn(vault) {
  const entries = readdirSync(vault, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  return JSON.stringify(files.sort().map((file) => [file, readFileSync(file, 'latin1')]));
}

/** The one page there is, and how many requests of it are under way. */
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

/** Makes one attack: what the page got to read, what the server answered, and whether it wrote. */
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
    // What sends no Origin is let in: a browser keeps from the page what it was answered.
    const refusal = what === 'a socket' ? 400 : 403; // Nobody may open one, from wherever.
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

// DNS rebinding: a page whose own name, at the server's own port, has come to mean this machine.
for (const [door, of] of Object.entries(doors)) {
  const { list, call, body } = of(closed);
  const own = (url) => url.replace('127.0.0.1', 'rebound.example');
  // What is refused is a page, too, of the origin that the attacker's would have.
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
