import { describe, expect, it } from 'vitest';
import { memoryState } from '../../../test/support/memory-state.ts';
import { openWrittenVault } from '../../../test/support/written-vault.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import type { Draft } from '../vault/draft.ts';

const p = vaultPath;
const append = async (draft: Draft, { path, text }: { path: string; text: string }) => {
  const note = await draft.read(p(path));
  await draft.write(p(path), note.text + text);
  return { path };
};

describe('a change', () => {
  it('is not even planned when its caller gave up before its turn', async () => {
    const { vault, as, disk, text } = await openWrittenVault({ 'a.md': 'a' });
    const controller = new AbortController();
    const first = vault.change(append, { path: 'a.md', text: '1' });
    const given = { signal: controller.signal };
    const second = as(given).change(append, { path: 'a.md', text: '2' });
    const refused = expect(second).rejects.toMatchObject({ code: 'cancelled' });
    controller.abort();
    await first;
    disk.resetCalls();
    await refused;
    expect(disk.calls).toMatchObject({ read: 0, stage: 0 });
    expect(text('a.md')).toBe('a1');
  });

  it('writes, creates, moves and deletes as one', async () => {
    const { change, files, disk, indexFaults } = await openWrittenVault({
      'a.md': 'a [[b]]',
      'b.md': 'b',
      'c.md': 'c',
    });
    const answer = await change(async (draft: Draft) => {
      await draft.write(p('a.md'), 'a2 [[B/b]]');
      await draft.move(p('b.md'), p('B/b.md'));
      await draft.delete(p('c.md'));
      await draft.create(p('new/deep/d.md'), 'd [[a]]');
      return { ok: true };
    }, {});
    expect(files()).toEqual({ 'a.md': 'a2 [[B/b]]', 'B/b.md': 'b', 'new/deep/d.md': 'd [[a]]' });
    expect(answer).toMatchObject({ ok: true, change: 1, dryRun: false, kept: [], warnings: [] });
    expect(answer.files).toEqual([
      { path: 'a.md', did: 'changed' },
      { path: 'B/b.md', did: 'moved', from: 'b.md' },
      { path: 'new/deep/d.md', did: 'created' },
      { path: 'c.md', did: 'deleted' },
    ]);
    expect(disk.folders()).toEqual(['B', 'new', 'new/deep']);
    expect(await indexFaults()).toEqual([]);
  });

  it('moves a folder with what was written, made and taken away in it', async () => {
    const { change, files, indexFaults } = await openWrittenVault({
      'A/x.md': 'x',
      'A/y.md': 'y',
      'A/z.md': 'z',
      'A/pic.png': 'p',
      'A/.hidden': 'h',
    });
    await change(async (draft: Draft) => {
      await draft.write(p('A/x.md'), 'x1');
      await draft.moveFolder(p('A'), p('B/C'));
      await draft.write(p('B/C/x.md'), 'x2');
      await draft.delete(p('B/C/y.md'));
      await draft.create(p('B/C/n.md'), 'n');
      await draft.move(p('B/C/z.md'), p('z.md'));
      expect(await draft.kind(p('A'))).toBeUndefined();
      expect(await draft.kind(p('B/C/pic.png'))).toBe('file');
      expect(await draft.find('B/C/pic.png')).toBe('B/C/pic.png');
      return {};
    }, {});
    expect(files()).toEqual({
      'B/C/x.md': 'x2',
      'B/C/n.md': 'n',
      'B/C/pic.png': 'p',
      'B/C/.hidden': 'h',
      'z.md': 'z',
    });
    expect(await indexFaults()).toEqual([]);
  });

  it.each<[string, (draft: Draft) => Promise<unknown>, Record<string, string>]>([
    [
      'two files swap their places',
      async (draft) => {
        await draft.move(p('a.md'), p('x.md'));
        await draft.move(p('b.md'), p('a.md'));
        await draft.move(p('x.md'), p('b.md'));
      },
      { 'a.md': 'b', 'b.md': 'a' },
    ],
    [
      'one takes the place of another that moves on',
      async (draft) => {
        await draft.move(p('a.md'), p('c.md'));
        await draft.move(p('b.md'), p('a.md'));
      },
      { 'a.md': 'b', 'c.md': 'a' },
    ],
    [
      'one takes the place of another that is deleted',
      async (draft) => {
        await draft.delete(p('a.md'));
        await draft.move(p('b.md'), p('a.md'));
      },
      { 'a.md': 'b' },
    ],
    [
      'one is made where another was',
      async (draft) => {
        await draft.move(p('a.md'), p('c.md'));
        await draft.create(p('a.md'), 'new');
      },
      { 'a.md': 'new', 'b.md': 'b', 'c.md': 'a' },
    ],
    [
      'one is deleted and made again',
      async (draft) => {
        await draft.delete(p('a.md'));
        await draft.create(p('a.md'), 'new');
      },
      { 'a.md': 'new', 'b.md': 'b' },
    ],
  ])('holds when %s', async (_, plan, expected) => {
    const { change, files, indexFaults } = await openWrittenVault({ 'a.md': 'a', 'b.md': 'b' });
    await change(async (draft: Draft) => {
      await plan(draft);
      return {};
    }, {});
    expect(files()).toEqual(expected);
    expect(await indexFaults()).toEqual([]);
  });

  it('that changes nothing is none', async () => {
    const { change, whole } = await openWrittenVault({ 'a.md': 'a' });
    const answer = await change(async (draft: Draft) => {
      await draft.write(p('a.md'), 'b');
      await draft.write(p('a.md'), 'a');
      return {};
    }, {});
    expect(answer).toEqual({ dryRun: false, files: [], kept: [], warnings: [] });
    expect(await whole.parts.state.latest()).toBe(0);
  });

  it.each<[string, (draft: Draft) => Promise<unknown>, string | undefined]>([
    ['was written', (draft) => draft.write(p('a.md'), 'new'), 'new'],
    ['was made', (draft) => draft.create(p('n.md'), 'made'), 'made'],
    ['came there', async (draft) => draft.move((await draft.read(p('a.md'))).path, p('n.md')), 'a'],
    ['stays as it is', (draft) => draft.read(p('a.md')), 'a'],
    ['nobody looked into', (draft) => draft.create(p('other.md'), 'other'), undefined],
    ['is gone', (draft) => draft.delete(p('a.md')), undefined],
  ])('answers the version of the note it is about, if that %s', async (_, plan, expected) => {
    const { change, disk, whole } = await openWrittenVault({ 'a.md': 'a' });
    const answer = await change(async (draft: Draft) => {
      await plan(draft);
      return { path: (await draft.kind(p('n.md'))) === undefined ? 'a.md' : 'n.md' };
    }, {});
    const bytes = new TextEncoder().encode(expected);
    expect(answer.version).toBe(expected && whole.parts.hash.version(bytes));
    if (expected !== undefined) expect(disk.text(answer.path)).toBe(expected);
  });

  it('only shows its plan in a dry run', async () => {
    const vault = await openWrittenVault({ 'a.md': 'a\n', 'b.md': 'b\n' });
    const before = vault.files();
    const answer = await vault.change(
      async (draft: Draft) => {
        await draft.write(p('a.md'), 'a\nmore\n');
        await draft.move(p('b.md'), p('c.md'));
        return { path: 'a.md' };
      },
      { dryRun: true },
    );
    expect(answer.diff).toContain('+more');
    expect(answer.diff).toContain('rename to c.md');
    expect(answer).not.toHaveProperty('change');
    expect(answer).not.toHaveProperty('version');
    expect(vault.files()).toEqual(before);
    expect(vault.disk.calls.stage).toBe(0);
  });

  it('plans again on what an editor saved meanwhile', async () => {
    const { change, text, disk } = await openWrittenVault({ 'a.md': 'a\n' });
    let plans = 0;
    await change(async (draft: Draft) => {
      await append(draft, { path: 'a.md', text: 'ours\n' });
      if (++plans <= 2) disk.replace('a.md', `${disk.text('a.md')}theirs ${plans}\n`);
      return {};
    }, {});
    expect(text('a.md')).toBe('a\ntheirs 1\ntheirs 2\nours\n');
  });

  it('is planned again when its plan failed on what another process has changed meanwhile', async () => {
    const shared = await memoryState();
    const { disk, change, text } = await openWrittenVault({}, { process: shared.open() });
    const other = await openWrittenVault(disk, { process: shared.open() });
    let plans = 0;
    await change(async (draft: Draft) => {
      await draft.replanAfterOthers();
      const number = (await draft.kind(p('1.md'))) === undefined ? 1 : 2;
      if (plans++ === 0) {
        await other.change(
          (theirs: Draft) => theirs.create(p('1.md'), 'theirs').then(() => ({})),
          {},
        );
      }
      await draft.create(p(`${number}.md`), 'ours');
      return {};
    }, {});
    expect([text('1.md'), text('2.md'), plans]).toEqual(['theirs', 'ours', 2]);
  });

  it('is planned again when its plan failed on what another process is just changing', async () => {
    const shared = await memoryState();
    const { disk, change, text } = await openWrittenVault({}, { process: shared.open() });
    const process = shared.open();
    const { state } = process;
    const slow = Object.assign(Object.create(state), {
      finish: async (...args: Parameters<typeof state.finish>) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return state.finish(...args);
      },
    });
    const other = await openWrittenVault(disk, { process: { ...process, state: slow } });
    const create = (path: string) => (draft: Draft) => draft.create(p(path), path).then(() => ({}));
    let theirs: Promise<unknown> | undefined;
    await change(async (draft: Draft) => {
      await draft.replanAfterOthers();
      const free = (await draft.kind(p('1.md'))) === undefined ? '1.md' : '2.md';
      theirs ??= other.change(create('1.md'), {});
      await expect.poll(() => disk.paths()).toContain('1.md');
      return create(free)(draft);
    }, {});
    await theirs;
    expect([text('1.md'), text('2.md')]).toEqual(['1.md', '2.md']);
  });

  it('ends in a conflict when an editor never stops', async () => {
    const { change, text, disk } = await openWrittenVault({ 'a.md': 'a\n' });
    let plans = 0;
    const failure = await change(async (draft: Draft) => {
      await append(draft, { path: 'a.md', text: 'ours\n' });
      disk.replace('a.md', `theirs ${++plans}\n`);
      return {};
    }, {}).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'conflict' });
    expect(plans).toBe(4);
    expect(text('a.md')).toBe('theirs 4\n');
    expect(disk.paths()).toEqual(['a.md']);
  });

  it('keeps the order in which changes arrive', async () => {
    const { change, text } = await openWrittenVault({ 'a.md': '' });
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => change(append, { path: 'a.md', text: `${n}\n` })),
    );
    expect(text('a.md')).toBe(Array.from({ length: 20 }, (_, n) => `${n}\n`).join(''));
  });

  it('asks the history only for the changes of other processes', async () => {
    const shared = await memoryState();
    const process = shared.open();
    let asked = 0;
    const { changes } = process.state;
    Object.assign(process.state, {
      changes: (...of: Parameters<typeof changes>) => {
        asked++;
        return changes(...of);
      },
    });
    const { change, disk } = await openWrittenVault({ 'a.md': '' }, { process });
    const create = (path: string) => async (draft: Draft) => {
      const twin = await draft.twin(p(path));
      if (twin === undefined) await draft.create(p(path), path);
      return { twin };
    };
    await change(create('1.md'), {});
    const before = asked;
    await change(append, { path: 'a.md', text: 'x' });
    expect(await change(create('A.md'), {})).toMatchObject({ twin: 'a.md' });
    await change(create('2.md'), {});
    expect(asked).toBe(before);
    const other = await openWrittenVault(disk, { process: shared.open() });
    await other.change(create('3.md'), {});
    expect(await change(create('3.MD'), {})).toMatchObject({ twin: '3.md' });
    expect(asked).toBe(before + 1);
  });

  it('holds to the version that its caller read', async () => {
    const { change, vault, disk } = await openWrittenVault({ 'a.md': 'a' });
    const { version } = await vault.readText(p('a.md'));
    disk.write('a.md', 'b');
    const edit = async (draft: Draft) => {
      await draft.expect(p('a.md'), version);
      await draft.write(p('a.md'), 'c');
      return {};
    };
    await expect(change(edit, {})).rejects.toMatchObject({ code: 'conflict' });
    expect(disk.text('a.md')).toBe('b');
  });

  it.each([
    ['a file that is not UTF-8', 'bad.md', 'invalid_input'],
    ['a folder', 'F', 'is_a_folder'],
    ['nothing', 'none.md', 'not_found'],
    ['a hidden file', '.obsidian/app.json', 'not_found'],
  ])('refuses to edit %s', async (_, path, code) => {
    const { change } = await openWrittenVault({
      'bad.md': new Uint8Array([0x61, 0xff, 0x62]),
      'F/x.md': '',
      '.obsidian/app.json': '{}',
    });
    const failure = await change(append, { path, text: 'x' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(VaultError);
    expect(failure).toMatchObject({ code });
  });

  it('leaves alone what its caller may not see', async () => {
    const { as, files } = await openWrittenVault({ 'In/a.md': 'a', 'Out/b.md': 'b' });
    const limited = as({ scopes: { effects: ['read', 'write'], folders: [p('In')], hide: [] } });
    const both = async (draft: Draft) => {
      await draft.write(p('In/a.md'), 'changed');
      await draft.write(p('Out/b.md'), 'changed');
      return {};
    };
    await expect(limited.change(both, {})).rejects.toMatchObject({ code: 'forbidden' });
    expect(files()).toEqual({ 'In/a.md': 'a', 'Out/b.md': 'b' });
  });

  it('is not made once its caller has given up', async () => {
    const { as, files } = await openWrittenVault({ 'a.md': 'a' });
    const controller = new AbortController();
    const bound = as({ signal: controller.signal });
    const late = async (draft: Draft) => {
      await append(draft, { path: 'a.md', text: 'x' });
      controller.abort();
      return {};
    };
    await expect(bound.change(late, {})).rejects.toMatchObject({ code: 'cancelled' });
    expect(files()).toEqual({ 'a.md': 'a' });
  });
});
