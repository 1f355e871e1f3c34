// Passkeys, with the authenticator that Chromium offers to tests.
import { check } from '../outside-programs.mjs';
import { askUrl, registered } from './ask.mjs';
import { allow } from './owner-browser.mjs';

/** Adds a passkey, signs in with it, and signs in with it when a program asks. */
export async function tryPasskeys({ browser, server, passphrase }) {
  const { site } = server;
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const signOut = page.getByRole('button', { name: 'Sign out' });
  const usePasskey = page.getByRole('button', { name: 'Use a passkey' });
  await page.goto(`${site}/owner`);
  check(
    'passkeys: no button as long as there is none',
    !(await usePasskey.isVisible()),
    'a button',
  );
  await page.fill('[name=passphrase]', passphrase);
  await page.press('[name=passphrase]', 'Enter');
  await signOut.waitFor();
  await page.fill('[name=name]', 'Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('button', { name: 'Remove the passkey Laptop' }).waitFor();
  check('passkeys: one is added', true);

  await signOut.click();
  await page.goto(`${site}/owner`);
  await usePasskey.click();
  await signOut.waitFor();
  check('passkeys: it suffices at /owner', true);

  await signOut.click();
  await page.goto(`${site}/owner`);
  const redirect = 'https://claude.ai/api/mcp/auth_callback';
  const client = await registered(site, redirect);
  await page.route(
    (to) => to.origin !== site,
    (route) => route.abort('aborted'),
  );
  await page.goto(askUrl(site, { client, redirect }));
  await usePasskey.click();
  await allow(page, { rights: 'read', days: '1' });
  const link = await page.getByRole('link', { name: /^Back to/ }).getAttribute('href');
  check('passkeys: it suffices when a program asks', link.startsWith(redirect), 'elsewhere');

  await page.goto(`${site}/owner`);
  await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
  await page
    .getByRole('button', { name: 'Remove the passkey Laptop' })
    .waitFor({ state: 'detached' });
  check('passkeys: it is removed', true);
  await context.close();
}
