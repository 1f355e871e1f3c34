import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A folder that is gone when the test is over; a real path. A test that runs beside others gives
 * its own `onFinished`: which one is meant could not be told else.
 */
export function tempFolder(
  files: Readonly<Record<string, string>> = {},
  onFinished: (end: () => void) => void = onTestFinished,
): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'vaultdoor-test-')));
  // A process that was just killed may still be making a file.
  onFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  writeFiles(folder, files);
  return folder;
}

/** Writes files under a folder, and the folders they need. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
