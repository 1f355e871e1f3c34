// Undo and redo of whole sessions and of single files: what is said before and after is what happens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookAt } from '../look-at-page.mjs';
import { check } from '../outside-programs.mjs';
import { startConsole, watchPage } from './console-server.mjs';

/** Undoes a session and redoes it from the change, from its card and from the bar; then single files. */
export async function undoChecks(chromium, folder) {
  const server = await startConsole({
    name: 'undo',
    flags: ['--tools', 'notes', '--tag-policy', 'off'],
  });
  await server.callAs('claude-ai', [
    ['rename_note', { old_name: 'Bike shed', new_name: 'Bicycle shed' }],
    ['create_note', { name: 'Ideas/Rain gauge', content: '# Rain gauge\n' }],
    ['append_note', { name: 'Sourdough', text: '\n- try rye next time\n' }],
  ]);
  await server.command(['tag', 'rename', 'daily', 'day']);
  const messages = [];
  const viewport = { width: 1_280, height: 844 };
  const page = await (await chromium.newContext({ viewport })).newPage();
  watchPage(page, messages);
  const look = async (name) => {
    const wrong = await lookAt(page, name, folder);
    check(`${name} is well made`, wrong.length === 0, wrong);
    await page.setViewportSize(viewport);
  };
  const note = (path) => readFileSync(join(server.vault, path), 'utf8');
  const isChanged = () => note('Recipes/Sourdough.md').includes('try rye');
  const bar = (part) => page.locator('.toast', { hasText: part }).waitFor({ timeout: 8_000 });
  const barButton = (name) => page.locator('.toast').getByRole('button', { name });
  const dialog = page.locator('dialog[open]');
  const session = page
    .locator('.session')
    .filter({ has: page.getByText('Claude', { exact: true }) });

  await page.goto(server.link);
  await session.getByRole('link', { name: /^Undo session/ }).click();
  await dialog.getByRole('button', { name: 'Undo 3 changes' }).click();
  await bar('3 changes are undone');
  check('a session is undone', !isChanged());

  // From one of its changes: the button says how much comes back, and shows it before.
  await page.locator('.change', { hasText: 'Sourdough' }).click();
  await page
    .locator('.detail .actions')
    .getByRole('button', { name: 'Redo all 3 changes' })
    .click();
  await dialog.getByRole('heading', { name: 'Redo these 3 changes?' }).waitFor();
  check('a redo of several changes is shown before', !isChanged());
  await page.locator('.preview li').first().waitFor();
  await look('redo-preview');
  await dialog.getByRole('button', { name: 'Redo 3 changes' }).click();
  await bar('3 changes are done again');
  check('all of them are done again', isChanged());
  await barButton('Undo').click();
  await bar('3 changes are undone');
  check('the bar takes a redo back', !isChanged());

  // From the session, long after the bar has gone; and by the key.
  await session.getByRole('link', { name: /^Redo 3 changes/ }).click();
  await dialog.getByRole('button', { name: 'Redo 3 changes' }).click();
  await bar('3 changes are done again');
  await page.locator('.change', { hasText: 'Sourdough' }).click();
  await page.locator('.detail .actions').getByRole('button', { name: /^Undo/ }).click();
  await bar('Change 3 is undone');
  await page
    .locator('.detail .actions')
    .getByRole('button', { name: /^Redo R/ })
    .waitFor();
  await page.keyboard.press('r');
  await bar('Change 3 is done again');
  check('a change alone is redone at once', isChanged());

  // A move and its links belong together; where nothing moved, one file can be taken back.
  await page.locator('.change', { hasText: 'Bicycle shed' }).click();
  await page.locator('.after', { hasText: 'links were updated with the move' }).waitFor();
  const ways = page.getByRole('button', { name: /^Undo only/ });
  await page.locator('.detail .actions').getByRole('button', { name: /^Undo/ }).click();
  await bar('Change 1 is undone');
  await page.locator('.detail .after', { hasText: 'This change is undone.' }).waitFor();
  const words = await page.locator('.detail .after').textContent();
  check('an undone change is not said to be undoable', !words.includes('can be undone'), words);
  await barButton('Redo').click();
  await bar('Change 1 is done again');
  check('no file of a move is undone alone', (await ways.count()) === 0);
  await page.locator('.change', { hasText: 'Renamed a tag' }).click();
  await page.locator('.facts', { hasText: 'Change 4' }).waitFor();
  const files = await page.locator('.detail .file').count();
  await ways.first().click();
  await bar(`1 of ${files} files of change 4 is undone`);
  await page.locator('.change .pill', { hasText: 'undone in part' }).waitFor();
  await page.locator('.facts .pill', { hasText: 'undone in part' }).waitFor();
  await look('undone-in-part');
  await page
    .getByRole('button', { name: /^Redo / })
    .last()
    .click();
  await bar(`1 of ${files} files of change 4 is done again`);
  await barButton('Undo').waitFor();

  // The bar does not hide the end of what is behind it.
  const isHidden = await page.evaluate(() => {
    const detail = document.querySelector('.detail');
    detail.scrollTop = detail.scrollHeight;
    const last = detail.querySelector('.after').getBoundingClientRect();
    return last.bottom > document.querySelector('.toast').getBoundingClientRect().top;
  });
  check('the last line can be scrolled above the bar', !isHidden);

  // The versions of a note say what an undo was.
  await page.goto(new URL('/c/notes/Recipes/Sourdough.md', server.origin).href);
  const versions = page.locator('.versions');
  for (const said of ['Undid 3 changes of Claude', 'Redid what was undone']) {
    await versions.getByText(said).first().waitFor();
  }
  check('nothing ran that should not, and nothing left this machine', !messages.length, messages);
  await page.context().close();
  server.stop();
}
