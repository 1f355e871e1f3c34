// Questions and proposals on a phone, while notes change behind the page.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lookAt } from '../look-at-page.mjs';
import { check } from '../outside-programs.mjs';
import { startConsole, watchPage } from './console-server.mjs';

const phone = { width: 390, height: 844 };

/** What the owner of a home server does with a phone when apps propose, delete and read. */
export async function approvalsChecks(chromium, folder) {
  const given = {};
  const server = await startConsole({
    name: 'approvals',
    flags: ['--tools', 'notes', '--log-reads', '--brake', '2'],
    prepare: async ({ command }) => {
      for (const [name, ...flags] of [['helper', '--propose'], ['eraser']]) {
        const { stdout } = await command(['token', 'create', name, ...flags, '--json']);
        given[name] = JSON.parse(stdout).token;
      }
    },
  });
  const { vault, link, origin, callAs } = server;
  const messages = [];
  const context = await chromium.newContext({ viewport: phone });
  const page = await context.newPage();
  watchPage(page, messages);
  const look = async (name) => {
    const wrong = await lookAt(page, name, folder);
    check(`${name} is well made`, wrong.length === 0, wrong);
    await page.setViewportSize(phone);
  };
  const text = (path) => readFileSync(join(vault, path), 'utf8');
  const isInView = async (locator) => {
    const { y = -1, height = 0 } = (await locator.boundingBox()) ?? {};
    return y >= 0 && y + height <= phone.height;
  };
  await page.goto(link);
  await page.locator('.top h1').waitFor();

  // A note changes after it was proposed to change it: the page shows what would be done now.
  const names = ['Sourdough', 'Flood map', 'Swifts', 'Home'];
  const proposals = names.map((name) => ['append_note', { name, text: '\n- proposed\n' }]);
  await callAs('helper-bot', proposals, given.helper);
  appendFileSync(join(vault, 'Recipes/Sourdough.md'), 'edited before\n');
  await page.goto(`${origin}/c/approvals`);
  const card = (name) => page.locator('.card', { hasText: name });
  await card('Sourdough').getByText('edited before').waitFor();
  check('a proposal is shown as it would be made now', true);
  check('each short diff is shown', (await page.locator('.card .diff').count()) === names.length);
  const flood = await pathOf('Flood map');
  appendFileSync(join(vault, flood), 'edited meanwhile\n');
  const accept = card('Flood map').getByRole('button', { name: 'Accept', exact: true });
  await accept.click();
  const notice = card('Flood map').getByRole('alert');
  await notice.filter({ hasText: 'Not made: a note has changed' }).waitFor();
  check('what could not be accepted is said at its card, in view', await isInView(notice));
  await card('Flood map').getByText('edited meanwhile').waitFor();
  check('the card shows the new diff', !text(flood).includes('- proposed'));
  await look('approvals-changed');
  await accept.click();
  await page.locator('.toast', { hasText: '1 proposal accepted' }).waitFor();
  check('that diff is accepted', text(flood).endsWith('edited meanwhile\n\n- proposed\n'));

  // What an earlier tap has said is gone when the next one fails.
  rmSync(join(vault, await pathOf('Swifts')));
  await card('Swifts').getByRole('button', { name: 'Accept', exact: true }).click();
  const cannot = card('Swifts').getByRole('alert');
  await cannot.filter({ hasText: 'cannot be made now, and stays open' }).waitFor();
  const said = await cannot.innerText();
  check('the message has no id and no advice to apps', !/\bp\d+\b|Search for/.test(said), said);
  check('the earlier message is gone', (await page.locator('.toast').count()) === 0);

  // All of an app are chosen, and the buttons are in view.
  await page.getByRole('button', { name: 'Choose all 3 of helper' }).click();
  const several = page.getByRole('button', { name: 'Accept 3' });
  await several.waitFor();
  check('the buttons for the chosen ones are in view', await isInView(several));
  await page.screenshot({ path: join(folder, 'approvals-chosen-390.png') });
  await look('approvals-chosen');
  await page.getByRole('button', { name: 'Refuse 3' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Refuse' }).click();
  await page.locator('.toast', { hasText: '3 proposals refused' }).waitFor();

  // An app is counted over its sessions, and its questions follow what has become of the earlier ones.
  const remove = (...notes) =>
    callAs(
      'eraser-bot',
      notes.map((name) => ['delete_note', { name }]),
      given.eraser,
    );
  await remove('Unit hydrograph');
  await remove('Velo Club Tarnford', 'How this vault works');
  const gone = await pathOf('Bike shed');
  await remove('Bike shed', 'Sourdough');
  const asked = page.locator('.card:has(input.field)');
  await asked.nth(1).waitFor();
  const [first, second] = await asked.allInnerTexts();
  check('the oldest question is first', first.includes('Bike shed'), [first, second]);
  const counts = 'It had already done that to 3 files in the 10 minutes before.';
  check('an app is counted over all its sessions', first.includes(counts), first);
  check('a later question says that one waits', second.includes('An earlier question'), second);
  await look('approvals-questions');
  await asked.first().getByRole('button', { name: 'Deny and undo 3' }).click();
  await page.locator('.toast', { hasText: '3 earlier changes undone' }).waitFor();
  await asked.nth(1).waitFor({ state: 'detached' });
  const now = await asked.first().innerText();
  check('its text follows the state', !/already done|earlier question/i.test(now), now);
  appendFileSync(join(vault, 'Recipes/Sourdough.md'), 'edited again\n');
  await page.reload();
  await asked.getByText('changed since the app asked').waitFor();
  const allow = asked.getByRole('button', { name: 'Allow this one' });
  check('what has changed cannot be allowed', (await allow.count()) === 0);
  await look('approvals-void');
  const decided = await page.locator('.decided li').allInnerTexts();
  check(
    'decided questions name the file',
    decided.some((row) => row.startsWith('EB') && row.includes('Delete Bike shed')),
    decided,
  );
  check('what was denied is there', existsSync(join(vault, gone)));

  await checkActivity();
  await checkAccess();
  await page.goto(`${origin}/c/graph`);
  await page.locator('.graph-canvas[data-drawn]').waitFor();
  await look('phone-graph');
  check('approvals: nothing went wrong on the pages', messages.length === 0, messages);
  await context.close();
  server.stop();

  /** Where a note is: as the search of the tools finds it. */
  async function pathOf(name) {
    const [{ content }] = await callAs('finder', [['search_notes', { query: `file:"${name}"` }]]);
    const [found] = new RegExp(`[^"]*${name}\\.md`).exec(content[0].text) ?? [];
    return found;
  }

  /** The names of what was read are not broken inside a word. */
  async function checkActivity() {
    await callAs('claude-ai', [
      ['read_note', { name: 'Home' }],
      ['search_notes', { query: 'the' }],
    ]);
    await page.goto(`${origin}/c/activity`);
    const session = page.locator('.session', { hasText: 'read 1 file' }).first();
    await session.locator('.reads').click();
    await session.locator('.reads-list a').first().waitFor();
    const broken = await session
      .locator('.reads-list a')
      .evaluateAll((links) =>
        links
          .filter((one) => one.textContent.length < 30 && one.getBoundingClientRect().height > 26)
          .map((one) => one.textContent),
      );
    check('no name is broken inside', broken.length === 0, broken);
    await look('activity-reads');
  }

  /** Sessions that nobody uses any more are folded. */
  async function checkAccess() {
    await page.route('**/c/api/open-sessions', async (route) => {
      const response = await route.fetch();
      const { sessions } = await response.json();
      const old = sessions.map((one, at) => ({ ...one, isConnected: at === 0 }));
      await route.fulfill({ response, json: { sessions: old } });
    });
    await page.goto(`${origin}/c/access`);
    const folded = page.locator('summary', { hasText: 'without a call lately' });
    await folded.waitFor();
    const close = page.getByRole('button', { name: /^Close / }).filter({ visible: true });
    check('idle sessions are folded', (await close.count()) === 1, await close.count());
    await folded.click();
    check('and can be opened', (await close.count()) > 1);
    await look('access-folded');
  }
}
