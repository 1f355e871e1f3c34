// Pages of others attack every address of the console while its owner is signed in in the same browser.
// The addresses are read from the table of routes, so that a new one is attacked too.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { check, repository, until } from '../outside-programs.mjs';
import { startConsole } from './console-server.mjs';
import { pageAttacks } from './page-attacks.mjs';

/** What would do harm, where an empty object would not. */
const bodies = {
  '/enter': { key: 'A'.repeat(43) },
  '/sign-out': { everywhere: true },
  '/undo': { ids: [1] },
  '/redo': { ids: [1] },
  '/questions/:id': { says: 'once' },
  '/proposals/accept': { names: ['p1'] },
  '/proposals/refuse': { names: ['p1'] },
  '/tokens': { name: 'mine', effects: ['read', 'write', 'destroy'] },
  '/restore-version': { path: 'Home.md', version: 1 },
};
const ids = { '/questions/:id': 'q1', '/proposals/:id': 'p1' };
const pages = ['/', '/c/', '/c/activity', '/c/approvals', '/c/enter', '/c/access'];

/** Every row of the table of routes. */
function routes() {
  const file = join(repository, 'src/doors/console/console-routes.ts');
  const text = readFileSync(file, 'utf8');
  const rows = Array.from(text.matchAll(/^ {2}\{ method: '(\w+)', path: '([^']+)',/gm));
  const written = text.split("{ method: '").length - 1;
  check(`all ${rows.length} addresses are read`, rows.length === written, { written });
  return rows.map(([, method, path]) => ({ method, path }));
}

/** The whole vault as one text. */
function filesIn(vault) {
  const entries = readdirSync(vault, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  return JSON.stringify(files.sort().map((file) => [file, readFileSync(file, 'latin1')]));
}

/** Tries everything that pages of others can do. `chromium` must resolve `*.example` to this machine. */
export async function attackChecks(chromium) {
  const given = {};
  const server = await startConsole({
    name: 'attacked',
    flags: ['--tools', 'notes', '--brake', '1', '--log-level', 'debug'],
    prepare: async ({ command }) => {
      const made = await command(['token', 'create', 'helper', '--propose', '--json']);
      given.token = JSON.parse(made.stdout).token;
    },
  });
  await server.callAs('helper', [['append_note', { name: 'Home', text: 'x' }]], given.token);
  const deletes = ['Swifts', 'Sourdough', 'Unit hydrograph'].map((name) => [
    'delete_note',
    { name },
  ]);
  await server.callAs('cursor', deletes);

  // The attacker's own server: empty pages, and redirects.
  const attacker = createServer((request, response) => {
    const to = new URL(request.url, 'http://x').searchParams.get('to');
    if (to !== null) response.writeHead(307, { location: to });
    else response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>A page</title>');
  });
  attacker.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => attacker.once('listening', resolve));
  const { port } = attacker.address();

  const context = await chromium.newContext();
  const owner = await context.newPage();
  await owner.goto(server.link);
  await owner.locator('.change').first().waitFor();
  // Activity asks for news when clients call. Here every request that is answered counts, so the owner
  // waits on a page that asks for nothing.
  await owner.goto(new URL('/c/nothing-here', server.origin).href);
  await owner.getByText('There is no such page').first().waitFor();
  /** What there is to lose, as the owner sees it. */
  const seen = () =>
    owner.evaluate(async () => {
      const headers = { 'X-Vaultdoor-Console': sessionStorage.getItem('vaultdoor-console') };
      const paths = ['me', 'tokens', 'questions', 'proposals', 'changes', 'open-sessions'];
      const all = paths.map(async (path) => {
        const answer = await fetch(`/c/api/${path}`, { headers });
        const { consoles, ...rest } = await answer.json();
        return [path, answer.status, rest, consoles?.length];
      });
      return JSON.stringify(await Promise.all(all)).replaceAll(/"usedMs":\d+/g, '');
    });
  const before = { files: filesIn(server.vault), seen: await seen() };
  check('the owner is signed in', before.seen.includes('["me",200,'), before.seen);
  const cookies = await context.cookies(`http://localhost:${port}`);
  check('another port is sent the cookie, so the second half is needed', cookies.length > 0);

  const all = routes();
  const targets = all.map(({ method, path }) => ({
    method,
    url: `${server.origin}/c/api${path.replace(':id', ids[path] ?? '1')}`,
    body: JSON.stringify(bodies[path] ?? {}),
  }));
  const page = await context.newPage();
  const sent = new Set();
  const answered = [];
  page.on('request', (request) => sent.add(`${request.method()} ${request.url()}`));
  page.on('response', (response) => {
    const url = response.url();
    if (url.startsWith(`${server.origin}/c/api`)) answered.push([url, response.status()]);
  });
  for (const from of [`http://evil.example:${port}`, `http://localhost:${port}`]) {
    const start = server.log().length;
    sent.clear();
    const read = [];
    for (const attack of Object.values(pageAttacks)) {
      await page.goto(from);
      read.push(...(await page.evaluate(attack, targets)));
    }
    check(`${from}: nothing is read`, read.length === 0, read);
    await owner.waitForTimeout(200);
    const log = logged(server.log().slice(start));
    const admitted = [
      ...log.filter(({ status }) => status < 400),
      ...answered.filter(([, status]) => status < 400),
    ];
    check(`${from}: every request is refused`, admitted.length === 0, admitted);
    const missed = targets.filter(({ method, url }) => !sent.has(`${method} ${url}`));
    check(`${from}: every address was attacked`, missed.length === 0 && log.length > 0, missed);
    await frameAndOpen(page, { from, origin: server.origin });
  }
  await rebind(page, { server, targets });

  check('nothing has changed in the vault', filesIn(server.vault) === before.files);
  const after = await seen();
  check('the owner is still signed in, and sees the same', after === before.seen, {
    before: before.seen,
    after,
  });
  await context.close();
  server.stop();
}

/** The requests to the console in a part of the server's log. */
function logged(text) {
  return text.split('\n').flatMap((line) => {
    const [, method, route, status] =
      /console\b.*method[=":]+(\w+).*route[=":]+([^\s",]+).*status[=":]+(\d+)/.exec(line) ?? [];
    return method === undefined ? [] : [{ method, route, status: Number(status) }];
  });
}

/** No page of the console is shown in a frame, and none can be reached through a window. */
async function frameAndOpen(page, { from, origin }) {
  await page.goto(from);
  await page.evaluate(
    async ({ pages, origin }) => {
      const loads = pages.map((path) => {
        const frame = document.createElement('iframe');
        frame.src = `${origin}${path}`;
        document.body.append(frame);
        return new Promise((resolve) => frame.addEventListener('load', resolve));
      });
      await Promise.all(loads);
    },
    { pages, origin },
  );
  const shown = page.frames().filter((frame) => frame !== page.mainFrame());
  const urls = () => shown.map((frame) => frame.url());
  await until(() => !urls().includes(''), urls);
  const isRefused =
    shown.length === pages.length && urls().every((url) => url.startsWith('chrome-error:'));
  check(`${from}: no page is framed`, isRefused, urls());

  const popup = page.waitForEvent('popup');
  const opened = page.evaluate(async (origin) => {
    const opened = window.open(`${origin}/c/activity#secret`);
    await new Promise((resolve) => setTimeout(resolve, 800));
    const read = [];
    const tries = [
      () => opened.location.hash,
      () => opened.document.title,
      () => opened.sessionStorage.getItem('vaultdoor-console'),
      () => (opened.frames.length > 0 ? 'frames' : ''),
    ];
    for (const look of tries) {
      try {
        read.push(look() ?? '');
      } catch {
        read.push('');
      }
    }
    opened.postMessage('hello', '*');
    return { isCut: opened.closed, read: read.join('') };
  }, origin);
  const console_ = await popup;
  await console_.waitForLoadState();
  const isAlone = await console_.evaluate(() => window.opener === null);
  const { isCut, read } = await opened;
  check(`${from}: a window is cut off`, isAlone && isCut && read === '', { isAlone, isCut, read });
  await console_.close();
}

/** A name of the attacker that leads to this machine (DNS rebinding): its pages are of our own origin. */
async function rebind(page, { server, targets }) {
  const own = (url) => url.replace('localhost', 'rebound.example');
  await page.goto(own(`${server.origin}/c/`));
  const answers = await page.evaluate(
    (all) =>
      Promise.all(
        all.map(async ({ method, url, body }) => {
          const headers = { 'content-type': 'application/json' };
          const init = method === 'GET' ? {} : { method, headers, body };
          return (await fetch(url, init)).status;
        }),
      ),
    targets.map((target) => ({ ...target, url: own(target.url) })),
  );
  const isRefused = answers.every((status) => status === 403);
  check('a rebound name is refused everywhere', isRefused && answers.length > 30, answers);
}
