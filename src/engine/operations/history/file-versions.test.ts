import { describe, expect, it } from 'vitest';
import { type MemoryVault, openWrittenVault } from '../../../../test/support/written-vault.ts';
import { allScopes } from '../../../base/caller.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';
import { deleteFile } from '../move/delete-file.ts';
import { moveFile } from '../move/move-file.ts';
import { moveFolder } from '../move/move-folder.ts';
import { appendNote } from '../write/append-note.ts';
import { createNote } from '../write/create-note.ts';
import { diffVersions, listVersions, readVersion, restoreVersion } from './file-versions.ts';
import { redoChange } from './redo-change.ts';
import { undoChanges } from './undo-changes.ts';

type Deed = (vault: MemoryVault) => Promise<unknown>;

const append =
  (name: string, text: string): Deed =>
  (vault) =>
    vault.change(appendNote, { name, text });
const create =
  (path: string, content: string): Deed =>
  (vault) =>
    vault.change(createNote, { path, content });
const move =
  (name: string, to: string): Deed =>
  (vault) =>
    vault.change(moveFile, { name, to });
const remove =
  (name: string, permanent = false): Deed =>
  (vault) =>
    vault.change(deleteFile, permanent ? { name, permanent } : { name, trash: 'local' });
const undo: Deed = (vault) => vault.change(undoChanges, { last: 1 });
/** What another program does. */
const outside =
  (path: string, text: string): Deed =>
  async (vault) => {
    vault.disk.write(path, text);
    await vault.keeper.refresh([vaultPath(path)]);
  };

/** Each version as its text, where it was when it had another name, and whether we made it. */
async function versionsOf(vault: BoundVault, name: string): Promise<string[]> {
  const { versions } = await listVersions(vault, { name });
  const shown: string[] = [];
  for (const { version, id, path } of versions) {
    const { text } = await readVersion(vault, { name, version });
    shown.push(`${text.replaceAll('\n', '|')}${path ? ` @${path}` : ''}${id ? '' : ' (found)'}`);
  }
  return shown;
}

async function after(deeds: readonly Deed[], files: Readonly<Record<string, string>>) {
  const vault = await openWrittenVault(files);
  for (const deed of deeds) await deed(vault);
  return vault;
}

describe('the versions of a file', () => {
  type Row = readonly [behaviour: string, deeds: readonly Deed[], name: string, found: string[]];
  const rows: readonly Row[] = [
    ['are none of what we never changed', [append('B', 'x')], 'A', []],
    [
      'are what each change left, and what the first found',
      [append('A', 'b'), append('A', 'c')],
      'A',
      ['a|b|c|', 'a|b|', 'a| (found)'],
    ],
    ['begin with a note that we made', [create('N', 'n'), append('N', 'o')], 'N', ['n|o|', 'n']],
    [
      'show what was written elsewhere in between',
      [append('A', 'b'), outside('A.md', 'mine\n'), append('A', 'c')],
      'A',
      ['mine|c|', 'mine| (found)', 'a|b|', 'a| (found)'],
    ],
    [
      'go on under an earlier name',
      [append('A', 'b'), move('A', 'Sub/Z.md'), append('Z', 'c')],
      'Z',
      ['a|b|c|', 'a|b| @A.md', 'a| @A.md (found)'],
    ],
    [
      'go on through a folder that moved',
      [
        append('F/In', 'b'),
        (vault) => vault.change(moveFolder, { folder: 'F', to: 'G/H' }),
        append('In', 'c'),
      ],
      'In',
      ['i|b|c|', 'i|b| @F/In.md', 'i| @F/In.md (found)'],
    ],
    [
      'go on through the trash',
      [append('A', 'b'), remove('A'), undo, append('A', 'c')],
      'A',
      ['a|b|c|', 'a|b|', 'a| (found)'],
    ],
    [
      'go on with a deleted file of the name',
      [append('A', 'b'), remove('A', true), create('A', 'new')],
      'A',
      ['new', 'a|b|', 'a| (found)'],
    ],
    [
      'go on with a file of the name that was thrown away',
      [append('A', 'b'), remove('A'), create('A', 'new')],
      'A',
      ['new', 'a|b|', 'a| (found)'],
    ],
    [
      'are those of the file, not of another that had its name',
      [append('A', 'b'), move('A', 'Z.md'), create('A', 'new')],
      'A',
      ['new'],
    ],
    [
      'are those of the file, not of one in a folder that moved away',
      [
        append('F/In', 'b'),
        (vault) => vault.change(moveFolder, { folder: 'F', to: 'G' }),
        create('F/In', 'new'),
      ],
      'F/In',
      ['new'],
    ],
    [
      'show what was written elsewhere before it moved',
      [append('A', 'b'), outside('A.md', 'mine\n'), move('A', 'Z.md'), append('Z', 'c')],
      'Z',
      ['mine|c|', 'mine| (found)', 'a|b| @A.md', 'a| @A.md (found)'],
    ],
    [
      'show what was made anew elsewhere after it was deleted',
      [append('A', 'b'), remove('A', true), outside('A.md', 'mine\n'), append('A', 'c')],
      'A',
      ['mine|c|', 'mine| (found)', 'a|b|', 'a| (found)'],
    ],
    ['count an undo as a change', [append('A', 'b'), undo], 'A', ['a|', 'a|b|', 'a| (found)']],
    ['know links that a rename rewrote', [move('A', 'Z.md')], 'Links', ['[[Z]]', '[[A]] (found)']],
    ['are none of a file that only moved', [move('B', 'Sub/B.md')], 'B', []],
  ];
  it.each(rows)('%s', async (_, deeds, name, found) => {
    const vault = await after(deeds, {
      'A.md': 'a\n',
      'B.md': 'b',
      'F/In.md': 'i\n',
      'Links.md': '[[A]]',
    });
    expect(await versionsOf(vault.vault, name)).toEqual(found);
    await vault.close();
  });

  it('say who made them and when', async () => {
    const vault = await after([append('A', 'b')], { 'A.md': 'a\n' });
    const { path, versions } = await listVersions(vault.vault, { name: 'a' });
    expect(path).toBe('A.md');
    expect(versions).toEqual([
      { version: 1, id: 1, door: 'cli', tool: 'test', timeMs: expect.any(Number) },
      { version: 2, timeMs: versions[0]?.timeMs },
    ]);
    await vault.close();
  });

  it('end where the caller could not see the file', async () => {
    const vault = await after([append('Secret/S', 'b'), move('S', 'S.md'), append('S', 'c')], {
      'Secret/S.md': 'a\n',
    });
    const others = vault.as({ scopes: { ...allScopes, hide: ['Secret'] } });
    expect(await versionsOf(others, 'S')).toEqual(['a|b|c|']);
    await vault.close();
  });

  it('that are not there are refused with how many there are', async () => {
    const vault = await after([append('A', 'b')], { 'A.md': 'a\n', 'B.md': '' });
    await expect(readVersion(vault.vault, { name: 'A', version: 3 })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('versions 1 to 2'),
    });
    await expect(readVersion(vault.vault, { name: 'B', version: 1 })).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('nothing has changed it'),
    });
    await vault.close();
  });
});

describe('diffVersions', () => {
  it.each<readonly [from: number, to: number | undefined, lines: string[]]>([
    [3, undefined, ['+b', '+c', '+elsewhere']],
    [1, undefined, ['+elsewhere']],
    [3, 2, ['+b']],
    [1, 3, ['-b', '-c']],
    [2, 2, []],
  ])('from %j to %j', async (from, to, lines) => {
    const deeds = [append('A', 'b'), append('A', 'c'), outside('A.md', 'a\nb\nc\nelsewhere\n')];
    const vault = await after(deeds, { 'A.md': 'a\n' });
    const request = to === undefined ? { name: 'A', from } : { name: 'A', from, to };
    const { diff } = await diffVersions(vault.vault, request);
    expect(diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line))).toEqual(lines);
    await vault.close();
  });
});

it('says what an undo or a redo took back, to a caller who sees everything', async () => {
  const vault = await openWrittenVault({ 'A.md': 'a\n', 'B.md': 'b\n' });
  const agent = vault.as({ door: 'mcp-http', client: 'claude-ai/1', connection: 's' });
  for (const name of ['A', 'B']) await agent.change(appendNote, { name, text: 'x' });
  const undone = await vault.change(undoChanges, { session: 's' });
  await vault.change(redoChange, { id: Number(undone.change) });
  const versions = async (as: BoundVault) =>
    (await listVersions(as, { name: 'A' })).versions.map(({ tookBack }) => tookBack);
  expect(await versions(vault.vault)).toEqual([
    { changes: 1, isRedo: true, of: { door: 'cli' } },
    { changes: 2, of: { door: 'mcp-http', client: 'claude-ai/1' } },
    undefined,
    undefined,
  ]);
  const limited = vault.as({ scopes: { ...allScopes, hide: ['B.md'] } });
  expect(await versions(limited)).toEqual([undefined, undefined, undefined, undefined]);
  await vault.close();
});

describe('restoreVersion', () => {
  it('gives back the bytes of a version under the present name, and can be undone', async () => {
    const before = '\ufeffa\r\nno end';
    const vault = await after([append('A', 'b'), move('A', 'Z.md')], { 'A.md': before });
    const now = vault.text('Z.md');
    const restored = await vault.change(restoreVersion, { name: 'Z', version: 2 });
    expect(restored).toMatchObject({ path: 'Z.md' });
    expect(vault.text('Z.md')).toBe(before);
    expect((await listVersions(vault.vault, { name: 'Z' })).versions).toHaveLength(3);
    await undo(vault);
    expect(vault.text('Z.md')).toBe(now);
    expect(await vault.indexFaults()).toEqual([]);
    await vault.close();
  });

  it('brings a deleted file back by its exact path, for callers who may see it', async () => {
    const name = { path: 'Secret/A.md', exact: true } as const;
    const deeds = [append('A', 'b'), remove('A', true)];
    const vault = await after(deeds, { 'Secret/A.md': 'a\n' });
    const others = vault.as({ scopes: { ...allScopes, hide: ['Secret'] } });
    expect((await listVersions(vault.vault, { name })).versions).toHaveLength(2);
    expect((await readVersion(vault.vault, { name, version: 2 })).text).toBe('a\n');
    for (const refused of [
      listVersions(others, { name }),
      listVersions(vault.vault, { name: 'A' }),
      listVersions(vault.vault, { name: { path: 'Never.md', exact: true } }),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: 'not_found' });
    }
    await vault.change(restoreVersion, { name, version: 1 });
    expect(vault.text('Secret/A.md')).toBe('a\nb\n');
    expect(await vault.indexFaults()).toEqual([]);
    await vault.close();
  });

  it('changes nothing when the file is at that version', async () => {
    const vault = await after([append('A', 'b')], { 'A.md': 'a\n' });
    const { change } = await vault.change(restoreVersion, { name: 'A', version: 1 });
    expect(change).toBeUndefined();
    await vault.close();
  });
});
