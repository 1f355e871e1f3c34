// The owner of a home server with only a phone: sets up, lets an app in that may propose, sees on every
// page that something waits, and finds the way back to the owner's page.
import { lookAt } from '../look-at-page.mjs';
import { check } from '../outside-programs.mjs';
import { freePorts } from '../sign-in/caddy.mjs';
import { OwnerBrowser } from '../sign-in/owner-browser.mjs';
import { SdkConnector } from '../sign-in/sdk-connector.mjs';
import { startConsole, watchPage } from './console-server.mjs';

const passphrase = 'correct horse battery';
const phone = { width: 390, height: 844 };

/** Everything at 390 pixels, until something was changed; then what a wide screen shows of it. */
export async function phoneChecks(chromium, folder) {
  const [port] = await freePorts(1);
  const origin = `http://localhost:${port}`;
  const flags = ['--public-url', origin, '--tools', 'notes', '--log-reads'];
  const server = await startConsole({ name: 'phone', port, flags });
  const messages = [];
  const context = await chromium.newContext({ viewport: phone });
  const page = await context.newPage();
  watchPage(page, messages);
  const look = async (name) => {
    const wrong = await lookAt(page, name, folder);
    check(`${name} is well made`, wrong.length === 0, wrong);
    await page.setViewportSize(phone);
  };
  const says = async (what, locator, expected) => {
    await locator.filter({ hasText: expected }).first().waitFor({ timeout: 15_000 });
    check(what, true);
  };

  // Where to go and with which code are the first lines.
  const said = server.said().trimEnd().split('\n');
  const [, , url, , code] = said.map((line) => line.trim());
  const isFirst = url === `${origin}/owner/set-up` && /^[0-9A-Z-]{24}$/.test(code);
  check('the page and the code for the owner are the first lines', isFirst, said.slice(0, 8));
  check('and the rest is short', said.length < 22, said.length);
  await page.goto(url);
  await page.fill('[name=code]', code);
  await page.fill('[name=passphrase]', passphrase);
  await page.fill('[name=again]', passphrase);
  await page.press('[name=again]', 'Enter');
  await page.getByRole('button', { name: 'Open the console' }).click();
  const empty = page.locator('.feed .empty');
  await says('Activity says how to begin', empty, 'Connect an app');

  // An app is let in that may propose. It reads.
  const owner = new OwnerBrowser({ context, site: origin, passphrase });
  const redirectUrl = 'http://127.0.0.1:1/callback';
  const choices = { rights: 'propose' };
  const app = new SdkConnector({ url: `${origin}/mcp`, owner, redirectUrl, choices });
  await app.signIn();
  await says('a client that is connected is named', empty, 'sdk-connector is connected and has');
  await app.call('read_note', { name: 'Flood map' });
  const session = page.locator('.session', { hasText: 'sdk-connector' });
  await says('a session that only reads is shown by itself', session, 'changed nothing');
  await says('with the app that has signed in', session, 'signed in as “SDK client”');
  await says('and what it read', session, /(read|saw lines of) \d+ files?/);
  check('no client need be connected', !(await empty.innerText()).includes('Connect an app'));
  await look('phone-only-read');

  // It proposes: every page says so.
  await app.call('append_note', { name: 'Sourdough', text: '\n- rye\n' });
  const link = page.getByRole('navigation').filter({ visible: true }).locator('a', {
    hasText: 'Approvals',
  });
  await says('the bar at the bottom counts what waits', link.locator('.count'), '1');
  const line = page.locator('.line-above');
  await says('Activity says that something waits', line, '1 proposal waits for you.');
  await look('phone-waiting');
  await line.getByRole('link', { name: 'Open Approvals' }).click();
  const card = page.locator('.card');
  await says(
    'Approvals says who asks',
    card,
    'sdk-connector, version 1 · signed in as “SDK client”',
  );

  // The way back to the owner's page, which counts too.
  await page.getByRole('button', { name: 'More' }).click();
  await look('phone-more');
  await page.locator('dialog').getByRole('link', { name: 'Owner’s page' }).click();
  await page.waitForURL(`${origin}/owner`);
  await says(
    'the owner’s page counts what waits',
    page.locator('main'),
    '1 thing waits in the console',
  );
  await page.getByRole('button', { name: 'Open the console 1' }).click();
  await page.locator('.top h1').waitFor();
  await page.goto(`${origin}/c/approvals`);
  await card.getByRole('button', { name: 'Accept' }).click();
  await page.locator('.toast', { hasText: '1 proposal accepted' }).waitFor();
  await link.locator('.count').waitFor({ state: 'detached' });
  check('what was decided is counted no more', true);

  // On Access, a session is closed, and the app is disconnected.
  await page.goto(`${origin}/c/access`);
  const under = page.locator('.of-app', { hasText: 'sdk-connector' });
  await under.waitFor();
  await look('phone-access');
  await under.getByRole('button', { name: 'Close sdk-connector' }).click();
  await page.locator('.toast', { hasText: 'The app can come back' }).waitFor();
  await page.getByRole('button', { name: 'Disconnect SDK client' }).click();
  await page.locator('.toast', { hasText: 'SDK client is disconnected' }).waitFor();
  await app.stop();

  // Phones show the list first. A wide screen shows the newest change beside it, at the same address.
  await page.goto(`${origin}/c/activity`);
  await page.locator('.change').first().waitFor();
  check('a phone shows the list first', !(await page.locator('.detail').isVisible()));
  const entries = await page.evaluate(() => history.length);
  await page.setViewportSize({ width: 1_280, height: 844 });
  await says('a wide screen opens the newest change', page.locator('.detail h2'), 'Sourdough');
  const isSame = page.url() === `${origin}/c/activity`;
  const stays = isSame && (await page.evaluate(() => history.length)) === entries;
  check('the address and the history stay', stays, page.url());

  await checkSignIn(chromium, origin);
  check('phone: nothing went wrong on the pages', messages.length === 0, messages);
  await context.close();
  server.stop();
}

/** Who opens the console without a link signs in, and is led back to where they were. */
async function checkSignIn(chromium, origin) {
  const context = await chromium.newContext({ viewport: phone });
  const page = await context.newPage();
  const signIn = page.getByRole('link', { name: 'Sign in' });
  const places = async () => {
    await signIn.waitFor();
    const [link, command] = [signIn, page.locator('.gate code')];
    return [await link.boundingBox(), await command.boundingBox()].map(({ y }) => y);
  };
  // The same server under a name that is not this machine's.
  const elsewhere = 'https://vault.example';
  await page.route(`${elsewhere}/**`, async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const headers = { ...request.headers(), origin };
    const url = `${origin}${pathname}${search}`;
    await route.fulfill({ response: await route.fetch({ url, headers }) });
  });
  await page.goto(`${elsewhere}/c/access`);
  const [above, below] = await places();
  check('elsewhere the sign-in is above the command', above < below, [above, below]);
  check('and npm start is not named', (await page.getByText('npm start').count()) === 0);
  await page.goto(`${origin}/c/access`);
  const [link, command] = await places();
  check('on this machine the command is above the sign-in', command < link, [command, link]);
  await page.getByText('started with npm start, press Enter').waitFor();
  await signIn.click();
  await page.fill('[name=passphrase]', passphrase);
  await page.press('[name=passphrase]', 'Enter');
  await page.waitForURL(`${origin}/c/access`);
  check('after the sign-in the console is open where it was', true);
  await context.close();
}
