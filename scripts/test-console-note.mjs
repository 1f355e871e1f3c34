// Shows notes in a real Chromium, on the built program: one with everything that a note can have, one
// with attacks, and notes that are too large. Any script that runs, any request to another host and any
// message about the policy of the page fails the run. Pictures are kept in the folder that is given, or
// in /tmp/vaultdoor-console.
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { checkBases, oddParts } from './console/base-checks.mjs';
import { makeBases } from './console/base-vault.mjs';
import { lookAt, startChromium } from './look-at-page.mjs';
import { check, repository, temporaryHome } from './outside-programs.mjs';

const folder = process.argv[2] ?? join(tmpdir(), 'vaultdoor-console');
const { home, env } = temporaryHome('console-note');
const vault = join(home, 'Tarnford');
cpSync(join(repository, 'examples', 'vault'), vault, { recursive: true });
for (const name of ['every-mark.md', 'attack-note.md']) {
  copyFileSync(join(repository, 'test', 'console', name), join(vault, name));
}
makeBases(vault);
const script = '<script>fetch("https://evil.invalid/")</script>';
const remote = '<image href="https://evil.invalid/a.png" width="9" height="9"/>';
writeFileSync(
  join(vault, 'evil.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" onload="alert(1)">${script}${remote}</svg>`,
);
writeFileSync(join(vault, 'self.md'), '![[self]]\n\n'.repeat(10_000));
const chain = ['chain-1', 'chain-2', 'chain-3', 'chain-4', 'chain-5', 'chain-6'];
chain.forEach((name, at) => {
  const text = `![[${chain[at + 1] ?? chain[0]}]]\n\n`.repeat(2_000);
  writeFileSync(join(vault, `${name}.md`), `${text}${name}\n`);
});
const words = 'Some **words** and [[Home]] and #tag and more text here.\n\n';
writeFileSync(
  join(vault, 'large.md'),
  `${words.repeat(Math.ceil(100_000 / words.length))}\n# The end\n`,
);
writeFileSync(join(vault, 'huge.md'), words.repeat(Math.ceil(1_000_000 / words.length)));
writeFileSync(join(vault, 'line.md'), `# line\n\n${'a *b* '.repeat(170_000)}\n`);

const program = join(repository, 'dist', 'vaultdoor.js');
const server = spawn(process.execPath, [program, 'serve', '--vault', vault, '--port', '0'], {
  env,
});
process.on('exit', () => server.kill());
const link = await printedLink(server);
const { origin } = new URL(link);

const chromium = await startChromium();
const context = await chromium.newContext({ viewport: { width: 1_280, height: 844 } });
const page = await context.newPage();
const messages = [];
let asked = 0;
page.on('pageerror', ({ message }) => messages.push(message));
page.on('dialog', (dialog) => {
  messages.push(`a dialog of a script: ${dialog.message()}`);
  void dialog.dismiss();
});
page.on('console', (message) => {
  const isAnswer = message.text().startsWith('Failed to load resource');
  if (['error', 'warning'].includes(message.type()) && !isAnswer) messages.push(message.text());
});
page.on('request', (request) => {
  if (!/^(blob:)?http:\/\/localhost:/.test(request.url())) messages.push(request.url());
  if (request.url().includes('/c/api/note?')) asked++;
});

/** Opens a note, and waits until its text is there. */
async function open(path) {
  asked = 0;
  await page.goto(`${origin}/c/notes/${path}`);
  await page.locator('.prose > div').first().waitFor({ timeout: 60_000 });
}
/** How many elements the note has. */
const elements = () => page.evaluate(() => document.querySelectorAll('.prose *').length);
async function look(name) {
  const wrong = await lookAt(page, name, folder);
  check(`${name} is well made`, wrong.length === 0, wrong);
  await page.setViewportSize({ width: 1_280, height: 844 });
}

await page.goto(link);
await page.locator('main h1').first().waitFor();

await open('every-mark.md');
await page.locator('.prose img[src^="blob:"]').first().waitFor();
await page.locator('.embed .code-block').first().waitFor();
await page.locator('.embed .canvas-box').first().waitFor();
check('comments are left out', !(await page.locator('.prose').innerText()).includes('hidden'));
check('a folded callout is folded', await page.getByText('inside', { exact: true }).isHidden());
await page.getByText('Folded').click();
check('and opens', await page.getByText('inside', { exact: true }).isVisible());
await look('note-every-mark');
const blob = await page.locator('.prose img').first().getAttribute('src');
await page.locator('.prose a', { hasText: 'Home' }).first().click();
await page.locator('h1', { hasText: 'Home' }).waitFor();
check('a link of a note leads to its note', page.url().endsWith('/c/notes/Home.md'), page.url());
const isKept = await page.evaluate(
  (url) =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  blob,
);
check('a picture that has gone is revoked', !isKept);
messages.splice(0, messages.length, ...messages.filter((text) => !text.includes(blob)));

await page.goto(`${origin}/c/notes/every-mark.md#Third%20level`);
const third = page.locator('.prose .level-3', { hasText: 'Third level' });
await third.waitFor();
await page.waitForTimeout(500);
const scrolled = () => page.locator('.read').evaluate((element) => element.scrollTop);
check('an address with a heading is scrolled to', (await scrolled()) > 300, await scrolled());
await page.locator('.read').evaluate((element) => element.scrollTo(0, 0));
await page.locator('.outline a', { hasText: 'Third level' }).click();
check('and again by its link', (await scrolled()) > 300, await scrolled());
await page.locator('.read').evaluate((element) => element.scrollTo(0, 0));
await page.locator('.footnote a').first().click();
await page.locator('.footnotes li').first().waitFor();
await page.waitForTimeout(300);
check('a footnote is scrolled to', (await scrolled()) > 300, await scrolled());

await open('attack-note.md');
await page.waitForTimeout(1_000);
const odd = await oddParts(page);
check('attacks become text and harmless elements', odd.length === 0, odd);
check('nothing is inherited by all objects', await page.evaluate(() => !('polluted' in {})));
check('the page has one element "main"', (await page.locator('#main').count()) === 1);
await look('note-attacks');

await open('self.md');
await page.locator('.embed .note-limit').first().waitFor();
await page.waitForTimeout(1_000);
check('a note that embeds itself is asked for once or twice', asked <= 2, asked);
check('and has a bounded number of elements', (await elements()) < 25_000, await elements());
await open('chain-1.md');
await page.waitForTimeout(2_000);
check('a chain of embeds costs a few requests', asked <= 5, asked);
check('and a bounded number of elements', (await elements()) < 30_000, await elements());

for (const [name, said] of [
  ['huge.md', /first 1\d\d,\d{3} of 1,000,\d{3} characters/],
  ['line.md', /first 200,000 of 1,020,0\d\d characters/],
]) {
  await open(name);
  await page.locator('.note-limit', { hasText: said }).waitFor({ timeout: 30_000 });
  check(`${name} is cut with a sentence`, true);
  await page.keyboard.press('/');
  await page.locator('input:focus').waitFor({ timeout: 5_000 });
  check('and the page answers keys', true);
}

// What drawing costs by itself: a note is left and opened again, so that everything is loaded.
await open('large.md');
await page.goto(`${origin}/c/notes/Home.md`);
await page.locator('h1', { hasText: 'Home' }).waitFor();
const drawn = await page.evaluate(async () => {
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries()));
  observer.observe({ type: 'longtask' });
  history.pushState(null, '', '/c/notes/large.md');
  dispatchEvent(new PopStateEvent('popstate'));
  while (document.querySelectorAll('.prose .tag').length < 1_000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  return tasks.map(({ duration }) => Math.round(duration));
});
process.stdout.write(
  `    long tasks while a note of 100 kB is drawn, in ms: ${drawn.join(', ')}\n`,
);
check('a note of 100 kB is drawn quickly', Math.max(0, ...drawn) < 2_000, drawn);

await page.locator('.outline a', { hasText: 'The end' }).click();
await page.waitForTimeout(500);
const box = await page.locator('.prose .level-1', { hasText: 'The end' }).boundingBox();
check('the end of a long note is scrolled to', box !== null && box.y >= 0 && box.y < 844, box);

await checkBases({ page, open, look, vault });

check('no script ran, and nothing was asked of another host', messages.length === 0, messages);
await chromium.close();
server.kill();

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
