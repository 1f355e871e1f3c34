import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../outside-programs.mjs';

/** What a note or a base should never become: elements that run or load something, and their addresses. */
export function oddParts(page) {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('.prose *, .props *'), (element) => {
      const attributes = Array.from(element.attributes, ({ name }) => name);
      const bad = attributes.filter((name) => name.startsWith('on'));
      // The size and the colour of cards are the only styles of their own.
      if (attributes.includes('style') && !/^base-(?:cards|picture)\b/.test(element.className)) {
        bad.push('style');
      }
      const tags = ['SCRIPT', 'IFRAME', 'FORM', 'INPUT', 'META', 'BASE', 'LINK', 'STYLE', 'OBJECT'];
      if (tags.includes(element.tagName)) bad.push(element.tagName);
      const href = element.getAttribute('href') ?? '';
      if (href !== '' && !/^(?:https?:\/\/|mailto:|obsidian:|\/c\/notes)/.test(href))
        bad.push(href);
      const src = element.getAttribute('src') ?? '';
      if (src !== '' && !src.startsWith('blob:')) bad.push(src);
      return bad;
    }).flat(),
  );
}

/** Shows the bases of `base-vault.mjs` by themselves and inside notes. The page is signed in. */
export async function checkBases({ page, open, look, vault }) {
  const base = page.locator('.base');
  const rowsOf = (part) => part.locator('tbody tr:not(.base-group)');
  const running = { now: 0, most: 0, all: 0 };
  const isBase = (request) => request.url().endsWith('/c/api/base');
  page.on('request', (request) => {
    if (!isBase(request)) return;
    running.all++;
    running.most = Math.max(running.most, ++running.now);
  });
  for (const end of ['requestfinished', 'requestfailed']) {
    page.on(end, (request) => {
      if (isBase(request)) running.now--;
    });
  }

  // Every kind of view, by keyboard alone.
  await open('Bases/Trips.base');
  await page.locator('.base-check.done').waitFor();
  const titles = (await base.locator('thead').innerText()).replace(/\s+/g, ' ');
  check('a table has the titles of its columns', titles.includes('Nights Price in €'), titles);
  const groups = (await base.locator('.base-group').allInnerTexts()).map((it) => it.split(' ')[0]);
  check('and its groups in order', groups.join() === 'Japan,Portugal,None', groups);
  check('and summaries', (await base.locator('tfoot').innerText()).includes('15,286.5'));
  const choice = page.getByRole('combobox', { name: 'View' });
  await choice.focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/#Cards$/);
  await page.locator('.base-card img[src^="blob:"]').nth(1).waitFor();
  check('cards have pictures of the vault', (await page.locator('.base-picture').count()) === 3);
  await look('base-cards');
  await page.keyboard.press('ArrowDown');
  await page.locator('.base-list li', { hasText: 'Kyoto · Japan · 2100' }).waitFor();
  await page.goBack();
  await page.locator('.base-card').first().waitFor();
  check('the way back leads through the views', true);
  await open('Bases/Trips.base#On%20a%20map');
  await page.getByText('of the type “map”').waitFor();
  const wrong = await base.locator('.broken-props').innerText();
  check('an error says where it is', wrong.includes('The formula “wrong” (line 4,'), wrong);
  check('and each cell, too', (await base.locator('.base-error').count()) === 4);
  writeFileSync(join(vault, 'Trips', 'Oslo.md'), '---\nfrom: 2026-01-01\n---\n');
  await base.getByRole('link', { name: 'Oslo' }).waitFor({ timeout: 8_000 });
  check('a new note appears in the rows', true);

  // Inside notes: `this` is the note in which they stand, however deep it is embedded.
  for (const name of ['Bases/Journal.md', 'Bases/Outer.md']) {
    await open(name);
    await page.locator('.callout .base-list li').nth(2).waitFor();
    await page.getByText('There is no view "Nope"').waitFor();
    await rowsOf(base.first()).first().waitFor();
    const mine = (await rowsOf(base.first()).allInnerTexts()).join().replace(/\s+/g, ' ');
    const others = (await page.locator('.callout .base-list').innerText()).split('\n').join();
    check(
      `bases in ${name} know their note`,
      mine === 'Kyoto Japan,Lisbon Portugal' && others === 'Nowhere,Oslo,Porto',
      [mine, others],
    );
  }
  await page.getByText('"views" must be a list').waitFor();
  await base.last().scrollIntoViewIfNeeded();
  await page.locator('.base-check.done').waitFor();
  await look('base-in-note');
  await base.first().getByRole('link', { name: 'Kyoto' }).click();
  await page.waitForURL(/Trips\/Kyoto\.md$/);
  check('a row leads to its note', true);

  // Much of everything.
  await open('Bases/Many.base');
  await rowsOf(base).nth(49).waitFor();
  await base.getByRole('button', { name: 'Show 100 more' }).press('Enter');
  await rowsOf(base).nth(149).waitFor();
  await base.getByRole('button', { name: 'Show 10 more' }).press('Enter');
  await rowsOf(base).nth(159).waitFor();
  check('a long table is shown in steps', (await base.getByRole('button').count()) === 0);
  Object.assign(running, { now: 0, most: 0, all: 0 });
  await open('Bases/Crowd.md');
  await rowsOf(base.first()).nth(49).waitFor();
  check('of many bases those in sight are asked for', running.all < 8, running);
  check('two at a time', running.most <= 2, running);
  const drawn = await page.locator('.embed').count();
  check('and there are not too many of them', drawn === 40, drawn);

  // A base that tries everything.
  for (const view of ['', '#Everything', '#__proto__']) {
    await open(`Bases/Hostile.base${view}`);
    await base.locator('td, .base-card').first().waitFor();
    const odd = await oddParts(page);
    check(`the hostile base${view} becomes text and harmless elements`, odd.length === 0, odd);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > window.innerWidth,
    );
    check('and is no wider than the window', !isWide);
  }
  await page.getByText('first 50 of 200 columns').waitFor();
}
