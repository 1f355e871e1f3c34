import { check } from '../outside-programs.mjs';
import { connectAs } from './console-server.mjs';
import { readQrCode } from './read-qr-code.mjs';

/** Does on the screen Connect what a person does there. The page is signed in. */
export async function checkConnect({ page, origin, look }) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto(new URL('/c/connect/cursor', origin).href);
  await page.locator('.steps .waits').waitFor();
  const first = page.locator('.steps > li').first();
  await first.getByText('the app may read and change everything').waitFor();
  await page.getByText('Without a token the app gets the toolset “notes”.').waitFor();
  check('it says what a client without a token gets', true);
  await look('connect');
  await page.locator('.steps .code').first().getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const shown = await page.locator('.steps .code pre').first().textContent();
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
  const ticks = await page.locator('.steps > li.done').count();
  check('every step has its tick, but for the token, which is not needed', ticks === 2, ticks);
  await look('connected');

  // After a reload, the client is known.
  await page.reload();
  await page.getByRole('heading', { name: 'Waiting for the next call of Cursor' }).waitFor();
  await page.getByText('Cursor is connected: its last call was just now.').waitFor();
  check('a client that was here is not waited for as a new one', true);
  await connectAs(new URL(url), 'typo', 'vd_wrong').catch(() => undefined);
  await page.getByRole('alert').filter({ hasText: 'a token that is not valid' }).waitFor();
  check('a wrong token is told', true);
  // Another app is chosen by a click: what was known of the first one is not said of it.
  await page.getByRole('link', { name: 'VS Code' }).click();
  await page.getByRole('heading', { name: 'Waiting for the first call of VS Code' }).waitFor();
  await page.getByText('The commands on this page use this address.').waitFor();
  const isSeen = (await page.getByText('is connected:').count()) > 0;
  check('VS Code is not Cursor', !isSeen);
  await page.getByText('On your phone').waitFor();
  const toPhone = await page.locator('aside .code pre').allTextContents();
  const isLine = /^(npx )?vaultdoor serve --vault \S+Tarnford --public-url https:/.test(
    toPhone[1] ?? '',
  );
  check('the line for a phone is whole', isLine, toPhone);
  await page.getByText('To take it out again').click();
  await page.getByText('Take the entry “vaultdoor” out of .vscode/mcp.json again.').waitFor();
  await page.locator('details pre', { hasText: /vaultdoor uninstall vscode --vault / }).waitFor();
  check('it says how the app is disconnected again', true);
  await page.getByRole('link', { name: 'Claude Desktop' }).click();
  await page.getByText('which that program does not share').waitFor();
  check('an app that would not share the history is told so', true);

  // Where no token is asked for, a client by any name counts, and it is named.
  await page.goto(new URL('/c/connect/claude-code', origin).href);
  await page.locator('.steps .waits').waitFor();
  const command = await page.locator('.steps .code pre').nth(1).textContent();
  const isWhole = /^(npx )?vaultdoor install claude-code --vault \S+Tarnford$/.test(command ?? '');
  check('the command to install is whole', isWhole, command);
  await connectAs(new URL(url), 'my-own-script');
  await page.locator('.steps > li.done h2', { hasText: 'my-own-script is here' }).waitFor();
  check('a client by another name is seen', true);

  // With a token, whoever uses it counts; the entry with the token is shown whole.
  await page.goto(new URL('/c/connect/other', origin).href);
  await page.getByRole('button', { name: 'Make a token for your app' }).click();
  const dialog = page.locator('dialog[open]');
  await dialog.getByText('none ticked: notes').waitFor();
  const ticked = await dialog.getByRole('checkbox', { name: /^notes/ }).isChecked();
  check('the usual toolset is ticked from the start', ticked);
  await dialog.locator('input.field').first().fill('mine');
  await look('connect-token');
  await dialog.getByRole('button', { name: 'Make the token' }).click();
  await page.locator('.steps .code pre', { hasText: 'Bearer' }).waitFor();
  const isGone = (await page.getByText('Without a token').count()) === 0;
  check('with a token nothing is said of clients without one', isGone);
  const given = JSON.parse(await page.locator('.steps .code pre').textContent());
  const isCut = await page
    .locator('.steps .code pre')
    .evaluate((code) => code.scrollWidth > code.clientWidth);
  check('the text with the token is not cut', !isCut);
  await connectAs(new URL(url), 'somebody-else');
  const token = given.mcpServers.vaultdoor.headers.Authorization.replace('Bearer ', '');
  await connectAs(new URL(url), 'odd-name', token);
  await page.locator('.steps > li.done h2', { hasText: 'odd-name is here' }).waitFor();
  const listed = await page.locator('.calls').textContent();
  check('and nobody else', !listed?.includes('somebody-else'), listed);

  // claude.ai comes from the internet, and is not given an address of this machine.
  await page.goto(new URL('/c/connect/claude-ai', origin).href);
  await page.getByText('claude.ai cannot reach this server').waitFor();
  check('claude.ai is not given it', !(await page.content()).includes('127.0.0.1'));
  await look('connect-claude-ai');
}

/** Where the server has a public address, Connect shows it to the camera of a phone. */
export async function checkQrCode(page, origin) {
  await page.goto(new URL('/c/connect', origin).href);
  const address = new URL('/c/', origin).href;
  const code = page.getByRole('img', { name: `QR code of ${address}` });
  const drawn = await code.locator('path').getAttribute('d');
  check('the QR code holds the public address', readQrCode(drawn) === address, readQrCode(drawn));
}
