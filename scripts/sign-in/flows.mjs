// What test-sign-in.mjs runs once Caddy is up. It is a process of its own, because Node reads the
// certificates that it trusts (NODE_EXTRA_CA_CERTS) only when it starts.
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { check } from '../outside-programs.mjs';
import { startBrowser } from './browser.mjs';
import { BuiltServer } from './built-server.mjs';
import { OwnerBrowser } from './owner-browser.mjs';
import { tryBelow } from './try-below.mjs';
import { tryConformance } from './try-conformance.mjs';
import { tryConnectors } from './try-connectors.mjs';
import { tryDoctor } from './try-doctor.mjs';
import { tryHour } from './try-hour.mjs';
import { tryOrdinaryDay } from './try-ordinary-day.mjs';
import { setUpInBrowser, tryPages } from './try-pages.mjs';
import { tryPasskeys } from './try-passkeys.mjs';
import { tryRedirects } from './try-redirects.mjs';
import { tryStepUp } from './try-step-up.mjs';

const { sites, home, between } = JSON.parse(process.env.SIGN_IN_SITES);
const [right, second] = sites;
const swallowing = sites.filter(({ swallow }) => swallow !== undefined);
const below = sites.filter((site) => site.below !== undefined);
const startMs = Date.now();
const pictures = process.env.SIGN_IN_PICTURES ?? join(tmpdir(), 'vaultdoor-sign-in-pages');
const passphrase = 'swifts nest under 19 old tiles';
const browser = await startBrowser(between);

/** Runs one of the tests. One that throws has failed, and the others go on. */
async function flow(test, given) {
  const fromMs = Date.now();
  try {
    await test(given);
  } catch (error) {
    check(`${test.name} ends`, false, String(error?.stack ?? error));
  }
  const [from, took] = [fromMs - startMs, Date.now() - fromMs].map((ms) => (ms / 1000).toFixed(1));
  process.stdout.write(`-- ${test.name}: ${took} s, from ${from} s on\n`);
}

async function newContext() {
  const context = await browser.newContext();
  context.setDefaultTimeout(30_000);
  return context;
}

/** The server whose owner is set up in a shell. All clients sign in here. */
async function withClients() {
  const urls = [right, ...swallowing, ...below].map(({ site }) => site);
  const server = new BuiltServer({ name: 'clients', port: right.port, publicUrls: urls });
  const set = await server.command(['owner', 'set'], `${passphrase}\n${passphrase}\n`);
  check('owner set reads two lines from stdin', set.code === 0, set);
  const said = await server.start();
  check('a server with an owner prints no code', !codeIn(said) && said.includes(server.url), said);
  const context = await newContext();
  const owner = new OwnerBrowser({ context, site: right.site, passphrase });
  await (await owner.signIn()).close();
  await Promise.all([
    flow(tryRedirects, { server, owner }),
    flow(tryOrdinaryDay, { server, owner }),
    flow(tryStepUp, { server, owner }),
    flow(tryConformance, { server, owner, home }),
    flow(tryDoctor, { server, sites: urls }),
    flow(tryBelow, { server, context, passphrase, sites: below, home }),
  ]);
  await flow(tryConnectors, { server, owner, home });
  await ends(server, context);
}

/** The server whose owner is set up in a browser. The pages are looked at here. */
async function withPages() {
  const server = new BuiltServer({ name: 'pages', port: second.port, publicUrls: [second.site] });
  const code = codeIn(await server.start());
  const context = await newContext();
  const { site } = second;
  await flow(setUpInBrowser, { context, server, code, passphrase, pictures });
  await flow(tryPasskeys, { browser, server, passphrase });
  await flow(tryPages, { browser, context, server, passphrase, pictures });
  const owner = new OwnerBrowser({ context, site, passphrase });
  await flow(tryHour, { server, owner, redirectUrl: 'http://127.0.0.1:1/callback' });
  await ends(server, context, code);
}

/** The set-up code in what a server has printed. */
function codeIn(said) {
  return /^ +([0-9A-Z]{4}(-[0-9A-Z]{4}){4})$/m.exec(said)?.[1];
}

/** Stops a server, and looks for secrets in what it has logged and kept. */
async function ends(server, context, code) {
  if (process.exitCode === 1) {
    const file = join(tmpdir(), `vaultdoor-sign-in-${server.name}.log`);
    writeFileSync(file, server.log);
    process.stdout.write(`The log of the server is in ${file}\n`);
  }
  const cookies = (await context.cookies()).map(({ value }) => value);
  check('the server ends', (await server.stop()) === 0, server.log.slice(-2000));
  const isLogged = / info sign-in .*client=/.test(server.log);
  check('every step of signing in is in the log', isLogged, server.log.slice(0, 2000));
  const secrets = [passphrase, ...cookies, ...(code === undefined ? [] : [code])];
  const forms =
    /\bvd[kar]_[\w-]+|\bvdc?_[\w-]{8,}|[?&](?:code|state)=|code_challenge|redirect_uri/g;
  const found = [
    ...(server.log.match(forms) ?? []),
    ...secrets.filter((secret) => server.log.includes(secret)),
  ];
  check('no secret is in the log', found.length === 0 && cookies.length > 0, found);
  const kept = server.kept().join('\n');
  const inFiles = [
    ...(kept.match(/\bvd[kar]_[\w-]+/g) ?? []),
    ...secrets.filter((secret) => kept.includes(secret)),
  ];
  check('no secret is in the files of the server', inFiles.length === 0, inFiles);
}

await Promise.all([withClients(), withPages()]);
await browser.close();
process.stdout.write(`Chromium ${browser.version()}; pictures of the pages: ${pictures}\n`);
