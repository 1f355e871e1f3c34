import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterDatabase } from '../support/cluster-database.ts';
import { counted } from '../support/counts.ts';
import { pauseEverywhere } from '../support/pause-points.ts';
import { pausedChanges } from '../support/paused-changes.ts';
import { buildPausedOwner, PausedOwner } from '../support/paused-owner.ts';
import { tempFolder, untilFileEnds } from '../support/temp-folder.ts';

const database = clusterDatabase();
const onFileEnd = untilFileEnds();
const program = buildPausedOwner();
const owners: PausedOwner[] = [];

beforeAll(() => {
  for (let n = 0; n < 2; n++) owners.push(new PausedOwner(program, database.server().url));
});
afterAll(() => {
  for (const owner of owners) owner.end();
});

function newFolder() {
  const folder = tempFolder({}, onFileEnd);
  return { first: folder, next: folder };
}

const isChosen = counted<NonNullable<Parameters<typeof pauseEverywhere>[2]>>({
  quick: ({ change }) => ['write', 'delete', 'move'].includes(change.name),
  full: ({ change, isTouched }) => isTouched || ['write', 'delete', 'move'].includes(change.name),
  soak: () => true,
});

describe('an owner that is stopped anywhere in a change, taken over and woken', () => {
  it('loses, misplaces and tears nothing, and answers what history says', async () => {
    const place = { database, owners, newFolder, gated: true };
    const { faults, cases } = await pauseEverywhere(place, pausedChanges, isChosen);
    expect(faults).toEqual([]);
    expect(cases).toBeGreaterThan(counted({ quick: 20, full: 150, soak: 400 }));
  }, 600_000);

  it('destroys notes without the gate, and these tests see that', async () => {
    const place = { database, owners, newFolder, gated: false };
    const few = pausedChanges.filter(({ name }) => ['write', 'delete', 'move'].includes(name));
    const { faults } = await pauseEverywhere(place, few);
    for (const { name } of few) {
      expect(faults.filter((fault) => fault.startsWith(`${name}, `))).not.toEqual([]);
    }
  }, 600_000);
});
