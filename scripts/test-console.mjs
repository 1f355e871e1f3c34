// Does in a real Chromium, on the built program, what a person does on every screen of the console:
// also with hostile notes, by keyboard alone, and while a second client changes notes. Every screen is
// looked at with axe-core in two widths, light and dark; the pictures are kept in the folder that is
// given, or in /tmp/vaultdoor-console. Any message about the policy of the page fails the run.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { attackChecks } from './console/attack-checks.mjs';
import { checkGraph } from './console/graph-checks.mjs';
import { checkHealth } from './console/health-checks.mjs';
import { hostileChecks } from './console/hostile-checks.mjs';
import { keyboardChecks } from './console/keyboard-checks.mjs';
import { checkNotes } from './console/notes-checks.mjs';
import { passkeyChecks } from './console/passkey-checks.mjs';
import { lookAt, startChromium } from './look-at-page.mjs';
import { check, repository, run, temporaryHome } from './outside-programs.mjs';

const folder = process.argv[2] ?? join(tmpdir(), 'vaultdoor-console');
const program = join(repository, 'dist', 'vaultdoor.js');
const { home, env } = temporaryHome('console');
const vault = join(home, 'Tarnford');
cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });

// Names and texts that would run, deceive or overflow on a careless page.
const evil = '<img src=x onerror=alert(1)>';
const evilNote = `${evil}/<script>alert(1)<∕script> \u05e9\u05dc\u05d5\u05dd \u{1f4a5}.md`;
mkdirSync(join(vault, evil));
writeFileSync(join(vault, evilNote), '<script>alert(1)</script>\n[x](javascript:alert(1))\n');
writeFileSync(join(vault, 'long.md'), `# Long\n${'a'.repeat(1_000_000)}\n`);

const { stdout: made } = await run(
  process.execPath,
  [program, 'token', 'create', 'helper', '--propose', '--vault', vault, '--json'],
  { env },
);
const { token } = JSON.parse(made);

const flags = ['--port', '0', '--tools', 'notes', '--log-reads', '--brake', '2'];
const server = spawn(process.execPath, [program, 'serve', '--vault', vault, ...flags], { env });
process.on('exit', () => server.kill());
const link = await printedLink(server);
const origin = new URL(link).origin;

/** Calls tools as one client. Calls that wait for the owner are left alone after three seconds. */
async function callAs(name, calls, bearer) {
  const client = new Client({ name, version: '1.0.0' });
  const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
  const url = new URL('/mcp', origin.replace('localhost', '127.0.0.1'));
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  const answers = [];
  for (const [tool, args] of calls) {
    const call = client.callTool({ name: tool, arguments: args }).catch((error) => ({ error }));
    const late = new Promise((resolve) => setTimeout(resolve, 3_000, { isLate: true }));
    answers.push(await Promise.race([call, late]));
  }
  return answers;
}

await callAs('claude-ai', [
  ['read_note', { name: 'Sourdough' }],
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
const page = await (
  await chromium.newContext({ viewport: { width: 1_280, height: 844 } })
).newPage();
const messages = [];
page.on('pageerror', ({ message }) => messages.push(message));
page.on('dialog', (dialog) => {
  messages.push(`a dialog of a script: ${dialog.message()}`);
  void dialog.dismiss();
});
page.on('console', (message) => {
  // Chromium reports every answer that is no success; the page shows those to the owner.
  const isAnswer = message.text().startsWith('Failed to load resource');
  // The graph is drawn without a graphics card here, which its driver finds slow.
  const isDriver = message.text().includes('GL Driver Message');
  if (!['error', 'warning'].includes(message.type()) || isAnswer || isDriver) return;
  messages.push(message.text());
});
page.on('request', (request) => {
  if (!/^(blob:)?http:\/\/localhost:/.test(request.url())) messages.push(request.url());
});

async function look(name) {
  const wrong = await lookAt(page, name, folder);
  check(`${name} is well made`, wrong.length === 0, wrong);
  await page.setViewportSize({ width: 1_280, height: 844 });
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

// A change by another client appears by itself as long as nothing is selected.
const before = await page.locator('.change').count();
await callAs('cursor-vscode', [['append_note', { name: 'Home', text: '\nlive\n' }]]);
const appeared = page.waitForFunction(
  (count) => document.querySelectorAll('.change').length > count,
  before,
  { timeout: 2_000 },
);
check(
  'a change appears within 2 s',
  await appeared.then(
    () => true,
    () => false,
  ),
);

// Undo of a change that moved a note and followed links, there and back, byte for byte.
const committee = 'Meetings/2026-10-07 Velo Club committee.md';
const followed = note(committee);
await page.locator('.change', { hasText: 'Bicycle shed' }).click();
await page.locator('.file .diff').first().waitFor();
await look('change');
await page.locator('.detail .actions button', { hasText: 'Undo' }).click();
await toast('Change 1 is undone');
const original = readFileSync(join(repository, 'examples', 'vault', committee));
check('undo restores every byte', note(committee).equals(original));
// The bar stays as long as it has the focus, however long the pictures take.
await page.locator('.toast button').focus();
await look('undone');
await page.locator('.toast button').click();
await toast('It is done again');
check('redo brings every byte back', note(committee).equals(followed));
await page.mouse.move(0, 0);
await page.locator('.toast').waitFor({ state: 'detached', timeout: 12_000 });
check('the bar goes by itself', true);
await page.getByRole('button', { name: 'Undo only 2026-10-07 Velo Club committee' }).click();
await page.locator('.file .pill').first().waitFor();
check('one file of a change is undone', note(committee).equals(original));
await page.getByRole('button', { name: 'Redo 2026-10-07 Velo Club committee' }).click();
await toast('It is done again');
check('and redone', note(committee).equals(followed));

// With a change open, new ones wait behind a button.
await callAs('cursor-vscode', [['append_note', { name: 'Home', text: '\nlive again\n' }]]);
await page.locator('.news').waitFor({ timeout: 2_000 });
await look('news');
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
await toast('It is done again');
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
await look('hostile');
await page.locator('select[aria-label=Client]').selectOption('claude-ai');
await page.waitForURL(/client=claude-ai/);
await look('filtered');

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
  token,
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
await gauge.getByRole('button', { name: 'Show the diff' }).click();
await gauge.locator('.diff').waitFor();
await look('approvals');
await gauge.getByRole('button', { name: 'Accept' }).click();
await toast('1 proposal accepted');
check('an accepted proposal is made', note('Ideas/Rain gauge.md').includes('Build one'));
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
await look('decided');

// A proposal that is too long to be shown can be read all the same before it is accepted.
const lines = Array.from({ length: 6_000 }, (_, at) => `Line ${at}.\n`).join('');
await callAs('helper-bot', [['create_note', { name: 'Ideas/Long', content: lines }]], token);
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

// Tokens.
await press('g', 't');
await page.locator('.access li').first().waitFor();
await look('access');
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
const refused = await callAs('work-bot', [], work).then(
  () => false,
  () => true,
);
check('a revoked token is out', refused);

// Connect.
await page.goto(new URL('/c/connect/cursor', origin).href);
await page.locator('.steps').waitFor();
await look('connect');
await callAs('cursor-vscode', [['list_notes', {}]]);
await page.locator('.calls li', { hasText: 'list_notes' }).waitFor({ timeout: 4_000 });
await look('connected');

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
server.kill();
await checkHealth(chromium, folder);

// Each has a server of its own, so they run side by side.
await Promise.all([attackChecks(chromium), keyboardChecks(chromium, folder)]);
await Promise.all([hostileChecks(chromium), passkeyChecks(chromium, folder)]);
await chromium.close();

/** The link that `serve` prints. */
function printedLink(child) {
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (part) => {
      text += part;
      const found = /http:\/\/localhost:\d+\/c\/enter#k=[\w-]+/.exec(text);
      if (found !== null) resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', () => reject(new Error(text)));
  });
}
