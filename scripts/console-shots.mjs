// Takes pictures of every screen of the console, in two widths, light and dark:
//
//   node scripts/console-shots.mjs <folder>             a vault of 12,000 notes with long names
//   node scripts/console-shots.mjs --readme             the pictures of README.md and docs, from the demo
//   SOAK=1 node scripts/console-shots.mjs <folder> <kept folder>   compares with earlier pictures
//
// Build first. With the font Inter (Debian's package fonts-inter), they look as designed.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { comparePictures } from './compare-pictures.mjs';
import { demoBrake, demoDay } from './demo/demo-day.mjs';
import { setDemoOwner, takeDocsShots } from './demo/docs-shots.mjs';
import { longDay, writeLongNames } from './demo/long-names.mjs';
import { makeDemoDay, makeDemoTokens } from './demo/make-demo-day.mjs';
import { shotScreens } from './demo/shot-screens.mjs';
import { startChromium } from './look-at-page.mjs';
import {
  check,
  exampleVault,
  repository,
  run as runProgram,
  serveWords,
  startServer,
  systemProgram,
  temporaryHome,
} from './outside-programs.mjs';

const notes = 12_000;
const sizes = [
  { width: 1_280, height: 800 },
  { width: 390, height: 844 },
];
const schemes = ['light', 'dark'];
const run = promisify(execFile);

const [target, kept] = process.argv.slice(2);
if (target === undefined) {
  process.stderr.write('Usage: node scripts/console-shots.mjs <folder> [<kept folder>]\n');
  process.exit(2);
}

const { home, env } = temporaryHome('shots');
const vault = join(home, 'Tarnford');
const isReadme = target === '--readme';
if (!isReadme) {
  const words = ['scripts/run-ts.mjs', 'bench/generate-vault.ts', '--notes', `${notes}`];
  await run(process.execPath, [...words, '--folder', vault], { cwd: repository });
  writeLongNames(vault);
}
exampleVault(vault);

const program = join(repository, 'dist', 'vaultdoor.js');
const vaultdoor = async (words) =>
  (await run(process.execPath, [program, ...words, '--vault', vault], { env })).stdout;
// Clients sign in on the pictures of the docs: the server has an address for that, and an owner.
const site = 'https://vault.example.com';
if (isReadme) {
  await setDemoOwner((words, input) =>
    runProgram(process.execPath, [program, ...words], { env, input }),
  );
}
const day = isReadme ? demoDay : [...demoDay, ...longDay];
const tokens = await makeDemoTokens(day, vaultdoor);
await vaultdoor(['search', 'flood']); // Until the vault is indexed, some calls are refused.
const flags = ['--vault', vault, '--log-reads', '--brake', `${demoBrake}`, '--log-level', 'warn'];
const signIn = ['--public-url', site];
const server = await startServer(serveWords(...flags, ...(isReadme ? signIn : [])), env);
const wrong = await makeDemoDay({ day, url: server.url, tokens });
check('the day of the demo is made', wrong.length === 0, wrong);

const chromium = await startChromium();
const page = await (
  await chromium.newContext({ viewport: sizes[0], reducedMotion: 'reduce' })
).newPage();
const [link] = /http:\S+#k=\S+/.exec(await vaultdoor(['console', '--no-browser']));
await page.goto(link);
await page.getByText('All notes are indexed').first().waitFor({ timeout: 300_000 });
await (isReadme ? takeReadme() : takeAll(target));
await chromium.close();
await server.stop();

/** The pictures of README.md and of the pages for users. */
async function takeReadme() {
  const folder = join(repository, 'docs', 'images');
  mkdirSync(folder, { recursive: true });
  const save = async (from, name) => {
    const file = join(folder, `${name}.png`);
    await from.waitForTimeout(300);
    await from.screenshot({ path: file });
    // 256 colours are enough for a page with few of them, and a third of the bytes.
    const pngquant = await systemProgram('pngquant');
    await run(pngquant, ['--force', '--strip', '--output', file, file]);
  };
  const context = await chromium.newContext({ reducedMotion: 'reduce', deviceScaleFactor: 2 });
  await takeDocsShots({ page, show, save, context, site, url: server.url });
}

async function takeAll(folder) {
  mkdirSync(folder, { recursive: true });
  const there = await page
    .locator('nav.nav a')
    .evaluateAll((links) => links.map(({ href }) => href));
  for (const { name, at, screen, act } of shotScreens) {
    if (screen !== undefined && !there.some((href) => href.endsWith(`/c/${screen}`))) {
      process.stdout.write(`left out ${name}: there is no such screen\n`);
      continue;
    }
    for (const size of sizes) {
      await page.setViewportSize(size);
      try {
        await show(at);
        await act?.(page);
      } catch (error) {
        check(`${name} is shown`, false, String(error));
      }
      await page.waitForTimeout(300);
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        const file = `${name}-${size.width}-${colorScheme}.png`;
        const picture = await page.screenshot({ path: join(folder, file) });
        await examine(file, picture);
      }
    }
  }
}

/** Opens an address of the console, and waits until what is there is drawn. */
async function show(address) {
  await page.goto(new URL(`/c/${address}`, link).href);
  await page.waitForFunction(
    () => document.querySelector('main h1') !== null && document.querySelector('.loading') === null,
  );
  await page.waitForTimeout(700);
}

async function examine(file, picture) {
  const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
  check(`${file} is as wide as the window`, !(await page.evaluate(isTooWide)));
  if (process.env.SOAK !== '1' || kept === undefined) return;
  const share = await comparePictures(picture, readFileSync(join(kept, file)));
  check(`${file} looks as before`, share <= 0.002, `${(100 * share).toFixed(2)} % differ`);
}
