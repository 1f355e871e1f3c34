import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vaultPath } from '../../src/base/vault-path.ts';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { sql } from '../../src/postgres/connection/sql.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import type { ClusterDatabase } from './cluster-database.ts';
import { type PausedChange, pausedChanges, pausedVault } from './paused-changes.ts';
import type { PausedOwner } from './paused-owner.ts';
import { writeFiles } from './temp-folder.ts';
import { openOwned, placesIn } from './vault-owner.ts';

/** Where owners are stopped, and how the next one takes over. */
export interface PausedPlace {
  readonly database: ClusterDatabase;
  readonly owners: readonly PausedOwner[];
  /** An empty folder, as the first owner sees it and as the next one does. */
  readonly newFolder: () => { readonly first: string; readonly next: string };
  readonly gated: boolean;
  /** How long the next owner waits before it looks at the vault. */
  readonly settleMs?: number;
}

/** One point of one change at which its owner is stopped. */
interface PauseCase {
  readonly change: PausedChange;
  readonly stopAt: number;
  /** What the next owner writes to. */
  readonly touches: readonly string[];
  readonly before: Tree;
  readonly after: Tree;
}

/** Which point, and whether the next owner writes to the files of the change. */
interface Which {
  readonly change: PausedChange;
  readonly point: string;
  readonly isTouched: boolean;
}

/** Every file of a vault with its lines. */
type Tree = Readonly<Record<string, readonly string[]>>;

/**
 * Stops the owner of a vault at every point of every change, lets another one take the vault over, and
 * wakes the first. Answers what is wrong then.
 */
export async function pauseEverywhere(
  place: PausedPlace,
  changes: readonly PausedChange[],
  chosen: (which: Which) => boolean = () => true,
): Promise<{ readonly faults: readonly string[]; readonly cases: number }> {
  const faults: string[] = [];
  let cases = 0;
  const left = [...changes];
  const work = async (owner: PausedOwner): Promise<void> => {
    for (let change = left.shift(); change !== undefined; change = left.shift()) {
      const before = await beforeOf(place, owner, change);
      const { after } = await runUnstopped(place, owner, change, { onGoodDisk: true });
      const { points: all } = await runUnstopped(place, owner, change);
      for (const touches of [[], change.touches]) {
        for (const [stopAt, point] of all.entries()) {
          if (!chosen({ change, point, isTouched: touches.length > 0 })) continue;
          cases++;
          const found = await faultsAt(place, owner, { change, stopAt, touches, before, after });
          const how = touches.length > 0 ? 'touched' : 'left alone';
          const where = `${change.name}, point ${stopAt} (${point}), ${how}`;
          faults.push(...found.map((fault) => `${where}: ${fault}`));
        }
      }
    }
  };
  await Promise.all(place.owners.map(work));
  return { faults, cases };
}

async function faultsAt(
  place: PausedPlace,
  owner: PausedOwner,
  { change, stopAt, touches, before, after }: PauseCase,
): Promise<readonly string[]> {
  const made = await newVault(place);
  const { vault } = made;
  const stopLooking = keepLooking(made);
  let asleep: Tree = {};
  const faults: string[] = [];
  const answer = await owner.change(
    { ...made.first, vault, epoch: 1, change: change.name, stopAt },
    async () => {
      stopLooking();
      await takeOver(place, { ...made.next, vault }, touches).catch((error: unknown) =>
        faults.push(`the next owner fails: ${error}`),
      );
      asleep = treeOf(made.first.folder);
    },
  );
  const state = openPostgresState(place.database.postgres(), { vault, epoch: 2 });
  if ((await state.unfinished()).length > 0) faults.push('a change is left open');
  const { total } = await state.changes({}, { limit: 100, offset: 0 });
  const count = total - touches.length - (change.first === undefined ? 0 : 1);
  const isMade = count === 1;
  if (count !== 0 && count !== 1) faults.push(`history has ${total} changes`);
  const says = answer.isMade ? 'made' : `${answer.code}: ${answer.message}`;
  const isRefused = /^unavailable: .*nothing was changed/.test(says);
  const isRight = isMade ? says === 'made' : isRefused || /^io_failed/.test(says);
  if (!isRight) faults.push(`it answers "${says}", and history ${isMade ? 'has it' : 'has not'}`);
  const expected = text(touched(isMade ? after : before, touches));
  if (text(asleep) !== expected) faults.push(`${text(asleep)} instead of ${expected}`);
  const woken = text(treeOf(made.first.folder));
  if (woken !== text(asleep)) faults.push(`once it was woken: ${woken}, before: ${text(asleep)}`);
  if (made.first.gates !== undefined) {
    const gates = readdirSync(made.first.gates, { recursive: true }).join();
    if (gates !== 'e2') faults.push(`gates: ${gates}`);
  }
  return faults;
}

/**
 * Lets the next owner's mount look at the vault again and again, where it is not the first one's: what it
 * remembers of the files is then as old as it can be when it takes the vault over.
 */
function keepLooking(made: Awaited<ReturnType<typeof newVault>>): () => void {
  if (made.next.folder === made.first.folder) return () => {};
  const look = (): void => {
    try {
      treeOf(made.next.folder);
    } catch {
      // A file was replaced at this moment.
    }
  };
  look();
  const timer = setInterval(look, 50);
  return () => clearInterval(timer);
}

/** A vault with files, in the folders of a new place. */
async function newVault({ newFolder, database, gated }: PausedPlace) {
  const roots = newFolder();
  const [first, next] = [placesIn(roots.first), placesIn(roots.next)];
  mkdirSync(first.folder);
  writeFiles(first.folder, pausedVault);
  const seen = ({ folder, gates }: typeof first): { folder: string; gates?: string } =>
    gated ? { folder, gates } : { folder };
  return { first: seen(first), next: seen(next), vault: await database.newVault() };
}

/** Takes a vault over from an owner that is stopped, and writes to files of it. */
async function takeOver(
  { database, settleMs = 0 }: PausedPlace,
  owned: { readonly folder: string; readonly gates?: string; readonly vault: number },
  touches: readonly string[],
): Promise<void> {
  const postgres = database.postgres();
  await postgres.all(sql`UPDATE vault SET epoch = 2 WHERE id = ${owned.vault}`);
  const next = await openOwned(postgres, { ...owned, epoch: 2, settleMs });
  await next.whole.writer.recover(new AbortController().signal);
  for (const path of touches) {
    const isThere = treeOf(owned.folder)[path] !== undefined;
    await next.change(async (draft: Draft) => {
      if (isThere) await appendNote(draft, { name: path, text: 'touched' });
      else await draft.create(vaultPath(path), 'touched\n');
      return {};
    }, {});
  }
  await next.close();
}

/** The points of a change when nobody stops it, and the vault afterwards. */
async function runUnstopped(
  place: PausedPlace,
  owner: PausedOwner,
  change: PausedChange,
  { onGoodDisk = false } = {},
) {
  const { first, vault } = await newVault(place);
  const ask = { ...first, vault, epoch: 1, change: change.name, stopAt: -1, onGoodDisk };
  const { isMade, points, message } = await owner.change(ask, async () => {});
  const isExpected = isMade === (onGoodDisk || change.refused === undefined);
  if (!isExpected) throw new Error(`"${change.name}" has failed by itself: ${message}`);
  return { points, after: treeOf(first.folder) };
}

/** The vault before a change. */
async function beforeOf(
  place: PausedPlace,
  owner: PausedOwner,
  { first }: PausedChange,
): Promise<Tree> {
  const earlier = pausedChanges.find(({ run }) => run === first);
  if (earlier !== undefined) return (await runUnstopped(place, owner, earlier)).after;
  return Object.fromEntries(
    Object.entries(pausedVault).map(([path, content]) => [path, linesOf(content)]),
  );
}

/** A tree after the next owner has written to files of it. */
function touched(tree: Tree, paths: readonly string[]): Tree {
  return {
    ...tree,
    ...Object.fromEntries(paths.map((path) => [path, [...(tree[path] ?? []), 'touched']])),
  };
}

function treeOf(folder: string): Tree {
  const tree: Record<string, readonly string[]> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    tree[path.slice(folder.length + 1)] = linesOf(readFileSync(path).toString());
  }
  return tree;
}

function linesOf(content: string): readonly string[] {
  return content.split('\n').filter((line) => line !== '');
}

function text(tree: Tree): string {
  return JSON.stringify(Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1)));
}
