import { check } from '../outside-programs.mjs';
import { connectAs } from './console-server.mjs';
import { readQrCode } from './read-qr-code.mjs';

/** Does on the screen Connect what a person does there. The page is signed in. */
export async function checkConnect({ page, origin, look }) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto(new URL('/c/connect/cursor', origin).href);
  await page.locator('.steps .waits').waitFor();
  await look('connect');
  await page.locator('.steps .code').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await page.locator('.steps .code pre').textContent();
  check('what is copied is what is shown', copied === shown, { copied, shown });
  const { url } = JSON.parse(copied).mcpServers.vaultdoor;
  check('it has the real address', new URL(url).port === new URL(origin).port, url);

  // The light: a client that uses the copied address makes its first call.
  const client = await connectAs(new URL(url), 'cursor-vscode');
  await client.callTool({ name: 'list_notes', arguments: {} });
  await page.locator('.calls li', { hasText: 'list_notes' }).waitFor({ timeout: 4_000 });
  await page.emulateMedia({ colorScheme: 'light' });
  const light = page.locator('.steps > li', { hasText: 'Cursor is here' });
  const colour = await light.evaluate((step) => getComputedStyle(step, '::before').borderTopColor);
  check('the light turns green', colour === 'rgb(47, 158, 87)', colour);
  await look('connected');
}

/** Where the server has a public address, Connect shows it to the camera of a phone. */
export async function checkQrCode(page, origin) {
  await page.goto(new URL('/c/connect', origin).href);
  const address = new URL('/c/', origin).href;
  const code = page.getByRole('img', { name: `QR code of ${address}` });
  const drawn = await code.locator('path').getAttribute('d');
  check('the QR code holds the public address', readQrCode(drawn) === address, readQrCode(drawn));
}
