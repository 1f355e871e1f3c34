// Looks at web pages as a person would who depends on them being well made: two widths, light and
// dark, and axe-core for what assistive programs need.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed, systemProgram } from './outside-programs.mjs';

/** Starts Chromium. The caller closes it. */
export async function startChromium(args = []) {
  const modules = await installed('playwright-core', '1.64.1');
  const { chromium } = createRequire(join(modules, 'x.js'))('playwright-core');
  const executablePath = await systemProgram('chromium');
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
}

const looks = [390, 1280].flatMap((width) => ['light', 'dark'].map((scheme) => [width, scheme]));

/**
 * Takes pictures of the page that is open, named `<name>-<width>-<scheme>.png`, and returns what is
 * wrong with it: the findings of axe-core, and whether it is wider than the window. What was entered
 * on the page stays entered.
 */
export async function lookAt(page, name, folder = join(tmpdir(), 'vaultdoor-pages')) {
  const modules = await installed('axe-core', '4.14.0');
  const axe = readFileSync(join(modules, 'axe-core', 'axe.min.js'), 'utf8');
  mkdirSync(folder, { recursive: true });
  // The policy of our pages lets no script in, but what the debugger runs is not stopped by it.
  await page.evaluate(axe);
  const wrong = [];
  for (const [width, colorScheme] of looks) {
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    const look = `${name}-${width}-${colorScheme}`;
    await page.screenshot({ path: join(folder, `${look}.png`), fullPage: true });
    const { violations } = await page.evaluate(() => globalThis.axe.run({ preload: false }));
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary } of nodes) {
        wrong.push(`${look}: ${id}: ${html}: ${failureSummary}`);
      }
    }
    const isTooWide = () => document.documentElement.scrollWidth > window.innerWidth;
    if (await page.evaluate(isTooWide)) wrong.push(`${look}: wider than the window`);
  }
  return wrong;
}
