import { expect, it } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import type { DiskCall } from '../../../test/support/wrap-disk.ts';
import { wrapDisk } from '../../../test/support/wrap-disk.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Draft } from '../vault/draft.ts';

const p = vaultPath;

/** A vault in which someone else does something just before the first such call. */
async function raced(
  files: Readonly<Record<string, string>>,
  method: DiskCall['method'],
  interfere: (write: (path: string, text: string) => void) => void,
) {
  const disk = memoryDisk(files);
  const vault = await openWrittenVault(disk);
  let left = 1;
  const racing = wrapDisk(disk, (call, run) => {
    if (call.method === method && left-- > 0) interfere((path, text) => disk.write(path, text));
    return run();
  });
  Object.assign(vault.whole.parts, { disk: racing });
  return vault;
}

it('does not take a note for its own that appears with the folder it was about to make', async () => {
  const { change, files } = await raced({}, 'makeFolder', (write) => write('New/a.md', 'theirs'));
  const create = async (draft: Draft) => {
    await draft.create(p('New/a.md'), 'ours');
    return {};
  };
  await expect(change(create, {})).rejects.toMatchObject({ code: 'already_exists' });
  expect(files()).toEqual({ 'New/a.md': 'theirs' });
});

it('does not take a delete for done when the note is saved at the last moment', async () => {
  const { change, files, whole } = await raced({ 'a.md': 'old' }, 'remove', (write) =>
    write('a.md', 'edited'),
  );
  await change(async (draft: Draft) => {
    await draft.delete(p('a.md'));
    return {};
  }, {});
  expect(files()).toEqual({});
  // It was planned again, so what is kept is what was really there.
  const { state, hash } = whole.parts;
  const edited = new TextEncoder().encode('edited');
  expect(await state.content(hash.version(edited))).toEqual(edited);
  expect(await state.unfinished()).toEqual([]);
});

it('moves no folder onto one that appears while the change is prepared', async () => {
  const start = { 'A/x.md': 'x', 'a.md': '[[A/x]]' };
  const { change, files } = await raced(start, 'stage', (write) => write('B/theirs.md', 't'));
  const move = async (draft: Draft) => {
    await draft.write(p('a.md'), '[[B/x]]');
    await draft.moveFolder(p('A'), p('B'));
    return {};
  };
  await expect(change(move, {})).rejects.toMatchObject({ code: 'already_exists' });
  expect(files()).toEqual({ ...start, 'B/theirs.md': 't' });
});

/** What a caller is told of its change while someone else, or the disk, gets in its way. */
async function told(
  files: Readonly<Record<string, string>>,
  method: DiskCall['method'],
  getInTheWay: (write: (path: string, text: string) => void) => void,
  plan: (draft: Draft) => Promise<void>,
) {
  const vault = await raced(files, method, getInTheWay);
  const log: string[] = [];
  const caller = {
    onCommit: (id: number | string) => log.push(`change ${id}`),
    onTakenBack: () => log.push('taken back'),
  };
  const change = async (draft: Draft) => {
    await plan(draft);
    return {};
  };
  const answer = await vault
    .as(caller)
    .change(change, {})
    .catch((error: Error) => error);
  return { log, answer, files: vault.files() };
}

const edit = async (draft: Draft) =>
  draft.edit(p('a.md'), [{ range: { start: 0, end: 0 }, text: '+' }]);
const editBoth = async (draft: Draft) => {
  await edit(draft);
  await draft.edit(p('b.md'), [{ range: { start: 0, end: 0 }, text: '+' }]);
};

it('tells the number of a change once it cannot be called off', async () => {
  const { log, answer } = await told({ 'a.md': 'a' }, 'kind', () => undefined, edit);
  expect(log).toEqual(['change 1']);
  expect(answer).toMatchObject({ change: 1 });
});

it('takes that back when the note was saved at the last moment, and tells of the next try', async () => {
  const theirs = (write: (path: string, text: string) => void) => write('a.md', 'theirs');
  const { log, answer, files } = await told({ 'a.md': 'a' }, 'place', theirs, edit);
  expect(log).toEqual(['change 1', 'taken back', expect.stringMatching(/^change \d$/)]);
  expect(log.at(-1)).toBe(`change ${(answer as { change?: number }).change}`);
  expect(files).toEqual({ 'a.md': '+theirs' });
});

it('takes that back when the disk refuses', async () => {
  const refuse = () => {
    throw new VaultError('io_failed', 'The disk is full.');
  };
  const { log, answer, files } = await told({ 'a.md': 'a' }, 'place', refuse, edit);
  expect(log).toEqual(['change 1', 'taken back']);
  expect(answer).toMatchObject({ code: 'io_failed' });
  expect(files).toEqual({ 'a.md': 'a' });
});

it('takes nothing back of a change of several files that was marked', async () => {
  const theirs = (write: (path: string, text: string) => void) => write('a.md', 'theirs');
  const start = { 'a.md': 'a', 'b.md': 'b' };
  const { log, answer, files } = await told(start, 'place', theirs, editBoth);
  expect(log).toEqual(['change 1']);
  expect(answer).toMatchObject({ change: 1, kept: ['a.md'] });
  expect(files).toEqual({ 'a.md': 'theirs', 'b.md': '+b' });
});
