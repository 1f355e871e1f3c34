import { describe, expect, it } from 'vitest';
import { wrapDisk } from '../../../test/support/wrap-disk.ts';
import type { MemoryVault } from '../../../test/support/written-vault.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import { limits } from '../../base/limits.ts';
import type { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import { undoChanges } from '../operations/history/undo-changes.ts';
import { renameFile } from '../operations/move/rename-file.ts';
import { appendNote } from '../operations/write/append-note.ts';
import { createNote } from '../operations/write/create-note.ts';
import { replaceInNote } from '../operations/write/replace-in-note.ts';
import { updateBody } from '../operations/write/update-body.ts';
import type { BoundVault } from '../vault/bound-vault.ts';
import { ServedMemory } from './served-memory.ts';

const start = { 'a.md': '---\nk: v\n---\none\ntwo\nthree\n', 'b.md': 'see [[a]]\n' };

/** A vault in memory with two connections. */
async function connected(
  files: Readonly<Record<string, string>> = start,
  memory = new ServedMemory(limits),
): Promise<MemoryVault & { A: BoundVault; B: BoundVault }> {
  const vault = await openWrittenVault(files);
  const connect = (id: string): BoundVault =>
    vault.whole.bind(
      testCaller({ door: 'mcp-stdio', connection: id }),
      { tool: 'test', args: {} },
      memory.forConnection(id),
    );
  return { ...vault, A: connect('A'), B: connect('B') };
}

/** Shows a note to a connection, as reading tools do: all of it, or lines counted from 0. */
async function read(vault: BoundVault, path = 'a.md', lines?: [number, number]) {
  const note = await vault.readText(vaultPath(path));
  if (lines === undefined) return vault.served?.shown(note);
  const starts = [0, ...Array.from(note.text.matchAll(/\n/g), ({ index }) => index + 1)];
  const [from, to] = lines;
  vault.served?.shown(note, { start: starts[from] ?? 0, end: starts[to] ?? note.text.length });
}

async function update(vault: BoundVault, text: string, version?: Version) {
  return vault.change(updateBody, {
    name: { path: 'a.md' },
    text,
    ...(version === undefined ? {} : { version }),
  });
}

async function refusal(call: Promise<unknown>): Promise<VaultError> {
  return call.then(
    () => expect.unreachable('it was not refused'),
    (error: VaultError) => error,
  );
}

describe('replacing the body of a note', () => {
  it('is allowed to whoever has read it as it is', async () => {
    const { A, text } = await connected();
    await read(A);
    expect(await update(A, 'new\n')).toMatchObject({ warnings: [] });
    expect(text('a.md')).toBe('---\nk: v\n---\nnew\n');
  });

  it.each<[string, (vault: Awaited<ReturnType<typeof connected>>) => unknown]>([
    ['another connection', ({ B }) => B.change(appendNote, { name: 'a.md', text: 'theirs' })],
    ['a person', ({ disk }) => disk.write('a.md', `${disk.text('a.md')}theirs\n`)],
  ])('is refused with a diff after %s has changed it', async (_, interfere) => {
    const vault = await connected();
    await read(vault.A);
    await interfere(vault);
    const before = vault.files();
    const error = await refusal(update(vault.A, 'mine\n'));
    expect(error).toMatchObject({ code: 'conflict', details: { path: 'a.md' } });
    expect(error.message).toMatch(/changed since this connection read it.*Read it again.*append/);
    expect(error.message).not.toContain('theirs');
    expect(error.excerpt).toContain('\n+theirs');
    expect(vault.files()).toEqual(before);
    await read(vault.A);
    await update(vault.A, 'mine, with theirs\n');
    expect(vault.text('a.md')).toContain('mine, with theirs');
  });

  it('is refused when the note changes while the change is being made', async () => {
    const { A, disk, text } = await connected();
    await read(A);
    let plans = 0;
    const racing = A.change(
      async (draft, request: Parameters<typeof updateBody>[1]) => {
        const result = await updateBody(draft, request);
        if (++plans === 1) disk.write('a.md', 'saved at the last moment\n');
        return result;
      },
      { name: 'a.md', text: 'mine' },
    );
    expect(await refusal(racing)).toMatchObject({ code: 'conflict' });
    expect(text('a.md')).toBe('saved at the last moment\n');
  });

  it.each<[[number, number], RegExp]>([
    [[0, 4], /\(lines 1–4 of 6\)/],
    [[4, 5], /\(line 5 of 6\)/],
    [[3, 5], /\(lines 4–5 of 6\)/],
  ])('is refused after only lines %j were read', async (lines, expected) => {
    const { A, files } = await connected();
    await read(A, 'a.md', lines);
    const error = await refusal(update(A, 'mine\n'));
    expect(error.code).toBe('conflict');
    expect(error.message).toMatch(expected);
    expect(files()).toEqual(start);
  });

  it('is refused with the first of many parts that were read', async () => {
    const { A } = await connected({ 'a.md': 'line\n'.repeat(100) });
    for (let line = 0; line < 100; line += 2) await read(A, 'a.md', [line, line + 1]);
    const error = await refusal(update(A, 'mine\n'));
    expect(error.message).toContain('(lines 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 … of 100)');
  });

  it('is allowed once the rest was read as well, and without the properties', async () => {
    const { A, text } = await connected();
    await read(A, 'a.md', [3, 4]);
    await read(A, 'a.md', [4, 6]);
    await update(A, 'mine\n');
    expect(text('a.md')).toBe('---\nk: v\n---\nmine\n');
  });

  it('warns whoever has never read it, and then knows what they sent', async () => {
    const { A } = await connected();
    const { warnings } = await update(A, 'mine\n');
    expect(warnings).toEqual([expect.stringMatching(/had not read "a.md".*undo/)]);
    expect(await update(A, 'mine again\n')).toMatchObject({ warnings: [] });
  });

  it('warns nobody about an empty body', async () => {
    const { A } = await connected({ 'a.md': '---\nk: v\n---\n\n' });
    expect(await update(A, 'mine\n')).toMatchObject({ warnings: [] });
  });

  it('is refused to whoever only has the version from a change of its own', async () => {
    const { A, disk, text } = await connected();
    await read(A);
    disk.write('a.md', 'theirs\n');
    const { version } = await A.change(appendNote, { name: 'a.md', text: 'mine' });
    const error = await refusal(update(A, 'all mine\n', version));
    expect(error.excerpt).toContain('+theirs');
    expect(text('a.md')).toBe('theirs\nmine\n');
    await read(A);
    expect(await update(A, 'all mine\n', version)).toMatchObject({ warnings: [] });
  });

  it('says so when it no longer knows what was read', async () => {
    const memory = new ServedMemory({ ...limits, servedBytesMax: 4 });
    const { A, disk } = await connected(start, memory);
    await read(A);
    disk.write('a.md', 'theirs\n');
    const error = await refusal(update(A, 'mine\n'));
    expect(error.message).toMatch(/not remembered any more/);
    expect(error.excerpt).toBeUndefined();
  });

  it('shows no more of a long diff than fits, in whole lines', async () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => `line ${n}`);
    const { A, disk } = await connected({ 'a.md': `${lines.join('\n')}\n` });
    await read(A);
    disk.write('a.md', `${lines.map((line) => `${line} changed`).join('\n')}\n`);
    const { excerpt = '' } = await refusal(update(A, 'mine\n'));
    expect(excerpt.length).toBeLessThan(4_100);
    expect(excerpt).toMatch(/\n-line \d+\n… \d+ more lines$/);
  });

  it('cuts a line that is longer than all of that', async () => {
    const { A, disk } = await connected({ 'a.md': 'short\n' });
    await read(A);
    disk.write('a.md', 'long '.repeat(10_000));
    const { excerpt = '' } = await refusal(update(A, 'mine\n'));
    expect(excerpt).toMatch(/\n\+long long .*…/);
    expect(excerpt.length).toBeLessThan(4_100);
  });
});

describe('what a connection changed itself', () => {
  it('it may replace: by a piece, and at another path', async () => {
    const { A, text } = await connected();
    await read(A);
    await A.change(replaceInNote, { name: 'a.md', find: 'two', put: '2', all: false });
    await A.change(renameFile, { name: 'a.md', newName: 'c' });
    const answer = await A.change(updateBody, { name: 'c.md', text: 'new\n' });
    expect(answer.warnings).toEqual([]);
    expect(text('c.md')).toBe('---\nk: v\n---\nnew\n');
  });

  it('it may replace when it made it', async () => {
    const { A } = await connected({});
    await A.change(createNote, { path: 'a.md', content: 'made' });
    expect(await update(A, 'new\n')).toMatchObject({ warnings: [] });
  });

  it('it knows no better than before where it read only a part', async () => {
    const { A } = await connected();
    await read(A, 'a.md', [3, 4]);
    await A.change(appendNote, { name: 'a.md', text: 'end' });
    expect((await refusal(update(A, 'new\n'))).message).toMatch(/lines 4, 7 of 7/);
  });

  it('does not count where only links in it were rewritten', async () => {
    const { A } = await connected();
    await read(A, 'b.md');
    await A.change(renameFile, { name: 'a.md', newName: 'c' });
    const error = await refusal(A.change(updateBody, { name: 'b.md', text: 'new\n' }));
    expect(error).toMatchObject({ code: 'conflict' });
    expect(error.excerpt).toContain('+see [[c]]');
  });

  it('does not count where an editor saved it at the last moment, though it moved', async () => {
    const { A, disk, whole, text } = await connected({ 'a.md': 'me: [[a]]\n' });
    await read(A);
    let saves = 1;
    const racing = wrapDisk(disk, async ({ method }, run) => {
      if (method === 'place' && saves-- > 0) disk.write('a.md', 'theirs\n');
      return run();
    });
    Object.assign(whole.parts, { disk: racing });
    const renamed = await A.change(renameFile, { name: 'a.md', newName: 'c' });
    expect(renamed).toMatchObject({ path: 'c.md', kept: ['a.md'] });
    expect(renamed).not.toHaveProperty('version');
    const replacing = A.change(updateBody, { name: 'c.md', text: 'mine\n' });
    expect(await refusal(replacing)).toMatchObject({ code: 'conflict' });
    expect(text('c.md')).toBe('theirs\n');
  });

  it('does not count where it was undone', async () => {
    const { A } = await connected();
    await read(A);
    await update(A, 'new\n');
    await A.change(undoChanges, {});
    expect(await refusal(update(A, 'newer\n'))).toMatchObject({ code: 'conflict' });
  });
});
