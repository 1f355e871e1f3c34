// The pages of signing in, as the built server sends them: how they look, whether they need script or
// a mouse, and what other web pages can do with them.
import { createServer } from 'node:http';
import { lookAt } from '../look-at-page.mjs';
import { check, until } from '../outside-programs.mjs';
import { askUrl, registered } from './ask.mjs';
import { allow, OwnerBrowser } from './owner-browser.mjs';
import { WebApiConnector } from './web-api-connector.mjs';

async function look(page, name, pictures) {
  const wrong = await lookAt(page, name, pictures);
  check(
    `pages, ${name}: nothing for axe-core to find, light and dark, 390 and 1280 px`,
    wrong.length === 0,
    wrong,
  );
}

/** Sets the owner up in a browser, with the code that the server has printed. */
export async function setUpInBrowser({ context, server, code, passphrase, pictures }) {
  const page = await context.newPage();
  const redirect = 'http://127.0.0.1/callback';
  const client = await registered(server.site, redirect);
  await page.goto(askUrl(server.site, { client, redirect }));
  const isTold =
    (await page.innerText('main')).includes('owner/set-up') ||
    (await page.locator('a[href$="/owner/set-up"]').count()) > 0;
  check('set-up: a program that comes too early is told', isTold, await page.content());
  await look(page, 'no-owner', pictures);
  await page.goto(`${server.site}/owner/set-up`);
  await look(page, 'set-up', pictures);
  const submit = async (given) => {
    await page.fill('[name=code]', given);
    await page.fill('[name=passphrase]', passphrase);
    await page.fill('[name=again]', passphrase);
    await page.press('[name=again]', 'Enter');
  };
  await submit('AAAA-BBBB-CCCC-DDDD-EEEE');
  await page.getByRole('alert').waitFor();
  check(
    'set-up: another code is refused',
    await page.locator('[name=code]').isVisible(),
    page.url(),
  );
  await submit(code.toLowerCase());
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  const again = await page.request.get(`${server.site}/owner/set-up`);
  check('set-up: done, and gone afterwards', again.status() === 404, again.status());
  await page.close();
}

/** Everything else about the pages. */
export async function tryPages({ browser, context, server, passphrase, pictures }) {
  const { site } = server;
  const heard = [];
  const callbacks = createServer((request, response) => {
    heard.push({ url: request.url, referer: request.headers.referer });
    if (request.url.startsWith('/hop')) response.writeHead(302, { location: 'claude://done' });
    else response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Elsewhere</title><p>Elsewhere</p>');
  });
  callbacks.listen(0, '127.0.0.1').unref();
  await until(() => callbacks.listening, String);
  const { port } = callbacks.address();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const client = await registered(site, redirect, 'A test');
  const url = askUrl(site, { client, redirect });
  const given = { browser, context, server, passphrase, pictures, site, redirect, client, url };
  const all = { ...given, heard, port };
  await Promise.all([lookAtPages(all), withoutScript(all), byKeyboard(all), fromElsewhere(all)]);
  callbacks.close();
}

async function lookAtPages({ browser, context, server, pictures, site, passphrase, url }) {
  const claude = {
    client: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    redirect: 'https://claude.ai/api/mcp/auth_callback',
  };
  const signedIn = new OwnerBrowser({ context, site, passphrase });
  const connected = new WebApiConnector({
    url: server.url,
    owner: signedIn,
    choices: { rights: 'delete', folders: ['Projects', 'Recipes'] },
    clientMetadataUrl: claude.client,
    redirectUrl: claude.redirect,
  });
  await connected.signIn();
  await connected.four();

  const fresh = await browser.newContext();
  const owner = new OwnerBrowser({ context: fresh, site, passphrase });
  const first = await fresh.newPage();
  await first.goto(url);
  await look(first, 'sign-in', pictures);
  await first.close();
  const { page } = await owner.open(url);
  await look(page, 'consent', pictures);
  await page.close();
  // The longest form: a program that is connected already, folders, and all tools.
  const { page: known } = await owner.open(askUrl(site, claude));
  await known.locator('input[name=where][value=folders]').check({ force: true });
  await known.locator('summary').click();
  await look(known, 'consent-known', pictures);
  await allow(known, { rights: 'read', folders: ['No such folder/..'] });
  await known.getByRole('alert').waitFor();
  await look(known, 'consent-wrong', pictures);
  await allow(known, { rights: 'read', folders: ['Projects'] });
  await known.getByRole('link', { name: /^Back to/ }).waitFor();
  await look(known, 'back', pictures);
  await known.close();
  const ownerPage = await context.newPage();
  await ownerPage.goto(`${site}/owner`);
  await look(ownerPage, 'owner', pictures);
  await ownerPage.goto(`${url}&client_id=twice`);
  await look(ownerPage, 'message', pictures);
  await ownerPage.close();
  await fresh.close();
}

async function withoutScript({ browser, site, passphrase, url, redirect }) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const owner = new OwnerBrowser({ context, site, passphrase });
  const back = await owner.answer(url, { rights: 'read', folders: ['Projects'], days: '1' });
  const { origin, pathname, searchParams } = new URL(back);
  const isBack = origin + pathname === redirect && searchParams.get('code')?.startsWith('vdk_');
  check('pages: signing in and allowing work without script', isBack, pathname);
  const refused = new URL(await owner.answer(url, { answer: 'refuse' }));
  const { error, iss, state } = Object.fromEntries(refused.searchParams);
  const isRefused = error === 'access_denied' && iss === site && state === 'x';
  check('pages: refusing works without script', isRefused, { error, iss, state });
  await context.close();
}

async function byKeyboard({ browser, site, passphrase, url, redirect }) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const left = [];
  await page.route(
    (to) => to.origin !== site,
    (route) => {
      left.push(route.request().url());
      return route.abort('aborted');
    },
  );
  const isAt = (selector) =>
    page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector);
  const goTo = async (selector, key) => {
    for (let i = 0; i < 60 && !(await isAt(selector)); i++) await page.keyboard.press(key);
    if (!(await isAt(selector))) throw new Error(`${key} does not lead to ${selector}`);
  };
  await page.goto(url);
  await goTo('[name=passphrase]', 'Tab');
  await page.keyboard.type(passphrase);
  await page.keyboard.press('Enter');
  await page.locator('button[name=answer]').first().waitFor();
  const isNowhere = await isAt('body');
  check('pages: the focus is on neither button at first', isNowhere, 'somewhere');
  await goTo('[name=rights]', 'Tab');
  await goTo('[name=rights][value=read]', 'ArrowUp');
  await goTo('[name=where]', 'Tab');
  await goTo('[name=where][value=folders]', 'ArrowDown');
  await goTo('input[name=folder]:not([type=checkbox])', 'Tab');
  await page.keyboard.type('Projects');
  await page.keyboard.press('Escape'); // The browser proposes folders while one types.
  await page.keyboard.press('Enter');
  const stays = await page.locator('button[name=answer]').first().isVisible();
  check('pages: Enter in a field neither allows nor refuses', stays && left.length === 0, left);
  await goTo('[name=days]', 'Tab');
  await goTo('[name=days][value="1"]', 'ArrowLeft');
  await goTo('button[name=answer][value=allow]', 'Tab');
  await page.keyboard.press('Enter');
  await until(() => left.length > 0, page.url);
  check('pages: signing in and allowing work by keyboard', left[0].startsWith(redirect), 'other');
  await context.close();
}

/** What pages of others can do: nothing. And what must work although they cannot. */
async function fromElsewhere({ context, site, passphrase, url, port, heard, client, redirect }) {
  const owner = new OwnerBrowser({ context, site, passphrase });
  const elsewhere = `http://evil.example:${port}/`;
  const { page } = await owner.open(url);
  const waits = page.url();

  const framing = await context.newPage();
  await framing.goto(elsewhere);
  for (const target of [waits, `${site}/owner`, elsewhere]) {
    await framing.evaluate((src) => {
      document.body.appendChild(document.createElement('iframe')).src = src;
    }, target);
    const shown = framing.frames().at(-1);
    await until(
      () => shown.url() !== 'about:blank',
      () => shown.url(),
    );
    const isBlocked = shown.url().startsWith('chrome-error:');
    const [, what] = new URL(target).pathname.split('/');
    // A frame with a page of the same attacker is shown, or the others would prove nothing.
    if (target === elsewhere) check('elsewhere: its own frame is shown', !isBlocked, shown.url());
    else check(`elsewhere: /${what} in a frame is blocked`, isBlocked, shown.url());
  }

  const fields = { answer: 'allow', rights: 'delete', where: 'all', tools: 'notes', days: 'never' };
  const posts = [
    [waits, fields],
    [`${site}/owner/revoke-all`, {}],
    [`${site}/owner/sign-in`, { passphrase }],
  ];
  for (const [action, values] of posts) {
    await framing.goto(elsewhere);
    const [answer] = await Promise.all([
      framing.waitForNavigation(),
      framing.evaluate(
        ([to, given]) => {
          const form = document.body.appendChild(document.createElement('form'));
          Object.assign(form, { method: 'post', action: to });
          for (const [name, value] of Object.entries(given)) {
            const field = form.appendChild(document.createElement('input'));
            Object.assign(field, { name, value });
          }
          form.submit();
        },
        [action, values],
      ),
    ]);
    const what = new URL(action).pathname.replace(/\/[\w-]{20,}/, '/…');
    check(
      `elsewhere: a form posted to ${what} is refused`,
      answer.status() === 403,
      answer.status(),
    );
  }
  await framing.close();

  // The first trap: the answer to the form is a page that leads on, also to a callback that itself
  // leads to an app. The second trap: the form is posted with its own Origin, and the callback gets
  // no Referer.
  const hop = `http://127.0.0.1:${port}/hop`;
  const hopper = await registered(site, hop);
  const asked = askUrl(site, { client: hopper, redirect: hop });
  const { page: leading } = await owner.open(asked, { follows: true });
  const [posted] = await Promise.all([
    leading.waitForResponse((response) => response.request().method() === 'POST'),
    allow(leading, { rights: 'read' }),
  ]);
  const { origin } = await posted.request().allHeaders();
  check('trap 1: the form is answered with a page', posted.status() === 200, posted.status());
  check('trap 2: the form is posted with its Origin', origin === site, origin);
  const arrived = () => heard.find(({ url: to }) => to.startsWith('/hop?'));
  await until(
    () => arrived() !== undefined,
    () => JSON.stringify(heard.length),
  );
  const isQuiet = arrived().url.includes('code=vdk_') && arrived().referer === undefined;
  check('trap 1 and 2: the callback gets the code, and no Referer', isQuiet, arrived().referer);
  const headers = posted.headers();
  const policy = headers['content-security-policy'] ?? '';
  const isStrict =
    /default-src 'none'/.test(policy) &&
    /form-action 'self'/.test(policy) &&
    /frame-ancestors 'none'/.test(policy) &&
    headers['x-frame-options'] === 'DENY' &&
    headers['referrer-policy'] === 'same-origin' &&
    headers['cache-control'] === 'no-store' &&
    headers['cross-origin-opener-policy'] === undefined;
  check('pages: the headers are those of the fact sheet', isStrict, headers);
  await leading.close();

  // A program that has opened us in a window of its own is told by that window.
  const opener = await context.newPage();
  await opener.goto(elsewhere.replace('evil', 'good'));
  const [popup] = await Promise.all([
    opener.waitForEvent('popup'),
    opener.evaluate(
      (to) => {
        window.open(to);
      },
      askUrl(site, { client, redirect }),
    ),
  ]);
  await allow(popup, { rights: 'read' });
  await popup.waitForURL((to) => to.origin !== site);
  const hasOpener = await popup.evaluate(() => window.opener !== null);
  check('pages: a window that was opened by a program stays with it', hasOpener, popup.url());
  await opener.close();

  await page.reload();
  const isOpen = await page.locator('button[name=answer]').first().isVisible();
  check(
    'elsewhere: the question is still open after all of it',
    isOpen,
    await page.innerText('main'),
  );
  await page.close();
}
