import { check } from '../outside-programs.mjs';

/** Does on the screen Access what a person does there. The page is signed in. */
export async function checkAccess({ page, look, toast, press, callAs, connectAs }) {
  await press('g', 't');
  await page.locator('.access li').first().waitFor();
  await look('access');
  await page.getByText('in use now').waitFor();
  await page.getByText('“vaultdoor doctor” says what it may do').waitFor();

  // A token for a folder: made, used, revoked.
  await page.getByRole('button', { name: 'New token' }).click();
  await page.locator('dialog input.field').first().fill('work');
  await page.locator('dialog textarea').fill('Projects');
  await look('new-token');
  await page.locator('dialog').getByRole('button', { name: 'Make the token' }).click();
  const work = (await page.locator('.once pre').textContent()) ?? '';
  const [seen] = await callAs('work-bot', [['read_note', { name: 'Sourdough' }]], work);
  check('a token for a folder does not see others', seen.isError === true, seen);
  await page.getByRole('button', { name: 'Revoke work' }).click();
  await page.locator('dialog .field').waitFor();
  await look('revoke');
  await page.locator('dialog .field').fill('work');
  await page.locator('dialog').getByRole('button', { name: 'Revoke' }).click();
  await toast('is revoked');
  check('a revoked token is out', await isRefused(callAs('work-bot', [], work)));

  // An open session appears by itself, and is closed.
  const guest = await connectAs('guest-bot');
  const end = page.getByRole('button', { name: 'Close guest-bot' });
  await end.click();
  await toast('The session of guest-bot is closed. The app can come back.');
  await end.waitFor({ state: 'detached' });
  const call = guest.callTool({ name: 'read_note', arguments: { name: 'Home' } });
  check('a session that was closed is out', await isRefused(call));
}

/** Whether a call is refused, and not only answered with an error of its tool. */
function isRefused(call) {
  return call.then(
    () => false,
    () => true,
  );
}
