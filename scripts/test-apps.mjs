// Shows our views in a real Chromium as an MCP client with the official library for MCP Apps does: the
// page is the client, its host side is `AppBridge`, and the view runs in a sandbox on another origin.
// The client talks to the built server. Pictures are kept in the folder that is given, or in
// /tmp/vaultdoor-apps.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import { startChromium } from './look-at-page.mjs';
import {
  check,
  exampleVault,
  installed,
  repository,
  run,
  serveWords,
  startServer,
  temporaryHome,
  until,
} from './outside-programs.mjs';

const folder = process.argv[2] ?? join(tmpdir(), 'vaultdoor-apps');
mkdirSync(folder, { recursive: true });
const library = await installed('@modelcontextprotocol/ext-apps', '2.0.4');
const axe = readFileSync(
  join(await installed('axe-core', '4.14.0'), 'axe-core', 'axe.min.js'),
  'utf8',
);

// The vault, with texts that would run or deceive on a careless page.
const { home, env } = temporaryHome('apps');
const vault = exampleVault(join(home, 'Tarnford'));
const evil = '<img src=x onerror=alert(1)>';
const note = (path) => readFileSync(join(vault, path), 'utf8');
writeFileSync(join(vault, `${evil}.md`), `<script>alert(1)</script>\nhydrograph ${evil} \u202e\n`);
writeFileSync(join(vault, 'Windows.md'), 'one\r\ntwo\r\nthree\r\n');
writeFileSync(join(vault, 'Link.md'), 'hydrograph at https://example.org/a?b=1 and\n</script>\n');
const server = await startServer(serveWords('--vault', vault, '--tools', 'notes,agent'), env);

/** Calls tools as a client that shows no views. */
async function callAs(name, calls) {
  const client = new Client({ name, version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  for (const [tool, args] of calls) await client.callTool({ name: tool, arguments: args });
  return client;
}

const plain = await callAs('claude-ai', [
  ['rename_note', { old_name: 'Bike shed', new_name: 'Bicycle shed' }],
  ['append_note', { name: 'Sourdough', text: '\n- try rye next time\n' }],
  ['append_note', { name: evil, text: `\nmore ${evil} \u200b\n` }],
  ['replace_note', { name: 'Windows', old_text: 'two', new_text: 'two and a half' }],
]);

const { outputFiles } = await build({
  entryPoints: [join(repository, 'scripts/apps/host-page.mjs')],
  bundle: true,
  format: 'esm',
  write: false,
  nodePaths: [library],
  logLevel: 'warning',
});
const script = outputFiles[0].text;

/** The policy that the protocol asks clients to set where a view asks for nothing. */
const sandboxPolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; base-uri 'self'; object-src 'none'";

/** The client's page, the sandbox, and the way from the page to the server. */
const pages = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x');
  if (pathname === '/mcp') {
    const { origin: _, referer: __, host: ___, ...headers } = request.headers;
    const passed = httpRequest(server.url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  } else if (pathname === '/host.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  } else if (pathname === '/sandbox') {
    const headers = { 'content-type': 'text/html', 'content-security-policy': sandboxPolicy };
    response
      .writeHead(200, headers)
      .end(readFileSync(join(repository, 'scripts/apps/sandbox-page.html')));
  } else {
    const html =
      '<!doctype html><html lang="en"><title>A client</title><style>body{margin:0}iframe{border:0;width:100%;height:200px}</style><body></body><script type="module" src="/host.js"></script>';
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  }
});
await new Promise((resolve) => pages.listen(0, '127.0.0.1', resolve));
pages.unref();
const { port } = pages.address();
const sandbox = `http://127.0.0.1:${port}/sandbox`;

const chromium = await startChromium();
const context = await chromium.newContext({ viewport: { width: 900, height: 800 } });
const page = await context.newPage();
const wrong = [];
page.on('pageerror', ({ message }) => wrong.push(message));
page.on('dialog', (dialog) => {
  wrong.push(`a dialog: ${dialog.message()}`);
  void dialog.dismiss();
});
page.on('console', (message) => {
  const isIcon = message.location().url.endsWith('/favicon.ico');
  if (['error', 'warning'].includes(message.type()) && !isIcon) wrong.push(message.text());
});
page.on('request', (request) => {
  const isOwn = /^http:\/\/(localhost|127\.0\.0\.1):/.test(request.url());
  if (!isOwn && !request.url().startsWith('about:')) wrong.push(request.url());
});

/** Opens the client's page, connected to the server. */
async function open(headers = {}) {
  await page.goto(`http://localhost:${port}/`);
  await page.waitForFunction(() => globalThis.host !== undefined);
  await page.evaluate((given) => globalThis.host.connect(given), headers);
}

/** Shows the view of a call, and returns the frame that it runs in. */
async function show(name, args, more = {}) {
  await page.evaluate(
    ([tool, given, options]) => globalThis.host.show(tool, given, options),
    [name, args, { sandbox, ...more }],
  );
  const frame = page.frames().at(-1);
  await frame.locator('h1').filter({ hasNotText: 'Waiting' }).waitFor();
  return frame;
}
const sent = () => page.evaluate(() => globalThis.host.sent());
const calls = async (name) => (await sent()).calls.filter((call) => call.name === name);

/** Waits until the client has given the view the room that it asked for. */
async function settled(frame) {
  const isFitting = () => document.documentElement.scrollHeight <= window.innerHeight;
  await frame.waitForFunction(isFitting);
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** Takes pictures of a view in two widths, light and dark, and lets axe-core look at it. */
async function look(name, frame) {
  const found = [];
  await frame.evaluate(axe);
  for (const width of [390, 900]) {
    for (const theme of ['dark', 'light']) {
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate((given) => globalThis.host.setTheme(given), theme);
      await frame.waitForFunction((is) => document.documentElement.style.colorScheme === is, theme);
      await settled(frame);
      // A picture beyond the window would not have all of the frame.
      const height = await frame.evaluate(() => window.innerHeight);
      await page.setViewportSize({ width, height: Math.max(height, 400) });
      await settled(frame);
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
      const { violations } = await frame.evaluate(() => globalThis.axe.run({ preload: false }));
      for (const { id, nodes } of violations) {
        found.push(
          ...nodes.map(({ html, failureSummary }) => `${theme} ${id} ${html} ${failureSummary}`),
        );
      }
      const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
      if (await frame.evaluate(isTooWide)) found.push(`${width}: too wide`);
    }
  }
  await page.setViewportSize({ width: 900, height: 800 });
  check(`${name} is well made`, found.length === 0, found);
}

await open();

// What a client is told.
const [shown, others] = [
  await page.evaluate(() => globalThis.host.list()),
  await plain.listTools(),
];
const withView = shown.tools.filter(({ _meta }) => _meta?.ui !== undefined);
check(
  'five tools name a view',
  withView
    .map(({ name, _meta }) => `${name} ${_meta.ui.resourceUri.slice(5)}`)
    .toSorted()
    .join() ===
    'graph_neighbors vaultdoor/find,list_changes vaultdoor/changes,search_notes vaultdoor/find,undo_change vaultdoor/changes,vault_search vaultdoor/find',
  withView,
);
check(
  'and the list of a client without the extension has the same without them',
  JSON.stringify(shown.tools.map(({ _meta, ...tool }) => tool)) === JSON.stringify(others.tools),
);
const refused = await plain
  .readResource({ uri: 'ui://vaultdoor/changes' })
  .catch(({ code }) => code);
check('which cannot read them either', typeof refused === 'number', refused);

// Changes: the list, a diff, and the way back.
const committee = 'Meetings/2026-10-07 Velo Club committee.md';
const original = readFileSync(join(repository, 'examples', 'vault', committee), 'utf8');
const followed = note(committee);
let view = await show('list_changes', {});
check('all changes are listed', (await view.locator('.app-row').count()) === 4);
check('nothing is called before a click', (await sent()).calls.length === 0, await sent());
await view.locator('button.app-row', { hasText: 'Bicycle shed' }).click();
await view.locator('.diff del', { hasText: 'Bike' }).first().waitFor();
check('a diff by words', (await view.locator('.diff ins', { hasText: 'Bicycle' }).count()) > 0);
check('and nothing is undone by opening it', (await calls('undo_change')).length === 0);
await look('changes', view);
await view.getByRole('button', { name: 'Take it back' }).click();
await view.getByText('The change is taken back.').waitFor();
check('a click undoes the change, byte for byte', note(committee) === original);
check('with one call', (await calls('undo_change')).length === 1, await calls('undo_change'));
await look('taken-back', view);
await view.getByRole('button', { name: 'Bring it back' }).click();
await view.getByText('It is done again.').waitFor();
check('another does it again', note(committee) === followed);
for (const text of ['Windows', 'onerror'])
  await view.locator('button.app-row', { hasText: text }).click();
await view.locator('.diff ins', { hasText: 'and a half' }).waitFor();
await view.locator('.diff .invisible', { hasText: 'U+200B' }).waitFor();
check(
  'no line end of Windows is marked',
  (await view.getByText('CR', { exact: true }).count()) === 0,
);
await look('hostile', view);

// One change is open at once; the keyboard alone is enough.
view = await show('list_changes', { name: 'Sourdough' });
await view.locator('.diff ins, .diff .added').first().waitFor();
await view.getByRole('button', { name: 'Take it back' }).focus();
await page.keyboard.press('Enter');
await view.getByText('The change is taken back.').waitFor();
check('Enter on the button undoes', !note('Recipes/Sourdough.md').includes('rye next time'));

// What an undo by the model has done.
view = await show('undo_change', { id: 4 });
await view.locator('.diff del', { hasText: 'and a half' }).waitFor();
await look('undo', view);
await view.getByRole('button', { name: 'Bring it back' }).click();
await view.getByText('It is done again.').waitFor();
check('an undo is taken back', note('Windows.md').includes('two and a half'));
view = await show('undo_change', { id: 999 });
await view.getByRole('alert').waitFor();
check('a failure is shown in its words', (await view.getByText('999').count()) > 0);
await look('failure', view);

// Found notes.
view = await show('search_notes', { query: 'hydrograph', limit: 2 });
await view.locator('.app-hit-line').first().waitFor();
await view.getByRole('button', { name: 'Show more' }).click();
await view.locator('.app-row').nth(3).waitFor();
await view.locator('button.app-row', { hasText: 'Link' }).click();
await view.locator('.app-link').click();
await until(
  async () => (await sent()).links.length === 1,
  () => 'no link',
);
check('a link is opened by the client', (await sent()).links[0] === 'https://example.org/a?b=1');
await look('search', view);
view = await show('search_notes', { query: 'zzzqqq' });
await look('search-nothing', view);
view = await show('vault_search', { query: 'onerror' });
await view.locator('button.app-row').first().click();
await view.locator('.app-note-text', { hasText: '<script>alert(1)</script>' }).waitFor();
await look('lines', view);
view = await show('graph_neighbors', { path: 'Home.md', depth: 2 });
await view.locator('.local-graph circle').nth(3).waitFor();
await look('graph', view);

// The life of a view.
const { sizes, methods } = await sent();
check('a view says its size', sizes.length > 0 && sizes.every(({ height }) => height > 0), sizes);
const ended = await page.evaluate(() => globalThis.host.teardown());
check('and ends when it is told to', JSON.stringify(ended) === '{}', ended);
const allowed = [
  'tools/call',
  'ui/initialize',
  'ui/notifications/initialized',
  'ui/notifications/sandbox-proxy-ready',
  'ui/notifications/size-changed',
  'ui/open-link',
];
check(
  'no other message is sent, above all none to the model',
  methods.every((method) => allowed.includes(method)),
  [...new Set(methods)],
);

// A client that passes no calls on, one that may only read, and one that may only propose.
view = await show('list_changes', {}, { can: {} });
check('without calls there are no buttons', (await view.locator('button').count()) === 0);
await open({ Authorization: `Bearer ${await makeToken('reader', '--read-only')}` });
view = await show('list_changes', { name: 'Sourdough', limit: 1 });
await view.locator('.diff').first().waitFor();
check(
  'who may only read sees the diff and no way back',
  (await view.getByRole('button', { name: /it back$/ }).count()) === 0,
);
await open({ Authorization: `Bearer ${await makeToken('helper', '--propose')}` });
view = await show('list_changes', { name: 'Windows', limit: 1 });
const windows = note('Windows.md');
const decides = view.getByText('the owner decides');
await view.getByRole('button', { name: /it back$/ }).click();
// On a busy machine a click may come before the view listens to its button.
await decides.waitFor({ timeout: 10_000 }).catch(() => undefined);
if (!(await decides.isVisible())) {
  console.log(`    the view says: ${await view.locator('body').innerText()}`);
  await view.getByRole('button', { name: /it back$/ }).click();
}
await decides.waitFor();
check('who may only propose makes a proposal', note('Windows.md') === windows);

check('nothing ran that should not, and nothing left this machine', wrong.length === 0, wrong);
await chromium.close();
await plain.close();
await server.stop();
pages.close();

/** Makes a token with these rights. */
async function makeToken(name, ...flags) {
  const words = ['token', 'create', name, ...flags, '--vault', vault, '--json'];
  const { stdout } = await run(
    process.execPath,
    [join(repository, 'dist/vaultdoor.js'), ...words],
    {
      env,
    },
  );
  return JSON.parse(stdout).token;
}
