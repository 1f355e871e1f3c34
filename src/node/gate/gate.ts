import { lstat, mkdir, open, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { errnoOf } from '../system/disk-error.ts';

/** The name of a gate in the folder of a vault's gates. */
const gateName = /^e([0-9]+)$/;
/** Errors that mean the folder is not there any more; on a network drive it is the second one. */
const gone = new Set(['ENOENT', 'ESTALE', 'ENOTDIR']);
/** Errors of `rmdir` for a folder that is not empty. */
const notEmpty = new Set(['ENOTEMPTY', 'EEXIST']);

/**
 * Thrown by `openGate` when there is a gate of this fence number or of a higher one: PostgreSQL has lost
 * its newest numbers. The vault's number has to be set to `highest` + 1.
 */
export class GateTaken extends Error {
  readonly highest: number;

  constructor(highest: number) {
    super(`There is a gate with the number ${highest}.`);
    this.highest = highest;
  }
}

/**
 * A folder through which every step of a vault's owner passes that destroys something: what is written
 * comes out of it by a rename, what is deleted or moved goes into it by a rename. The next owner removes
 * the folder. From then on the system refuses every such step, however late it comes.
 */
export interface Gate {
  readonly epoch: number;
  /** The folder of this gate. */
  readonly folder: string;
  /**
   * Moves everything that is in the gates of earlier owners into this one, and removes those gates.
   * Afterwards no earlier owner can destroy anything. Answers how many gates were removed.
   */
  closeOlder(): Promise<{ readonly closed: number }>;
  /** Fails with `unavailable` and `details.fenced` when a later owner has removed this gate. */
  check(): Promise<void>;
}

/**
 * Makes the gate of a fence number. `folder` has the gates of one vault, and is made when it is missing.
 * Fails with `GateTaken` when there is a gate of this number or of a higher one.
 */
export async function openGate({
  folder,
  epoch,
}: {
  readonly folder: string;
  readonly epoch: number;
}): Promise<Gate> {
  await mkdir(folder, { recursive: true });
  await refuseIfTaken(folder, epoch - 1);
  const own = join(folder, `e${epoch}`);
  try {
    await mkdir(own);
  } catch (error) {
    throw errnoOf(error) === 'EEXIST' ? new GateTaken(epoch) : error;
  }
  try {
    // A later owner may have made its gate in the meantime.
    await refuseIfTaken(folder, epoch);
    await sync(folder);
  } catch (error) {
    await rmdir(own).catch(() => undefined);
    throw error;
  }
  return {
    epoch,
    folder: own,
    closeOlder: () => closeOlder(folder, epoch),
    check: () => check(own),
  };
}

/** Fails with `GateTaken` when there is a gate with a number above this one. */
async function refuseIfTaken(folder: string, number: number): Promise<void> {
  const highest = Math.max(0, ...(await gatesIn(folder)));
  if (highest > number) throw new GateTaken(highest);
}

/** The numbers of the gates that are there. */
async function gatesIn(folder: string): Promise<readonly number[]> {
  return (await readdir(folder)).flatMap((name) => Number(gateName.exec(name)?.[1] ?? []));
}

async function closeOlder(folder: string, epoch: number): Promise<{ readonly closed: number }> {
  const own = join(folder, `e${epoch}`);
  const older = (await gatesIn(folder)).filter((number) => number < epoch);
  for (const number of older) await empty(join(folder, `e${number}`), own);
  await sync(own);
  await sync(folder);
  await check(own); // Otherwise a later owner may have moved on what was moved here.
  return { closed: older.length };
}

/** Moves all entries of a gate into another one, and removes the gate. */
async function empty(gate: string, into: string): Promise<void> {
  for (;;) {
    try {
      for (const name of await readdir(gate)) {
        // Whoever owns the gate may have placed the entry at this moment.
        await rename(join(gate, name), join(into, name)).catch(unlessGone);
      }
      await rmdir(gate);
      return;
    } catch (error) {
      const errno = errnoOf(error) ?? '';
      if (gone.has(errno)) return; // A later owner closes gates as well.
      // Its owner has got one more in.
      if (!notEmpty.has(errno)) throw error;
    }
  }
}

function unlessGone(error: unknown): void {
  if (!gone.has(errnoOf(error) ?? '')) throw error;
}

async function check(own: string): Promise<void> {
  try {
    await lstat(own);
  } catch (error) {
    throw gone.has(errnoOf(error) ?? '') ? gateGone(error) : error;
  }
}

/** The failure of a step that finds its gate gone. */
export function gateGone(cause: unknown): VaultError {
  return new VaultError(
    'unavailable',
    'Another machine has taken this vault over in the meantime. Try again.',
    { cause, details: { fenced: true, retryAfterMs: 1_000 } },
  );
}

/** Makes the names in a folder durable. */
async function sync(folder: string): Promise<void> {
  const file = await open(folder, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
