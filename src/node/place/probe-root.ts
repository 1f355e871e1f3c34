import {
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errnoOf } from '../system/disk-error.ts';

/** What the two sides of a probe tell each other: see `ProbeTurns`. */
interface Turns {
  say(step: number, note?: string): Promise<void>;
  wait(step: number): Promise<string>;
}

/** What was found. */
interface Probed {
  /** How long the other side was shown an old file, in milliseconds: the largest of all. */
  readonly longestMs: number;
  /** What the file system does wrong; empty when it is good. */
  readonly faults: readonly string[];
}

const rounds = 20;
/** How long a side looks for a change of the other. */
const lookMaxMs = 70_000;
const lookEveryMs = 2;
const note = 'note.md';

/** Each round has two steps: the watcher has looked, the writer has written. The first step is taken. */
const looked = (round: number): number => 2 + 2 * round;
const written = (round: number): number => 3 + 2 * round;
const gateMade = looked(rounds) + 1;
const gateUsed = looked(rounds) + 2;
const gateClosed = looked(rounds) + 3;
/** The names that a file has one after the other, and the steps of each. */
const names = [note, 'second.md', 'third.md', 'fourth.md'];
const nameLooked = (at: number): number => gateClosed + 1 + 2 * at;
const nameChanged = (at: number): number => gateClosed + 2 + 2 * at;
const over = nameChanged(names.length);

/** The side that writes. `folder` is there, and empty. */
export async function writeProbe(folder: string, turns: Turns): Promise<Probed> {
  const file = join(folder, note);
  const faults: string[] = [];
  const [old, next] = [join(folder, 'e1'), join(folder, 'e2')];
  await writeFile(file, textOf(-1));
  let wholeSeconds = 0;
  for (let round = 0; round < rounds; round++) {
    const end = await turns.wait(looked(round));
    if (end !== '') return JSON.parse(end) as Probed; // The other side has given up.
    const before = await stat(file, { bigint: true });
    if (round % 2 === 0) {
      await writeFile(`${file}.new`, textOf(round));
      await rename(`${file}.new`, file);
      const after = await stat(file, { bigint: true });
      if (after.ino === before.ino) faults.push('a replaced file keeps its inode');
      if (after.mtimeNs % 1_000_000_000n === 0n) wholeSeconds += 1;
    } else await writeFile(file, textOf(round), { flag: 'r+' });
    await turns.say(written(round));
  }
  // A whole second may be met by chance.
  if (wholeSeconds > 2) faults.push('times are whole seconds');
  const end = await turns.wait(looked(rounds));
  if (end !== '') return JSON.parse(end) as Probed;
  await mkdir(old);
  await mkdir(next);
  await turns.say(gateMade);
  await turns.wait(gateUsed);
  await rename(join(old, 'late'), join(next, 'late'));
  await rmdir(old);
  if (!(await refuses(() => link(join(next, 'late'), file)))) faults.push('link replaces files');
  await turns.say(gateClosed);
  for (const [at, from, to] of renames(folder)) {
    await turns.wait(nameLooked(at));
    await rename(from, to);
    await turns.say(nameChanged(at));
  }
  const seen = JSON.parse(await turns.wait(over)) as Probed;
  return { longestMs: seen.longestMs, faults: [...new Set([...faults, ...seen.faults])] };
}

/** The side that watches, through another mount. */
export async function watchProbe(folder: string, turns: Turns): Promise<void> {
  const file = join(folder, note);
  const faults: string[] = [];
  let longestMs = 0;
  for (let round = 0; round < rounds; round++) {
    await untilSeen(file, textOf(round - 1));
    const stamp = await stampOf(file);
    await turns.say(looked(round));
    await turns.wait(written(round));
    const fromMs = performance.now();
    const isSeen = await untilSeen(file, textOf(round), stamp);
    longestMs = Math.max(longestMs, performance.now() - fromMs);
    if (!isSeen) {
      faults.push('a change by another machine is never seen in the stamp of a file');
      break;
    }
  }
  await endWatch(folder, turns, { longestMs, faults });
}

async function endWatch(folder: string, turns: Turns, found: Probed): Promise<void> {
  const faults = [...found.faults];
  if (faults.length > 0) {
    await turns.say(over, JSON.stringify(found));
    return;
  }
  await turns.say(looked(rounds));
  await turns.wait(gateMade);
  const late = join(folder, 'e1', 'late');
  await writeFile(late, 'late');
  await turns.say(gateUsed);
  await turns.wait(gateClosed);
  const attempts = [
    () => rename(late, join(folder, note)),
    () => writeFile(join(folder, 'e1', 'later'), 'later'),
    () => rename(join(folder, note), join(folder, 'e1', 'taken')),
  ];
  for (const attempt of attempts) {
    if (!(await refuses(attempt)))
      faults.push('a folder that another machine removed is still used');
  }
  for (const [at, from, to] of renames(folder)) {
    await stampOf(from);
    await turns.say(nameLooked(at));
    await turns.wait(nameChanged(at));
    await setTimeout(settleMsOf(found));
    // In this order: with its usual caches, GlusterFS then answers for the old name from what it has listed.
    await readdir(folder, { withFileTypes: true });
    await lstat(to);
    if (!(await refuses(() => lstat(from)))) faults.push(oldNames);
  }
  await turns.say(over, JSON.stringify({ ...found, faults: [...new Set(faults)] }));
}

const oldNames = 'a file that another machine has renamed is still shown under its old name';

/** The old and the new path of each renaming, and which one it is. */
function renames(folder: string): readonly (readonly [at: number, from: string, to: string])[] {
  return names.slice(1).map((to, at) => [at, join(folder, names[at] ?? note), join(folder, to)]);
}

/** How long a node waits before its first look at a vault that another one had. */
export function settleMsOf({ longestMs }: Pick<Probed, 'longestMs'>): number {
  return Math.ceil(longestMs * 2);
}

/** All have the same length. */
function textOf(round: number): string {
  return `round ${String(round).padStart(4, ' ')}\n`;
}

async function stampOf(file: string): Promise<string> {
  const { ino, size, mtimeNs, ctimeNs } = await lstat(file, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Waits until a file has a text, and another stamp; false when it never does. */
async function untilSeen(file: string, text: string, stamp?: string): Promise<boolean> {
  const endMs = performance.now() + lookMaxMs;
  while (performance.now() < endMs) {
    try {
      const isNew = stamp === undefined || (await stampOf(file)) !== stamp;
      if (isNew && (await readFile(file)).toString('utf8') === text) return true;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
    }
    await setTimeout(lookEveryMs);
  }
  return false;
}

/** Whether the system refuses a call. */
async function refuses(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return false;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return true;
  }
}

/** Removes the folder of a probe. */
export async function removeProbe(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}
