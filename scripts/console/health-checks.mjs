// Checks the screen Health of the console in a browser, with a vault that has every kind of problem.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { lookAt } from '../look-at-page.mjs';
import { check, repository, run, temporaryHome } from '../outside-programs.mjs';
import { serveVault } from './serve-vault.mjs';
import { evilName, filesOf, makeTroubledVault } from './troubled-vault.mjs';

const program = join(repository, 'dist', 'vaultdoor.js');

/** Does on Health what a person does there. Pictures go into the folder. */
export async function checkHealth(chromium, folder) {
  const { home, env } = temporaryHome('health');
  const vault = join(home, 'Troubled');
  makeTroubledVault(vault);
  await makeHistory(vault, { home, env });
  await checkTroubled(chromium, { vault, env, folder });
  await checkReadOnly(chromium, { vault, env, folder });
}

async function checkTroubled(chromium, { vault, env, folder }) {
  const { link, origin, stop } = await serveVault(vault, { env });
  const { page, messages, asked, look, toast } = await openPage(chromium, { link, folder });
  await page.goto(new URL('/c/health', origin).href);
  const tile = (name) => page.locator('.tile', { hasText: name }).locator('.number');
  await page.locator('.tile', { hasText: 'Index' }).getByText('Ready').waitFor();
  await page.locator('.short-list').nth(5).waitFor();
  const titles = await page.locator('.short-list h3').allTextContents();
  const colours = await page
    .locator('.tile .dot, .foot .dot')
    .evaluateAll((dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor));
  check(
    'what is well is green',
    colours.every((is) => is === 'rgb(47, 158, 87)'),
    colours,
  );
  check('every list is there', titles.length === 6, titles);
  check('problems are counted', (await tile('Problems').textContent()) === '8');
  for (const part of ['Far away', 'slash', 'Outside', 'Broken', 'nowhere']) {
    check(`"${part}" is listed`, (await page.getByText(part).count()) > 0);
  }
  const plots = page.locator('.plot svg[role=img]');
  await plots.nth(1).waitFor();
  check('plots have a sentence', !(await labels(plots)).includes(''), await labels(plots));
  check('the plot of changes has its clients', (await page.locator('.plot-keys li').count()) === 5);
  check('and the days before', (await page.getByText('counted once a day since').count()) === 1);
  await page.locator('.plot-numbers summary').first().click();
  check('and their numbers', (await page.locator('.plot-numbers[open] tbody tr').count()) > 0);
  // The full check: only when asked for, with its answer in words.
  check('nothing is checked on opening', !asked.some((url) => url.includes('/api/check')));
  await page.getByRole('button', { name: 'Full check' }).click();
  await page.locator('.check', { hasText: 'All is well' }).waitFor({ timeout: 30_000 });
  await look('health');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.screenshot({ path: join(folder, 'health-forced-colours.png'), fullPage: true });
  await page.emulateMedia({ forcedColors: 'none' });

  // A long list, a page at a time, with its place in the address.
  await page.getByRole('link', { name: /Show all .*: Orphans/ }).click();
  await page.waitForURL(/list=orphans$/);
  await page.locator('.pager').waitFor();
  check('a page has fifty rows', (await page.locator('.health .list > li').count()) === 50);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.waitForURL(/from=50$/);
  await page.locator('.pager', { hasText: '51–100' }).waitFor();
  await look('health-list');
  await page.reload();
  await page.locator('.pager', { hasText: '51–100' }).waitFor();
  check('an address shows the same page again', true);
  await page.getByRole('link', { name: 'All of Health' }).click();
  await page.locator('.tiles').waitFor();
  const long = asked.filter((url) =>
    /(problems|unresolved|orphans|conflicts)\?.*limit=(?!5\b|50\b)/.test(url),
  );
  check('no whole list is asked for', long.length === 0, long);

  await page
    .locator('.short-list')
    .getByRole('link', { name: 'Broken', exact: true })
    .first()
    .click();
  await page.waitForURL(/\/c\/notes\/Broken\.md$/);
  check('a row leads to its note', true);
  await page.goBack();
  await page.locator('.short-list').nth(5).waitFor();

  await checkMerging(page, { vault, look, toast });

  // Leaving ends a check.
  const ended = page.waitForEvent('requestfailed', { timeout: 10_000 });
  await page.getByRole('button', { name: 'Full check' }).click();
  await page.locator('.nav a', { hasText: 'Activity' }).click();
  const isEnded = await ended.then(
    (request) => request.url().endsWith('/api/check'),
    () => false,
  );
  // A check of so few notes may be done before the page is left.
  const isDone = asked.filter((url) => url.endsWith('/api/check')).length === 2;
  check('leaving ends a check', isEnded || isDone);

  // What another program changes appears by itself.
  await page.goto(new URL('/c/health', origin).href);
  await page.locator('.tile', { hasText: 'Broken links' }).locator('.number').waitFor();
  await page.locator('.short-list').nth(4).waitFor();
  const before = Number(await tile('Broken links').textContent());
  const words = ['append', 'Home', '[[Never written]]', '--vault', vault];
  await run(process.execPath, [program, ...words], { env });
  await page
    .locator('.tile', { hasText: 'Broken links' })
    .locator('.number', { hasText: String(before + 1) })
    .waitFor({ timeout: 10_000 });
  check('a new broken link appears by itself', true);
  check('nothing ran on Health that should not', messages.length === 0, messages);
  await page.close();
  stop();
}

/** Merges conflict copies by choice, and takes one merge back byte by byte. */
async function checkMerging(page, { vault, look, toast }) {
  const before = filesOf(vault);
  const dialog = page.locator('dialog[open]');
  const open = (name) => page.getByRole('link', { name: `Compare and merge ${name}` }).click();
  await open('Log.sync-conflict');
  await dialog.locator('.sides').nth(1).waitFor();
  const merge = dialog.getByRole('button', { name: 'Merge' });
  check('nothing is merged before a choice', await merge.isDisabled());
  // By keyboard alone: into the first group, the second side; into the next group, both.
  await dialog.locator('.sides').first().locator('input').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowUp');
  await dialog.getByText('2 of 2 differences chosen').waitFor();
  await look('health-merge');
  await merge.click();
  await toast('is merged');
  const merged = readFileSync(join(vault, 'Log.md'), 'utf8');
  const expected =
    '# Log\r\n\r\nrain on Tuesday\r\n\r\nsame line\r\n\r\nthe river rose by two feet\r\nthe river rose by three feet <script>alert(1)</script> \u202e\r\n\r\nend, without a line end';
  check('the merged note has what was chosen', merged === expected, merged);
  await page.locator('.toast button', { hasText: 'Undo' }).click();
  await toast('are as they were');
  check('undoing a merge restores every byte', isDeepStrictEqual(filesOf(vault), before));
  await page.locator('.toast button', { hasText: 'Redo' }).click();
  await toast('is merged');
  check('redoing it brings it back', readFileSync(join(vault, 'Log.md'), 'utf8') === expected);
  for (const [name, side] of [
    ['Board.sync-conflict', 'Keep both'],
    ['Twin (conflicted', undefined],
  ]) {
    await open(name);
    await dialog.locator('.compare').waitFor();
    if (side !== undefined) await dialog.getByText(side).click();
    if (side !== undefined) await look('health-merge-canvas');
    await dialog.getByRole('button', { name: 'Merge' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
  await page.getByText('o conflict copies').waitFor({ timeout: 8_000 });
  check('merged copies are gone from the list', true);
}

async function checkReadOnly(chromium, { vault, env, folder }) {
  makeTroubledVault(vault);
  const { link, origin, stop } = await serveVault(vault, { env, flags: ['--read-only'] });
  const { page, look } = await openPage(chromium, { link, folder });
  await page.goto(new URL('/c/health', origin).href);
  await page.locator('.short-list', { hasText: 'Conflict copies' }).waitFor();
  check('a server that reads says so', (await page.locator('.line-above').count()) === 1);
  const merges = await page.getByRole('link', { name: 'Compare and merge' }).count();
  check('and merges nothing', merges === 0, merges);
  await look('health-read-only');
  await page.close();
  stop();
}

/** Gives the vault a history of ninety days by several clients, and its size on some days before. */
async function makeHistory(vault, { home, env }) {
  await run(process.execPath, [program, 'append', 'Home', 'more', '--vault', vault], { env });
  const states = readdirSync(join(home, 'state'), { recursive: true });
  const file = states.find((path) => path.endsWith('state.db'));
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite');
  const state = new DatabaseSync(join(home, 'state', file));
  const columns = 'state, fold, deletes, tool, args, undoes, kept, steps';
  const copy = state.prepare(
    `INSERT INTO change (time, first_time, door, client, ${columns})
     SELECT ?, ?, 'mcp-http', ?, ${columns} FROM change WHERE id = 1`,
  );
  const clients = ['claude-ai/1', 'cursor-vscode/2', `${evilName}/1`, 'claude-code/3'];
  for (let day = 89; day > 0; day--) {
    const timeMs = Date.now() - day * 86_400_000;
    for (let change = 0; change < (day * 7) % 11; change++) {
      copy.run(timeMs, timeMs, clients[(day + change * change) % clients.length]);
    }
  }
  state.exec(
    'CREATE TABLE day_total (day TEXT PRIMARY KEY, notes INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID',
  );
  const put = state.prepare('INSERT INTO day_total (day, notes, bytes) VALUES (?, ?, ?)');
  for (let day = 60; day > 0; day -= day === 30 ? 12 : 1) {
    const date = new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10);
    put.run(date, 100 + Math.round((60 - day) * 1.3) - (day % 5), 200_000 + 1_000 * (60 - day));
  }
  state.close();
}

/** A page that has entered the console, with what it asked for and what went wrong on it. */
async function openPage(chromium, { link, folder }) {
  const viewport = { width: 1_280, height: 844 };
  const page = await (await chromium.newContext({ viewport })).newPage();
  const messages = [];
  const asked = [];
  page.on('pageerror', ({ message }) => messages.push(message));
  page.on('dialog', (dialog) => {
    messages.push(`a dialog of a script: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) messages.push(message.text());
  });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(link);
  await page.locator('.feed').waitFor();
  return {
    page,
    messages,
    asked,
    look: async (name) => {
      const wrong = await lookAt(page, name, folder);
      check(`${name} is well made`, wrong.length === 0, wrong);
      await page.setViewportSize(viewport);
    },
    toast: async (part) => {
      await page.locator('.toast', { hasText: part }).waitFor({ timeout: 8_000 });
      check(`the bar says "${part}"`, true);
    },
  };
}

function labels(plots) {
  return plots.evaluateAll((all) => all.map((plot) => plot.getAttribute('aria-label')));
}
