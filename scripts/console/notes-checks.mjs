import { appendFileSync, copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { check, repository, until } from '../outside-programs.mjs';

/** Does on the screen Notes what a person does there. The page is signed in. */
export async function checkNotes({ page, origin, vault, look, toast, press, callAs, hostile }) {
  const bytes = (path) => readFileSync(join(vault, path));
  const open = (address) => page.goto(new URL(`/c/notes${address}`, origin).href);
  const box = page.getByRole('searchbox', { name: 'Search notes' });
  const about = page.locator('.about');

  // The log of reads is written once a second, so this comes early.
  await callAs('claude-code', [['read_note', { name: 'Flood map' }]]);

  // Searching: from everywhere, as one types, with marks and with what the search has to say.
  await page.goto(new URL('/c/access', origin).href);
  await page.locator('h1').waitFor();
  await press('/');
  await page.locator('.offers').nth(1).waitFor();
  check('"/" leads to the search box', await box.evaluate((it) => it === document.activeElement));
  await look('notes-begin');
  const searches = [];
  page.on('request', (request) => {
    if (request.url().includes('/c/api/search')) searches.push(request.url());
  });
  await box.pressSequentially('river flood', { delay: 15 });
  await page.locator('.hit-line mark').first().waitFor();
  await page.waitForURL(/q=river\+flood/);
  check('a search begins after the last key', searches.length <= 2, searches);
  await look('notes-found');
  await box.fill('hydrogrpah');
  const said = page.locator('.search-news', { hasText: 'found hydrograph' });
  await said.waitFor();
  check('a typo is put right, and it says so', true);
  await box.fill('tga:x');
  await page.locator('.search-news', { hasText: 'use "tag:"' }).waitFor();
  await box.fill('zzqq');
  await page.getByText('Nothing has this').waitFor();
  await look('notes-nothing');
  const waffles = join(vault, 'waffles.pdf');
  copyFileSync(join(repository, 'test', 'media', 'pdf', 'tex.pdf'), waffles);
  await until(
    async () => {
      await box.fill('');
      await page.waitForURL((url) => url.search === '');
      await box.fill('zugzwang');
      const hit = page.locator('.hit-line', { hasText: 'Page three says zugzwang' });
      await hit.waitFor({ timeout: 2_000 }).catch(() => undefined);
      return (await page.locator('.hit-line > .faint').allTextContents()).includes('p. 3');
    },
    () => 'no page beside the hit in a PDF',
    2,
  );
  check('a hit in a PDF has its page', true);
  rmSync(waffles);
  await box.fill('zzqq');
  await page.getByText('Nothing has this').waitFor();
  await page.getByRole('button', { name: 'tag:', exact: true }).click();
  check('an operator is added to the query', (await box.inputValue()) === 'zzqq tag:');

  // By keyboard alone: to the first result, to the next, and back to the list.
  await box.fill('flood map');
  await page.locator('.hit-line mark').first().waitFor();
  await press('ArrowDown', 'Enter');
  await page.waitForURL(/Flood%20map\.md/);
  await press('j');
  await page.waitForURL((url) => !url.pathname.endsWith('Flood%20map.md'));
  await press('k', 'Escape');
  await page.waitForURL(/\/c\/notes\?q=flood\+map$/);
  check('j, k and Escape lead through the results', true);

  // A note with everything around it.
  await callAs('claude-code', [
    ['append_note', { name: 'Flood map', text: '\n- [ ] a first line\n' }],
    ['append_note', { name: 'Flood map', text: '\n- [ ] a second line\n' }],
  ]);
  await open('/Projects/Flood%20map.md?q=river');
  await page.getByText('a second line').waitFor();
  for (const part of ['.versions li', '.outline li', '.local-graph circle', '.backlinks p']) {
    await about.locator(part).first().waitFor();
  }
  await about.locator('.note-reads', { hasText: 'Claude Code' }).waitFor();
  check('a note has its history, outline, graph, backlinks and readers', true);
  check('there is one heading of the page', (await page.locator('h1').count()) === 1);
  await look('note');
  await about.getByText('The same as a list').click();
  await about.locator('.graph-list a').first().click();
  await page.waitForURL((url) => !url.pathname.includes('Flood'));
  check('the graph leads to other notes', true);

  // Its versions: read, compared, restored, and that taken back.
  const path = 'Projects/Flood map.md';
  const newest = bytes(path);
  await open('/Projects/Flood%20map.md');
  await about.locator('.versions a', { hasText: 'Compare' }).first().click();
  await page.locator('.diff .added', { hasText: 'a second line' }).waitFor();
  await look('note-compared');
  await page.locator('.version-line a', { hasText: 'Read' }).click();
  await page.getByText('This is how it was').waitFor();
  await page.locator('.prose').getByText('a first line').waitFor();
  check('a version is as it was', !(await page.getByText('a second line').isVisible()));
  await look('note-version');
  await page.locator('.version-line button', { hasText: 'Restore' }).click();
  await toast('is as it was then');
  check('a version is restored', !bytes(path).includes('a second line'));
  await page.locator('.toast button', { hasText: 'Undo' }).click();
  await toast('is as it was before');
  check('and every byte of that is taken back', bytes(path).equals(newest));
  await open('/Projects/Flood%20map.md?version=99');
  await page.getByText('no version 99').first().waitFor();

  // From a version to its change, and from a file of the change to the note.
  await open('/Projects/Flood%20map.md');
  await about.locator('.versions a', { hasText: 'Added to' }).first().click();
  await page.waitForURL(/\/c\/activity\/\d+/);
  await page.locator('.file h3 a').first().click();
  await page.waitForURL(/\/c\/notes\/Projects\/Flood%20map\.md/);
  check('notes and changes lead to each other', true);

  // A note that changes while it is read is shown anew, and nothing moves.
  const parts = Array.from(
    { length: 60 },
    (_, at) => `## Part ${at}\n\nThe words of part ${at}.\n`,
  );
  await callAs('claude-code', [
    ['create_note', { name: 'Projects/Parts', content: parts.join('\n') }],
  ]);
  await open('/Projects/Parts.md');
  const read = page.getByText('The words of part 40.');
  await read.evaluate((it) => it.scrollIntoView());
  const placeOf = async () => Math.round((await read.boundingBox())?.y ?? -1);
  const before = await placeOf();
  await callAs('cursor-vscode', [
    [
      'replace_note',
      { name: 'Parts', old_text: 'part 3.', new_text: `part 3.${'\n\nNew.'.repeat(9)}` },
    ],
  ]);
  await page.getByText('New.').first().waitFor({ state: 'attached', timeout: 2_000 });
  check('what is read stays where it is', Math.abs((await placeOf()) - before) <= 2, [
    before,
    await placeOf(),
  ]);

  appendFileSync(join(vault, 'Projects/Parts.md'), '\nBy another program.\n');
  await page.getByText('By another program.').waitFor({ state: 'attached', timeout: 5_000 });
  check('so is one that another program has changed', true);

  // A note that was deleted, and one that was renamed.
  const parting = bytes('Projects/Parts.md');
  await callAs('cursor-vscode', [['delete_note', { name: 'Parts' }]]);
  await page.getByText('Parts was deleted').waitFor({ timeout: 3_000 });
  await look('note-deleted');
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await toast('is as it was then');
  check('a deleted note is brought back', bytes('Projects/Parts.md').equals(parting));
  await page.locator('.prose').getByText('The words of part 1.').waitFor();
  await open('/Projects/Bike%20shed.md');
  await page.getByText('It is now Bicycle shed').waitFor();
  await open('/Nowhere.md');
  await page.getByText('There is no such note').waitFor();
  await look('note-missing');

  // Files that are no notes, and hostile ones.
  await open('/Attachments/River%20gauge.png');
  await page.locator('.prose img').waitFor();
  await look('note-picture');
  await open('/Projects/Greenhouse/Greenhouse%20plan.canvas');
  await page.locator('.prose svg').first().waitFor();
  await look('note-canvas');
  await open('/Reading/Reading.base');
  await page.locator('.prose table').waitFor();
  for (const evil of hostile) {
    await open(`/${evil.split('/').map(encodeURIComponent).join('/')}`);
    await page.locator('.prose').waitFor();
    await about.locator('section').nth(4).waitFor();
  }
  await look('note-hostile');
}
