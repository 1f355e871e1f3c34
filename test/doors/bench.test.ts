import { expect, it } from 'vitest';
import { type BenchProgram, vaultdoor, vaultdoorTags } from '../../bench/bench-programs.ts';
import { prepareWorld } from '../../bench/bench-world.ts';
import { generateVault } from '../../bench/generate-vault.ts';
import { type Figures, measureProgram, measureSpawns } from '../../bench/measure-program.ts';
import { bareNodeCommand } from '../../bench/stdio-client.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The bench on a tiny vault, without peers: every question is answered, and rightly. How fast does
// not matter here.

async function measure(program: (cache: string) => BenchProgram): Promise<Figures> {
  const folder = tempFolder();
  generateVault(folder, { notes: 40 });
  const pace = { rounds: 2, settleMs: 0 };
  return measureProgram(program(tempFolder()), prepareWorld(folder), pace);
}

const aNumber = expect.any(Number);
const usual = {
  listBytes: aNumber,
  ...(process.platform === 'linux' ? { memoryIdle: aNumber, memoryAfter: aNumber } : {}),
};

it('asks the built program everything, and takes its answers for right', async () => {
  expect(await measure(vaultdoor)).toEqual({
    ...usual,
    searchFirst: aNumber,
    search: aNumber,
    read: aNumber,
    name: aNumber,
    tagged: aNumber,
    backlinks: aNumber,
    append: aNumber,
    rename: aNumber,
  });
});

it('asks the toolset for tags that has them', async () => {
  expect(await measure(vaultdoorTags)).toEqual({ ...usual, tags: aNumber });
});

const both = (figure: unknown) => ({ spawn: figure, spawnList: figure });

it('starts programs, and calls one that does not answer wrong', async () => {
  const ours = vaultdoor(tempFolder()).command(tempFolder());
  const none = { ...bareNodeCommand, args: ['-e', ''] };
  expect(await measureSpawns([bareNodeCommand, ours, none], 1)).toEqual([
    both(aNumber),
    both(aNumber),
    both('wrong'),
  ]);
});
