// Everything on Activity and Approvals by keyboard alone: no mouse, and no script that sets the focus.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lookAt } from '../look-at-page.mjs';
import { check, repository } from '../outside-programs.mjs';
import { startConsole, watchPage } from './console-server.mjs';

const tabsMax = 150;

/** Undoes, redoes, filters, answers and decides. */
export async function keyboardChecks(chromium, folder) {
  const made = {};
  const server = await startConsole({
    name: 'keyboard',
    flags: ['--tools', 'notes', '--brake', '1', '--tag-policy', 'off'],
    prepare: async ({ command }) => {
      const { stdout } = await command(['token', 'create', 'helper', '--propose', '--json']);
      made.token = JSON.parse(stdout).token;
    },
  });
  const messages = [];
  const context = await chromium.newContext({ viewport: { width: 1_280, height: 844 } });
  const page = await context.newPage();
  watchPage(page, messages);
  const press = async (...keys) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const look = async (name) => {
    const wrong = await lookAt(page, name, folder);
    check(`${name} is well made`, wrong.length === 0, wrong);
    await page.setViewportSize({ width: 1_280, height: 844 });
  };
  const toast = (part) => page.locator('.toast', { hasText: part }).waitFor({ timeout: 8_000 });
  /** Presses Tab until an element with this name has the focus. */
  const tabTo = async (name, within = 'body') => {
    for (let tabs = 0; tabs < tabsMax; tabs++) {
      await press('Tab');
      const found = await page.evaluate(
        ({ name, within }) => {
          const element = document.activeElement;
          if (element === null || element.closest(within) === null) return false;
          const said = element.getAttribute('aria-label') ?? element.textContent ?? '';
          const isThere = said.replace(/\s+/g, ' ').trim() === name;
          const { outlineStyle, outlineWidth } = getComputedStyle(element);
          const isSeen = outlineStyle !== 'none' && outlineWidth !== '0px';
          return isThere ? { isSeen } : false;
        },
        { name, within },
      );
      if (found === false) continue;
      if (!found.isSeen) check(`the focus on "${name}" can be seen`, false);
      return;
    }
    check(`"${name}" can be reached with Tab`, false, await page.evaluate(() => document.title));
  };
  const note = (path) => readFileSync(join(server.vault, path));
  const original = (path) => readFileSync(join(repository, 'examples', 'vault', path));

  await page.goto(server.link);
  await page.locator('.top h1').waitFor();
  await page.locator('.empty, [class*=empty]').first().waitFor();
  await look('activity-empty');
  await press('g', 'p');
  await page.waitForURL(/approvals/);
  await look('approvals-empty');
  const shed = 'Projects/Bike shed.md';
  const bread = 'Recipes/Sourdough.md';
  await server.callAs('claude-ai', [
    ['append_note', { name: 'Sourdough', text: '\n- try rye\n' }],
    ['append_note', { name: 'Bike shed', text: '\n- paint\n' }],
  ]);
  const changed = { shed: note(shed), bread: note(bread) };
  await server.callAs('cursor-vscode', [['append_note', { name: 'Home', text: '\nlive\n' }]]);

  // One change: select, undo, redo with the keys, then with the buttons.
  await press('g', 'a');
  await page.locator('.change').nth(2).waitFor();
  await press('j', 'j');
  await page.locator('.detail .actions').waitFor();
  await press('u');
  await toast('is undone');
  check('u undoes the selected change', note(shed).equals(original(shed)));
  await page.locator('.detail .actions button', { hasText: 'Redo' }).waitFor();
  await press('r');
  await toast('done again');
  check('r makes it again', note(shed).equals(changed.shed));
  await page.locator('.detail .actions button', { hasText: 'Undo' }).waitFor();
  await tabTo('Undo U', '.detail .actions');
  await press('Enter');
  await toast('is undone');
  check('the button undoes it too', note(shed).equals(original(shed)));
  await tabTo('Redo', '.toast');
  await press('Enter');
  await toast('done again');
  check('and the bar makes it again', note(shed).equals(changed.shed));

  // A session, after its preview.
  await press('Shift+U');
  await page.locator('.preview li').nth(1).waitFor();
  const before = note(bread);
  await press('Enter');
  await page.waitForTimeout(300);
  check('Enter alone undoes no session', note(bread).equals(before));
  await tabTo('Undo 2 changes', 'dialog');
  await press('Enter');
  await toast('2 changes are undone');
  const isBack = note(shed).equals(original(shed)) && note(bread).equals(original(bread));
  check('a session is undone by keyboard', isBack);
  await tabTo('Redo', '.toast');
  await press('Enter');
  await toast('done again');
  const isAgain = note(shed).equals(changed.shed) && note(bread).equals(changed.bread);
  check('and made again', isAgain);

  // Filters are in the address.
  await press('Escape');
  await tabTo('App');
  await press('ArrowDown');
  await page.waitForURL(/client=/);
  await tabTo('Hide undone');
  await press('Space');
  await page.waitForURL(/undone=hide/);
  check('filters are set by keyboard', true);

  // Questions: announced once, at once; answered only by a button that was reached on purpose.
  await page.evaluate(() => {
    globalThis.heard = [];
    const region = document.querySelector('[aria-live=assertive]');
    const note = () => globalThis.heard.push(region.textContent);
    new MutationObserver(note).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const lines = ['Swifts', 'Unit hydrograph'].map((name) => ['delete_note', { name }]);
  const stopped = [
    ...lines,
    ['read_note', { name: 'Sourdough' }],
    ['update_note', { name: 'Sourdough', content: '# Sourdough\n\nOnly rye from now on.\n' }],
  ];
  await server.callAs('cursor-vscode', stopped);
  const proposals = [
    ['append_note', { name: 'Home', text: '\nproposed\n' }],
    ['append_note', { name: 'Bike shed', text: '\n- proposed\n' }],
    ['append_note', { name: 'Flood map', text: '\n- proposed\n' }],
  ];
  await server.callAs('helper-bot', proposals, made.token);
  await page.waitForTimeout(1_500);
  const heard = (await page.evaluate(() => globalThis.heard)).filter((text) => text !== '');
  check(
    'a question is announced once',
    heard.join() === '1 question waits for your answer.',
    heard,
  );
  const badge = await page.locator('.side .count [aria-hidden]').textContent();
  check('the badge counts questions and proposals', badge === '4', badge);

  await press('g', 'p');
  await page.locator('.card').nth(1).waitFor();
  const card = page.locator('.card').first();
  await card.locator('.diff ins, .diff .added').first().waitFor();
  const coloured = await page.locator('.card .btn.main').count();
  check('no answer is a coloured button', coloured === 0, coloured);
  const heading = await page.evaluate(() => document.activeElement?.tagName);
  check('the heading has the focus', heading === 'H1', heading);
  await press('Enter', 'Space', 'y', 'a');
  await tabTo('Reason, told to the app', '.card');
  await page.keyboard.type('please ask first');
  await press('Enter');
  await page.waitForTimeout(300);
  check('no key answers', (await page.locator('.card input.field').count()) === 1);
  await look('approvals-overwrite');
  await tabTo('Deny', '.card');
  await press('Enter');
  await toast('Denied');
  await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
  check('the focus is on the heading after an answer', true);

  // Proposals: those of a session at once, and one that is refused with a reason.
  await tabTo('Choose: Add to Bike shed', '.card');
  await press('Space');
  await tabTo('Choose: Add to Home', '.card');
  await press('Space');
  await tabTo('Accept 2', '.of-chosen');
  await press('Enter');
  await toast('2 proposals accepted');
  check('several proposals are accepted', note('Home.md').includes('proposed'));
  await tabTo('Refuse', '.card');
  await press('Enter');
  await page.locator('dialog').waitFor();
  await press('Enter');
  await page.waitForTimeout(200);
  check('Enter alone refuses nothing', (await page.locator('dialog').count()) === 1);
  await tabTo('', 'dialog label');
  await page.keyboard.type('not now');
  await tabTo('Refuse', 'dialog');
  await press('Enter');
  await toast('1 proposal refused');
  check('a proposal is refused with a reason', true);
  check('by keyboard: nothing went wrong on the pages', messages.length === 0, messages);

  // The server goes away: what is shown stays, and the page says so.
  await server.stop();
  await page.locator('.line-above').waitFor();
  await look('server-away');
  await context.close();
}
