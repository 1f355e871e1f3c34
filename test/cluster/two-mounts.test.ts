import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterDatabase } from '../support/cluster-database.ts';
import { counted } from '../support/counts.ts';
import { mountTwice, type TwoMounts } from '../support/gluster.ts';
import { type PausedPlace, pauseEverywhere } from '../support/pause-points.ts';
import { pausedChanges } from '../support/paused-changes.ts';
import { buildPausedOwner, PausedOwner } from '../support/paused-owner.ts';

/** Longer than the mounts remember names and stats. */
const settleMs = 1_200;

const database = clusterDatabase();
const program = buildPausedOwner();
const owners: PausedOwner[] = [];
let mounts: TwoMounts | undefined;

beforeAll(async () => {
  const mounted = await mountTwice();
  if (typeof mounted === 'string') console.warn(`NOT TESTED on GlusterFS: ${mounted}.`);
  else mounts = mounted;
  // Most of the time is spent waiting.
  for (let n = 0; n < 4; n++) owners.push(new PausedOwner(program, database.server().url));
});
afterAll(() => {
  for (const owner of owners) owner.end();
  mounts?.stop();
});

/** A vault that the first owner and the next one see through mounts of their own. */
function newFolder({ first, next }: TwoMounts) {
  const folder = mkdtempSync(join(first, 'case-'));
  return { first: folder, next: join(next, folder.slice(first.length + 1)) };
}

function place(on: TwoMounts, options: Pick<PausedPlace, 'gated' | 'settleMs'>): PausedPlace {
  return { database, owners, newFolder: () => newFolder(on), ...options };
}

/** The changes in CI, and with SOAK=1. */
const changes = counted({
  quick: [],
  full: pausedChanges.filter(({ name }) => ['write', 'delete'].includes(name)),
  soak: pausedChanges,
});

describe('a vault on GlusterFS that two owners see through mounts of their own', () => {
  it('loses nothing when its owner is stopped, taken over and woken', async ({ skip }) => {
    if (mounts === undefined) return skip();
    const { faults } = await pauseEverywhere(place(mounts, { gated: true, settleMs }), changes);
    expect(faults).toEqual([]);
  }, 3_600_000);

  it('loses a confirmed change when the next owner does not wait, and this sees it', async ({
    skip,
  }) => {
    if (mounts === undefined) return skip();
    // A clean handover: the first owner has finished its change.
    const few = pausedChanges.filter(({ name }) => name === 'write');
    const { faults } = await pauseEverywhere(
      place(mounts, { gated: true, settleMs: 0 }),
      few,
      ({ point, isTouched }) => isTouched && point === 'after finish',
    );
    expect(faults).not.toEqual([]);
  }, 600_000);
});
