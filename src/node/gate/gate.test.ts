import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { GateTaken, openGate } from './gate.ts';

it('makes its folder once, and none below a number that is there', async () => {
  const folder = join(tempFolder(), 'gates', '7');
  await openGate({ folder, epoch: 3 });
  for (const epoch of [1, 2, 3]) {
    const failure = await openGate({ folder, epoch }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GateTaken);
    expect(failure).toMatchObject({ highest: 3 });
  }
  await openGate({ folder, epoch: 4 });
  expect(readdirSync(folder).sort()).toEqual(['e3', 'e4']);
});

it('takes over what is in older gates, and removes them', async () => {
  const folder = tempFolder();
  const first = await openGate({ folder, epoch: 1 });
  const second = await openGate({ folder, epoch: 2 });
  writeFileSync(join(first.folder, 'staged'), 'x');
  mkdirSync(join(second.folder, 'taken'));
  writeFileSync(join(second.folder, 'taken', 'note.md'), 'y');
  const third = await openGate({ folder, epoch: 9 });
  expect(await third.closeOlder()).toEqual({ closed: 2 });
  expect(readdirSync(folder)).toEqual(['e9']);
  expect(readdirSync(third.folder).sort()).toEqual(['staged', 'taken']);
  expect(existsSync(join(third.folder, 'taken', 'note.md'))).toBe(true);
  await third.check();
  const fenced = { code: 'unavailable', details: { fenced: true } };
  await expect(first.check()).rejects.toMatchObject(fenced);
  expect(await third.closeOlder()).toEqual({ closed: 0 });
});
