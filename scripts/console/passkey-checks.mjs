// Allowing a stopped client with a passkey, with the authenticator that Chromium offers to tests.
import { lookAt } from '../look-at-page.mjs';
import { check } from '../outside-programs.mjs';
import { freePorts } from '../sign-in/caddy.mjs';
import { OwnerBrowser } from '../sign-in/owner-browser.mjs';
import { SdkConnector } from '../sign-in/sdk-connector.mjs';
import { checkQrCode } from './connect-checks.mjs';
import { startConsole, watchPage } from './console-server.mjs';

const passphrase = 'correct horse battery';

/** Sets up an owner with a passkey, and answers questions at two addresses of one console. */
export async function passkeyChecks(chromium, folder) {
  const [port] = await freePorts(1);
  const origin = `http://localhost:${port}`;
  const made = {};
  const server = await startConsole({
    name: 'passkeys',
    port,
    flags: ['--public-url', origin, '--tools', 'notes', '--brake', '1'],
    prepare: async ({ command }) => {
      const { stdout } = await command(['token', 'create', 'agent', '--json']);
      made.token = JSON.parse(stdout).token;
    },
  });
  const [, code] = /\n {2}([0-9A-Z]{4}(?:-[0-9A-Z]{4}){4})\n/.exec(server.said()) ?? [];
  const messages = [];
  const context = await chromium.newContext({ viewport: { width: 1_280, height: 844 } });
  const page = await context.newPage();
  watchPage(page, messages);
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const look = async (name) => {
    const wrong = await lookAt(page, name, folder);
    check(`${name} is well made`, wrong.length === 0, wrong);
    await page.setViewportSize({ width: 1_280, height: 844 });
  };
  const toast = (part) => page.locator('.toast', { hasText: part }).waitFor({ timeout: 8_000 });
  const stopped = (names) =>
    server.callAs(
      'cursor-vscode',
      names.map((name) => ['delete_note', { name }]),
      made.token,
    );

  // The owner sets a passphrase, adds a passkey, and goes on to the console: one sign-in.
  await page.goto(`${origin}/owner/set-up`);
  await page.fill('[name=code]', code);
  await page.fill('[name=passphrase]', passphrase);
  await page.fill('[name=again]', passphrase);
  await page.press('[name=again]', 'Enter');
  await page.fill('[name=name]', 'Laptop <b>');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Remove the passkey Laptop' }).waitFor();
  await page.getByRole('button', { name: 'Open the console' }).click();
  await page.locator('.top h1').waitFor();

  await stopped(['Swifts', 'Unit hydrograph', 'Sourdough', 'Home']);
  await page.goto(`${origin}/c/approvals`);
  const cards = page.locator('.card:has(input.field)');
  await cards.nth(1).waitFor();
  await look('approvals-passkey');
  const allow = (card) => card.getByRole('button', { name: 'Allow this one' });

  // Somebody who has the console open, but not the owner's finger.
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await allow(cards.first()).click();
  await page.locator('.card [role=alert]').waitFor({ timeout: 20_000 });
  check('without the owner nothing is allowed', (await cards.count()) === 2);
  const refused = await page.evaluate(async () => {
    const headers = {
      'X-Vaultdoor-Console': sessionStorage.getItem('vaultdoor-console'),
      'Content-Type': 'application/json',
    };
    const says = async (body) => {
      const init = { method: 'POST', headers, body: JSON.stringify(body) };
      return (await fetch('/c/api/questions/q1', init)).status;
    };
    return [await says({ says: 'once' }), await says({ says: 'session', passkey: { id: 'x' } })];
  });
  check('nor by a request of its own', refused.join() === '403,403', refused);

  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await allow(cards.first()).click();
  await toast('Allowed');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  check('with the passkey it is', (await cards.count()) === 1);

  // By an address for which there is no passkey: denying works, allowing does not.
  const elsewhere = await context.newPage();
  const link = (await server.newLink()).replace('localhost', '127.0.0.1');
  await elsewhere.goto(link);
  await elsewhere.locator('.top h1').waitFor();
  await elsewhere.goto(`${new URL(link).origin}/c/approvals`);
  const there = elsewhere.locator('.card:has(input.field)');
  await there.first().waitFor();
  check('elsewhere it cannot be allowed', (await allow(there).count()) === 0);
  const words = await there.first().textContent();
  check('and the page says why', words.includes('vaultdoor approvals allow q'), words);
  const wrong = await lookAt(elsewhere, 'approvals-passkey-elsewhere', folder);
  check('approvals-passkey-elsewhere is well made', wrong.length === 0, wrong);
  await there.first().getByRole('button', { name: 'Deny', exact: true }).click();
  await elsewhere.locator('.toast', { hasText: 'Denied' }).waitFor();
  await elsewhere.close();

  // A client that has signed in is disconnected on Access.
  await checkQrCode(page, origin);
  const owner = new OwnerBrowser({ context, site: origin, passphrase });
  const redirectUrl = 'http://127.0.0.1:1/callback';
  const app = new SdkConnector({ url: `${origin}/mcp`, owner, redirectUrl });
  await app.signIn();
  await app.call('read_note', { name: 'Flood map' });
  await page.goto(`${origin}/c/access`);
  await page.getByRole('button', { name: 'Remove Laptop <b>' }).waitFor();
  await look('access-passkeys');
  await page.getByRole('button', { name: 'Disconnect SDK client' }).click();
  await toast('SDK client is disconnected');
  await page.getByText('No app has signed in').waitFor();
  const outcome = await app.isOut();
  check('an app that was ended has to sign in again', outcome === undefined, outcome);
  await app.stop();

  // Access lists the passkey; removing it asks for it.
  await page.getByRole('button', { name: 'Remove Laptop <b>' }).click();
  const remove = page.locator('dialog').getByRole('button', { name: 'Remove' });
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await remove.click();
  await page.locator('dialog [role=alert]').waitFor({ timeout: 20_000 });
  await look('remove-passkey');
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await remove.click();
  await toast('is removed');
  await page.locator('dialog').waitFor({ state: 'detached' });
  check('the passkey is removed with itself', true);
  check('passkeys: nothing went wrong on the pages', messages.length === 0, messages);
  await context.close();
  server.stop();
}
