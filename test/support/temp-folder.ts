import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/**
 * For what the tests of a file share, such as a server that they only ask: the ends are called when all
 * of them are over. A test file calls this once, outside of its tests.
 */
export function untilFileEnds(): (end: () => void) => void {
  const ends: (() => void)[] = [];
  afterAll(() => {
    for (const end of ends.reverse()) end();
  });
  return (end) => void ends.push(end);
}

/**
 * A folder that is gone when the test is over; a real path. A test that runs beside others gives
 * its own `onFinished`: which one is meant could not be told else.
 */
export function tempFolder(
  files: Readonly<Record<string, string>> = {},
  onFinished: (end: () => void) => void = onTestFinished,
): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'vaultdoor-test-')));
  onFinished(() => removeFolder(folder));
  writeFiles(folder, files);
  return folder;
}

/**
 * Removes a folder. A process that was just killed may still make a file there, and `maxRetries` alone
 * does not remove what has come since: so all of it is tried again.
 */
function removeFolder(folder: string, triesLeft = 10): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 2 });
  } catch (error) {
    // Windows removes no folder with an open file, and not every test closes what it has opened.
    if (triesLeft === 0 && process.platform === 'win32') return;
    if (triesLeft === 0) throw error;
    removeFolder(folder, triesLeft - 1);
  }
}

/** Writes files under a folder, and the folders they need. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  const made = new Set<string>();
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    const parent = dirname(file);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    writeFileSync(file, text);
  }
}
