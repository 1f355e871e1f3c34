import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterDatabase } from '../support/cluster-database.ts';
import { clusterUser } from '../support/cluster-user.ts';
import { counted } from '../support/counts.ts';
import { mountGluster, type TwoMounts } from '../support/gluster.ts';
import { type PausedPlace, pauseEverywhere } from '../support/pause-points.ts';
import { pausedChanges } from '../support/paused-changes.ts';
import { buildPausedOwner, PausedOwner } from '../support/paused-owner.ts';

/** Longer than the mounts remember names and stats, as `cluster check` finds it. */
const settleMs = 2_200;

const database = clusterDatabase();
const program = buildPausedOwner();
const owners: PausedOwner[] = [];
let mounts: Exclude<Awaited<ReturnType<typeof mountGluster>>, string> | undefined;

beforeAll(async () => {
  const mounted = await mountGluster();
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
  full: pausedChanges.filter(({ name }) => name === 'delete'),
  soak: pausedChanges,
});

describe('a vault on GlusterFS that two owners see through mounts of their own', () => {
  it('loses nothing when its owner is stopped, taken over and woken', async ({ skip }) => {
    if (mounts === undefined) return skip();
    const at = place(mounts, { gated: true, settleMs });
    const isChosen = counted({ quick: 'touched', full: 'touched', soak: 'all' });
    const { faults } = await pauseEverywhere(
      at,
      changes,
      ({ isTouched }) => isTouched || isChosen === 'all',
    );
    expect(faults).toEqual([]);
  }, 3_600_000);

  it('is not seen as it is when the next owner does not wait, and this sees that', async ({
    skip,
  }) => {
    if (mounts === undefined) return skip();
    const few = pausedChanges.filter(({ name }) => name === 'delete');
    // A mount that remembers for a second would see what is there if the machine is busy.
    const { first, remembering } = mounts;
    const at = place({ first, next: remembering }, { gated: true, settleMs: 0 });
    const { faults } = await pauseEverywhere(
      at,
      few,
      ({ point, isTouched }) => isTouched && point === 'after finish',
    );
    expect(faults).not.toEqual([]);
  }, 600_000);

  it('is good for the check without the cache of GlusterFS that shows old names, and refused with it', async ({
    skip,
  }) => {
    if (mounts === undefined) return skip();
    const { run } = clusterUser(database);
    const check = ({ first, next }: TwoMounts) =>
      run(`cluster check --vaults-root ${first} --also-at ${next}`);
    expect((await check(mounts)).stdout).toContain(': good');
    const isRefused = counted({ quick: false, full: false, soak: true });
    if (isRefused) expect((await check(mounts.usual)).stdout).toContain('under its old name');
  }, 600_000);
});
