import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The floor of a safe write: a temporary file written and fsynced, rename, fsync of the folder. */
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
