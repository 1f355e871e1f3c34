import { describe, it } from 'vitest';
import { qualityVaults, querySets, readQueries } from '../../bench/quality/read-queries.ts';
import { expectFloorsReached, expectNotesThere } from '../support/measure-search.ts';
import { unpackVault } from '../support/unpack-vaults.ts';

// How well search finds what is meant in the vaults of other people; see bench/quality.

describe.each(qualityVaults.filter((name) => name !== 'languages'))('%s', (vault) => {
  it('has the expected notes, and search finds enough of them', async () => {
    const folder = await unpackVault(vault);
    for (const set of querySets) expectNotesThere(folder, readQueries(vault, set));
    await expectFloorsReached(vault, folder);
  });
});
