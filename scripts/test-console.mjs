// Does in a real Chromium, on the built program, what a person does on every screen of the console:
// also with hostile notes, by keyboard alone, and while a second client changes notes. Every screen is
// looked at with axe-core in two widths, light and dark; the pictures are kept in the folder that is
// given, or in /tmp/vaultdoor-console. Any message about the policy of the page fails the run.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { checkAccess } from './console/access-checks.mjs';
import { approvalsChecks } from './console/approvals-checks.mjs';
import { attackChecks } from './console/attack-checks.mjs';
import { checkConnect } from './console/connect-checks.mjs';
import { startConsole, watchPage } from './console/console-server.mjs';
import { checkGraph } from './console/graph-checks.mjs';
import { checkHealth } from './console/health-checks.mjs';
import { hostileChecks } from './console/hostile-checks.mjs';
import { keyboardChecks } from './console/keyboard-checks.mjs';
import { checkNotes } from './console/notes-checks.mjs';
import { passkeyChecks } from './console/passkey-checks.mjs';
import { phoneChecks } from './console/phone-checks.mjs';
import { undoChecks } from './console/undo-checks.mjs';
import { lookAt, startChromium } from './look-at-page.mjs';
import { check, repository } from './outside-programs.mjs';

const folder = process.argv[2] ?? join(tmpdir(), 'vaultdoor-console');

// Names and texts that would run, deceive or overflow on a careless page.
const evil = '<img src=x onerror=alert(1)>';
const evilNote = `${evil}/<script>alert(1)<∕script> \u05e9\u05dc\u05d5\u05dd \u{1f4a5}.md`;
const given = {};
const server = await startConsole({
  name: 'console',
  flags: ['--tools', 'notes', '--log-reads', '--brake', '2'],
  prepare: async ({ vault, command }) => {
    mkdirSync(join(vault, evil));
    writeFileSync(join(vault, evilNote), '<script>alert(1)</script>\n[x](javascript:alert(1))\n');
    writeFileSync(join(vault, 'long.md'), `# Long\n${'a'.repeat(1_000_000)}\n`);
    const { stdout } = await command(['token', 'create', 'helper', '--propose', '--json']);
    given.token = JSON.parse(stdout).token;
  },
});
const { vault, link, origin, callAs } = server;

await callAs('claude-ai', [
  ['read_note', { name: 'Sourdough' }],
  ['read_note', { name: 'Flood map' }],
  ['read_note', { name: 'Sourdough' }],
  ['search_notes', { query: 'bread OR gauge' }],
  ['rename_note', { old_name: 'Bike shed', new_name: 'Bicycle shed' }],
  ['create_note', { name: 'Projects/Chutney', content: '# Chutney\n\nApples and vinegar.\n' }],
  ['append_note', { name: 'Sourdough', text: '\n- try rye next time\n' }],
]);
await callAs('evil\u202e<b>bot</b>', [
  ['append_note', { name: 'Home', text: '\nx <script>alert(1)</script> \u202e \u200b\n' }],
  ['append_note', { path: evilNote, text: 'more\n' }],
  ['append_note', { name: 'long', text: `${'y'.repeat(1_000)}\n` }],
  [
    'create_note',
    { name: `Projects/${'Very long name '.repeat(12).trim()}`, content: '# x\n'.repeat(400) },
  ],
]);

// Names below `.example` mean this machine, so that pages of others can be played.
const chromium = await startChromium(['--host-resolver-rules=MAP *.example 127.0.0.1']);
const viewport = { width: 1_280, height: 844 };
const page = await (await chromium.newContext({ viewport })).newPage();
const messages = [];
watchPage(page, messages);

async function look(name) {
  const wrong = await lookAt(page, name, folder);
  check(`${name} is well made`, wrong.length === 0, wrong);
  await page.setViewportSize(viewport);
}
const toast = async (part) => {
  await page.locator('.toast', { hasText: part }).waitFor({ timeout: 8_000 });
  check(`the bar says "${part}"`, true);
};
const note = (path) => readFileSync(join(vault, path));
const press = async (...keys) => {
  for (const key of keys) await page.keyboard.press(key);
};

await page.goto(new URL('/c/enter#k=wrong', origin).href);
await page.locator('.gate [role=alert]').waitFor();
await look('enter-refused');
await page.goto('about:blank');
await page.goto(link);
await page.locator('.change').first().waitFor();
check('the key is out of the address', !page.url().includes('#'), page.url());
await look('activity');

// A change by another client appears by itself as long as nothing is selected, in every open console.
const second = await (await chromium.newContext({ viewport })).newPage();
watchPage(second, messages);
await second.goto(await server.newLink());
await second.locator('.change').first().waitFor();
const sees = async (what, locator) => {
  await locator.waitFor({ timeout: 2_000 });
  check(`${what} within 2 s`, true);
};
await callAs('cursor-vscode', [['append_note', { name: 'Cycling', text: '\nlive\n' }]]);
await Promise.all([
  sees('a change appears', page.locator('.change', { hasText: 'Cycling' })),
  sees('and in a second browser', second.locator('.change', { hasText: 'Cycling' })),
]);
await checkReads(second);
const undoLast = second.getByRole('button', { name: 'Undo last: ' });
const named = (await undoLast.innerText()).trim();
check('the button names what it takes back', named === 'Undo last: Added to Cycling', named);
await undoLast.click();
await Promise.all([
  second
    .locator('.toast', { hasText: 'is undone' })
    .getByRole('button', { name: 'Redo' })
    .waitFor(),
  sees('an undo in the second appears in the first', page.locator('.change.undone')),
]);
// This takes ten seconds, in which the first browser goes on.
const isGone = second.locator('.toast').waitFor({ state: 'detached', timeout: 30_000 });

// Undo of a change that moved a note and followed links, there and back, byte for byte.
const committee = 'Meetings/2026-10-07 Velo Club committee.md';
const followed = note(committee);
const original = readFileSync(join(repository, 'examples', 'vault', committee));
await page.locator('.change', { hasText: 'Bicycle shed' }).click();
await page.locator('.file .diff').first().waitFor();
await look('change');
await page.locator('.detail .actions button', { hasText: 'Undo' }).click();
await Promise.all([
  toast('Change 1 is undone'),
  sees('a second browser sees an undo', second.locator('.change.undone', { hasText: 'Bicycle' })),
]);
check('undo restores every byte', note(committee).equals(original));
// With a change open, new ones wait behind a button.
await callAs('cursor-vscode', [['append_note', { name: 'Home', text: '\nlive again\n' }]]);
await page.locator('.news').waitFor({ timeout: 2_000 });
// The bar stays as long as it has the focus, however long the pictures take.
await page.locator('.toast button').focus();
await look('undone');
await page.locator('.toast button').click();
await toast('Change 1 is done again');
check('redo brings every byte back', note(committee).equals(followed));
await page.locator('.news').click();

// Everything by keyboard alone: select, undo, redo, a session with its preview, back.
await page.goto(new URL('/c/activity', origin).href);
await page.locator('.change').first().waitFor();
await press('j');
await page.locator('.detail .actions').waitFor();
await press('u');
await toast('is undone');
await page.locator('.detail .actions button', { hasText: 'Redo' }).waitFor();
await press('r');
await toast('is done again');
await press('Shift+U');
await page.locator('.preview li').first().waitFor();
await look('undo-preview');
await press('Escape', 'Escape');
await page.waitForURL(/\/c\/activity$/);
check('Escape leads back to the list', true);
await press('?');
await look('keys');
await press('Escape');

for (const name of ['long', 'script', 'Very long name']) {
  await page.locator('.change', { hasText: name }).first().click();
  await page.locator('.detail .file').first().waitFor();
}
const client = page.locator('select[aria-label=App]');
const evilClient = await client.locator('option', { hasText: 'evil' }).getAttribute('value');
await client.selectOption(evilClient);
await page.waitForURL(/client=evil/);
await page.locator('.change', { hasText: 'Cycling' }).waitFor({ state: 'detached' });
await look('hostile');
await isGone;
check('the bar goes by itself', true);
await second.context().close();

const hostile = ['long.md', evilNote];
await checkNotes({ page, origin, vault, look, toast, press, callAs, hostile });
await checkGraph({ page, origin, look, press });

// Questions and proposals.
await callAs(
  'helper-bot',
  [
    ['create_note', { name: 'Ideas/Rain gauge', content: '# Rain gauge\n\nBuild one.\n' }],
    ['append_note', { name: 'Sourdough', text: '\n- no rye\n' }],
  ],
  given.token,
);
const deletes = ['Swifts', 'Unit hydrograph', 'Velo Club Tarnford', 'How this vault works'];
await callAs(
  'cursor-vscode',
  deletes.map((name) => ['delete_note', { name }]),
);
await press('g', 'p');
await page.locator('.card input.field').first().waitFor();
check(
  'the heading has the focus',
  await page.evaluate(() => document.activeElement?.tagName === 'H1'),
);
const gauge = page.locator('.card', { hasText: 'Rain gauge' });
await gauge.locator('.diff').waitFor();
check('the diffs of a few proposals are shown at once', true);
const choices = page.locator('.card .choose');
check('several proposals can be chosen', (await choices.count()) === 2);
await gauge.getByText('vaultdoor proposals accept p').waitFor();
await look('approvals');
await gauge.getByRole('button', { name: 'Accept' }).click();
await toast('1 proposal accepted');
await page.locator('.toast').getByRole('button', { name: 'Show the change' }).waitFor();
check('an accepted proposal is made', note('Ideas/Rain gauge.md').includes('Build one'));
await choices.first().waitFor({ state: 'detached' });
check('one proposal alone is not chosen', (await choices.count()) === 0);
await page
  .locator('.card', { hasText: 'Sourdough' })
  .getByRole('button', { name: 'Refuse' })
  .click();
await page.locator('dialog input').fill('not rye');
await look('refuse');
await page.locator('dialog').getByRole('button', { name: 'Refuse' }).click();
await toast('1 proposal refused');
const question = page.locator('.card:has(input.field)').first();
await question.locator('input.field').fill('please ask first');
await press('Enter');
check('Enter answers nothing', (await page.locator('.card:has(input.field)').count()) > 0);
await question.getByRole('button', { name: 'Deny', exact: true }).click();
await toast('Denied');

// A proposal that is too long to be shown can be read all the same before it is accepted.
const lines = Array.from({ length: 6_000 }, (_, at) => `Line ${at}.\n`).join('');
await callAs('helper-bot', [['create_note', { name: 'Ideas/Long', content: lines }]], given.token);
const long = page.locator('.card', { hasText: 'Long' });
await long.getByRole('button', { name: 'Show the diff' }).click();
await long.getByText('6,000 lines are too many to show here.').waitFor();
await look('long-proposal');
const [saved] = await Promise.all([
  page.waitForEvent('download'),
  long.getByRole('button', { name: 'Save the diff' }).click(),
]);
const savedText = readFileSync(await saved.path(), 'utf8');
const isWhole = savedText.startsWith('diff --git ') && savedText.endsWith('+Line 5999.\n');
check('a long diff is saved whole', isWhole, [saved.suggestedFilename(), savedText.length]);

await checkAccess({ page, look, toast, press, callAs, connectAs: server.connectAs });
await checkConnect({ page, origin, look });

// The owner signs out.
await page.goto(new URL('/c/access', origin).href);
await page.getByRole('button', { name: 'Sign out', exact: true }).click();
await page.locator('.gate').waitFor();
await look('signed-out');
check(
  'nothing ran that should not, and nothing left this machine',
  messages.length === 0,
  messages,
);
server.stop();

// Each has a server of its own, so two run side by side.
const rows = [
  [checkHealth, hostileChecks, undoChecks, approvalsChecks],
  [keyboardChecks, attackChecks, passkeyChecks, phoneChecks],
];
const inTurn = async (row) => {
  for (const checks of row) await checks(chromium, folder);
};
await Promise.all(rows.map(inTurn));
await chromium.close();
// Clients whose servers are gone would go on trying to reach them for a while.
process.exit();

/**
 * What a session has read is in its header, apart from the files of which a search has only shown
 * lines, and is listed when that is opened.
 */
async function checkReads(shown) {
  const session = shown.locator('.session', { hasText: 'Bicycle shed' });
  const button = session.getByRole('button', {
    name: /^read \d+ files?, saw lines of \d+ other files?$/,
  });
  const said = await button.textContent();
  await button.click();
  const names = await session.locator('.reads-list a').allTextContents();
  const isListed = ['Sourdough', 'Flood map'].every((name) => names.includes(name));
  const found = await session
    .locator('.reads-list li', { hasText: /only lines of it|name and description/ })
    .count();
  const [, read, only] = /^read (\d+).* of (\d+)/.exec(said ?? '')?.map(Number) ?? [];
  const isCounted = only === found && read + found === names.length && found > 0;
  check('what was read is listed, apart from what was only found', isListed && isCounted, {
    said,
    names,
    found,
  });
  const link = session.locator('.reads-list a', { hasText: 'Sourdough' });
  const href = await link.getAttribute('href');
  check('with a link to each note', href === '/c/notes/Recipes/Sourdough.md', href);
}
