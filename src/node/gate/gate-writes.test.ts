import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { conflictOf } from '../../engine/text/conflict-of.ts';
import { openNodeDisk } from '../disk/node-disk.ts';
import { nodeHash } from '../system/node-ports.ts';
import { checkGatePlace } from './check-gate.ts';
import { openGate } from './gate.ts';
import { gateWrites } from './gate-writes.ts';

const p = vaultPath;
const before = nodeHash.version(new TextEncoder().encode('a'));

/** A vault with a gate. */
async function open(files: Readonly<Record<string, string>> = { 'a.md': 'a', 'f/b.md': 'b' }) {
  const vault = tempFolder(files);
  const gates = tempFolder();
  const gate = await openGate({ folder: gates, epoch: 1 });
  const disk = openNodeDisk(vault, { writes: gateWrites(gate) });
  const steps = disk.gate;
  if (steps === undefined) throw new Error('the disk has a gate');
  const at = (path: string): string => join(vault, path);
  return {
    vault,
    gate,
    disk,
    steps,
    at,
    text: (path: string) => readFileSync(at(path)).toString(),
    taken: (token: string) => join(gate.folder, token),
    takeOver: async () => (await openGate({ folder: gates, epoch: 2 })).closeOlder(),
  };
}

it('deletes the file that was meant, and leaves nothing in the gate', async () => {
  const { steps, at, gate } = await open();
  await steps.remove(p('a.md'), { token: 't', before });
  expect(existsSync(at('a.md'))).toBe(false);
  expect(readdirSync(gate.folder)).toEqual([]);
});

it('puts back what an editor has saved at the last moment', async () => {
  const { steps, text, taken, at } = await open();
  renameSync(at('a.md'), taken('t')); // The step was interrupted here.
  writeFileSync(taken('t'), 'saved');
  await expect(steps.remove(p('a.md'), { token: 't', before })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(text('a.md')).toBe('saved');
});

it('keeps both when something else has come to where a file was taken from', async () => {
  const { steps, vault, text, taken, at } = await open();
  renameSync(at('a.md'), taken('t'));
  writeFileSync(at('a.md'), 'new');
  await steps.putBack(p('a.md'), 't');
  expect(text('a.md')).toBe('new');
  const copy = readdirSync(vault).find((name) => name !== 'a.md' && name !== 'f') ?? '';
  expect(conflictOf(copy)).toBe('a.md');
  expect(text(copy)).toBe('a');
});

it('moves files and folders, and goes on where a move was interrupted', async () => {
  const { steps, text, taken, at } = await open();
  await steps.move(p('a.md'), p('c.md'), { token: '1' });
  await steps.move(p('f'), p('g'), { token: '2' });
  expect([text('c.md'), text('g/b.md')]).toEqual(['a', 'b']);
  renameSync(at('c.md'), taken('3'));
  await steps.move(p('c.md'), p('d.md'), { token: '3' });
  expect(text('d.md')).toBe('a');
  expect(existsSync(taken('3'))).toBe(false);
});

it('moves nothing over a file that is there, unless that is meant', async () => {
  const { steps, text } = await open({ 'a.md': 'a', 'b.md': 'b' });
  const refused = steps.move(p('a.md'), p('b.md'), { token: '1' });
  await expect(refused).rejects.toMatchObject({ code: 'already_exists' });
  const other = steps.move(p('a.md'), p('b.md'), { token: '2', over: { stamp: 'another' } });
  await expect(other).rejects.toMatchObject({ code: 'conflict' });
  expect([text('a.md'), text('b.md')]).toEqual(['a', 'b']);
  await steps.move(p('a.md'), p('b.md'), { token: '3', over: {} });
  expect(text('b.md')).toBe('a');
});

it('refuses every step once the next owner has closed the gate', async () => {
  const { disk, steps, text, takeOver } = await open();
  await disk.stage(p('a.md'), 's', new TextEncoder().encode('late'));
  await takeOver();
  const fenced = { code: 'unavailable', details: { fenced: true } };
  const calls: readonly (() => Promise<unknown>)[] = [
    () => disk.place(p('a.md'), 's', { replace: true }),
    () => disk.place(p('n.md'), 's', { replace: false }),
    () => disk.stage(p('a.md'), 't', new Uint8Array()),
    () => disk.hasStaged(p('a.md'), 's'),
    () => disk.unstage(p('a.md'), 's'),
    () => steps.remove(p('a.md'), { token: 't', before }),
    () => steps.move(p('a.md'), p('z.md'), { token: 't' }),
    () => steps.move(p('a.md'), p('f/b.md'), { token: 't', over: {} }),
    () => steps.move(p('f'), p('g'), { token: 't' }),
    () => steps.putBack(p('a.md'), 't'),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(fenced);
  expect([text('a.md'), text('f/b.md')]).toEqual(['a', 'b']);
});

it('is refused for a vault that is on several disks', async () => {
  const { gate, vault, at } = await open();
  await checkGatePlace(gate, vault);
  mkdirSync(at('more'));
  symlinkSync('/nowhere', at('more/dangling'));
  await checkGatePlace(gate, vault);
  expect(readdirSync(gate.folder)).toEqual([]);
  symlinkSync('/proc', at('more/link'));
  await expect(checkGatePlace(gate, vault)).rejects.toThrow('leads to another disk');
});
