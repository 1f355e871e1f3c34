import { expect, it } from 'vitest';
import { vaultdoor, vaultdoorTags } from '../../bench/bench-programs.ts';
import { prepareWorld } from '../../bench/bench-world.ts';
import { generateVault } from '../../bench/generate-vault.ts';
import { measureProgram, measureSpawns } from '../../bench/measure-program.ts';
import { bareNodeCommand } from '../../bench/stdio-client.ts';
import { tempFolder } from '../support/temp-folder.ts';

// The bench on a tiny vault, without peers: every question is answered, and rightly. How fast does
// not matter here.

it('asks the built program everything, and takes its answers for right', async () => {
  const folder = tempFolder();
  const cache = tempFolder();
  generateVault(folder, { notes: 40 });
  const world = prepareWorld(folder);
  const pace = { rounds: world.queries.length, settleMs: 0 };
  const tags = await measureProgram(vaultdoorTags(cache), world, pace);
  const figures = await measureProgram(vaultdoor(cache), world, pace);
  const isLinux = process.platform === 'linux';
  const memory = isLinux ? { memoryIdle: expect.any(Number), memoryAfter: expect.any(Number) } : {};
  const usual = { list: expect.any(Number), listBytes: expect.any(Number), ...memory };
  expect(tags).toEqual({ ...usual, tags: expect.any(Number) });
  expect(figures).toEqual({
    ...usual,
    searchFirst: expect.any(Number),
    search: expect.any(Number),
    read: expect.any(Number),
    name: expect.any(Number),
    tagged: expect.any(Number),
    backlinks: expect.any(Number),
    append: expect.any(Number),
    rename: expect.any(Number),
  });
  const spawns = await measureSpawns([bareNodeCommand, vaultdoor(cache).command(folder)], 1);
  expect(spawns).toEqual([expect.any(Number), expect.any(Number)]);
});
