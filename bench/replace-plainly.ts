import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Replaces a file with the least that a safe write must do: write and fsync a temporary file,
 * rename it, fsync the folder.
 */
export function replacePlainly(file: string, bytes: Uint8Array): void {
  const temporary = join(dirname(file), '.bench.tmp');
  const opened = openSync(temporary, 'w');
  writeSync(opened, bytes);
  fsyncSync(opened);
  closeSync(opened);
  renameSync(temporary, file);
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
