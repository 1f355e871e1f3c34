// The pictures of README.md and of the pages for users, in docs/images.
import { run } from '../outside-programs.mjs';

const phone = { width: 390, height: 844 };
const passphrase = 'swifts nest under 19 old tiles';

/** Sets the owner of the server: `run` runs a command of the program with text on its stdin. */
export function setDemoOwner(run) {
  return run(['owner', 'set'], `${passphrase}\n${passphrase}\n`);
}

/**
 * Takes the pictures: `show` opens an address of the console in `page`, `save` keeps what a page
 * shows now under a name. `context` is a browser that has not signed in yet; `url` is where the server
 * really listens, and `site` the address that it has for others.
 */
export async function takeDocsShots({ page, show, save, context, site, url }) {
  await show('activity/5');
  for (const [scheme, name] of [
    ['dark', 'console-dark'],
    ['light', 'console'],
  ]) {
    await page.emulateMedia({ colorScheme: scheme });
    await save(page, name);
  }
  await page.setViewportSize({ width: 1_000, height: 640 });
  await show('approvals');
  await save(page, 'approval');
  await show('connect/claude-ai');
  await save(page, 'connect');
  await context.route(`${site}/**`, (route) => passOn(route, url));
  await takePhone({ save, context, site, url });
}

/** What the owner sees on a phone when Claude asks to come in, and afterwards at `/owner`. */
async function takePhone({ save, context, site, url }) {
  const page = await context.newPage();
  await page.setViewportSize(phone);
  await page.goto(authorizeAddress(site));
  await page.locator('main input[name=passphrase]').fill(passphrase);
  await page.locator('main input[name=passphrase]').press('Enter');
  const allow = page.locator('button[name=answer][value=allow]');
  await allow.waitFor();
  await save(page, 'consent');
  // Nothing is sent to claude.ai, which the answer leads to.
  await page.route(
    (to) => to.origin !== site,
    (route) => route.abort('aborted'),
  );
  await allow.click({ noWaitAfter: true });
  const back = await page.getByRole('link', { name: /^Back to/ }).getAttribute('href');
  await fetchTokens(url, { site, code: new URL(back).searchParams.get('code') });
  await page.goto(`${site}/owner`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await save(page, 'owner');
}

/** Passes a request on to the server as a proxy with TLS does. */
async function passOn(route, url) {
  const request = route.request();
  const to = new URL(request.url());
  const headers = { ...(await request.allHeaders()), host: to.host };
  const inside = `${new URL(url).origin}${to.pathname}${to.search}`;
  const response = await route.fetch({ url: inside, headers, maxRedirects: 0 });
  const { location, ...rest } = response.headers();
  if (location === undefined) return route.fulfill({ response });
  // The browser would not ask us where a redirect leads, but it does where a page leads on.
  const next = new URL(location, to).href.replaceAll('&', '&amp;');
  const page = `<meta http-equiv="refresh" content="0;url=${next}">`;
  return route.fulfill({
    status: 200,
    headers: { 'set-cookie': rest['set-cookie'] ?? '', 'content-type': 'text/html' },
    body: page,
  });
}

/** The example of RFC 7636: what a client keeps, and what it sends when it asks to come in. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const client = {
  client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
};

/** Where Claude sends its user to let it in, as claude.ai does. */
function authorizeAddress(site) {
  const query = new URLSearchParams({
    response_type: 'code',
    ...client,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'demo',
    resource: `${site}/mcp`,
  });
  return `${site}/authorize?${query}`;
}

/** Fetches the tokens for the code that the owner's answer has, as claude.ai does. */
async function fetchTokens(url, { site, code }) {
  const grant = { grant_type: 'authorization_code', code, code_verifier: verifier, ...client };
  const body = new URLSearchParams({ ...grant, resource: `${site}/mcp` });
  // The server knows the address by the name of the host, which fetch does not let us set.
  const { stdout } = await run('curl', [
    ...['-s', '-H', `Host: ${new URL(site).host}`, '--data', body.toString()],
    `${new URL(url).origin}/token`,
  ]);
  if (!stdout.includes('access_token')) throw new Error(`The tokens were refused: ${stdout}`);
}
