import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, rmSync, statSync, writeFileSync } from 'node:fs';

const ownerOnly = 0o600;
/** The bits of a mode that give rights to others than the owner. */
const othersBits = 0o077;

/**
 * Makes sure, before SQLite opens a database file, that only its owner may read it. Creates an empty
 * file if there is none. SQLite gives its `-wal` and `-shm` files the same mode; where these exist
 * already, others lose their rights to them too. Where the system does not allow this, SQLite creates
 * the file in its own way.
 *
 * Never opens the file: when a process closes any handle of a file, the system releases all its
 * locks on it, and SQLite may hold some.
 */
export function keepPrivate(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false }) === undefined) makeEmpty(file);
    for (const suffix of ['', '-wal', '-shm']) closeToOthers(file + suffix);
  } catch {
    // SQLite will say what is wrong with the file or its folder, if anything is.
  }
}

function closeToOthers(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || (stat.mode & othersBits) === 0) return;
  if (stat.uid === process.getuid?.()) chmodSync(file, ownerOnly);
}

/**
 * Makes an empty file under another name and links it to `file`. The link fails if `file` exists by
 * then, so an existing database is never touched.
 */
function makeEmpty(file: string): void {
  const temporary = `${file}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(temporary, '', { flag: 'wx', mode: ownerOnly });
    linkSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
