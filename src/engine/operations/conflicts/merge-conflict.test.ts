import { afterEach, describe, expect, it } from 'vitest';
import type { MemoryVault } from '../../../../test/support/written-vault.ts';
import { openWrittenVault } from '../../../../test/support/written-vault.ts';
import type { VaultError } from '../../../base/vault-error.ts';
import { vaultPath } from '../../../base/vault-path.ts';
import type { Draft } from '../../vault/draft.ts';
import { undoSelection } from '../history/undo-selection.ts';
import { showConflict } from './compare-conflict.ts';
import { mergeConflict } from './merge-conflict.ts';

const copy = 'N.sync-conflict-20260901-123000-ABCDEF2.md';
type Files = Readonly<Record<string, string | Uint8Array>>;

let vault: MemoryVault;
afterEach(() => vault.close());

async function open(files: Files): Promise<void> {
  vault = await openWrittenVault(files);
}

/** Writes a file through the engine, so that history has it and what was there. */
async function write(text: string, path = 'N.md'): Promise<void> {
  await vault.change((draft: Draft, _: object) => {
    return draft.put(vaultPath(path), new TextEncoder().encode(text)).then(() => ({}));
  }, {});
}

async function look(): Promise<void> {
  await vault.keeper.reconcile();
}

/** What a sync program leaves: the other side's text in a copy, or in the note itself. */
async function arrive(files: Files, options?: { readonly mtimeMs: number }): Promise<void> {
  for (const [path, content] of Object.entries(files)) vault.disk.write(path, content, options);
  await look();
}

const merge = (request: Partial<Parameters<typeof mergeConflict>[1]> = {}) =>
  mergeConflict(vault.vault, { name: copy, ...request });

function failure(work: Promise<unknown>): Promise<VaultError> {
  return work.then(
    () => Promise.reject(new Error('it did not fail')),
    (error) => error,
  );
}

describe('with a common version', () => {
  it('takes what only one side changed, and the copy goes into the trash, as one change', async () => {
    await open({ 'N.md': 'a\nb\nc\n' });
    await write('A\nb\nc\n');
    await arrive({ [copy]: 'a\nb\nC\n' });
    const before = vault.files();
    expect(await merge()).toMatchObject({
      merged: true,
      path: 'N.md',
      copy,
      how: 'lines',
      fromCopy: 1,
      total: 0,
      where: `.trash/${copy}`,
    });
    const after = { 'N.md': 'A\nb\nC\n', [`.trash/${copy}`]: 'a\nb\nC\n' };
    expect(vault.files()).toEqual(after);
    expect(await vault.indexFaults()).toEqual([]);
    await undoSelection(vault.vault, { last: 1 });
    expect(vault.files()).toEqual(before);
  });

  it('finds it as well when the other side has won and ours is the copy', async () => {
    await open({ 'N.md': 'a\nb\nc\n' });
    await write('A\nb\nc\n');
    await arrive({ 'N.md': 'a\nb\nC\n', [copy]: 'A\nb\nc\n' });
    await merge();
    expect(vault.text('N.md')).toBe('A\nb\nC\n');
  });

  it('finds it when the winner was edited since, here and by other programs', async () => {
    await open({ 'N.md': 'a\nb\nc\nd\ne\n' });
    await write('A\nb\nc\nd\ne\n');
    await arrive({ 'N.md': 'a\nb\nC\nd\ne\n', [copy]: 'A\nb\nc\nd\ne\n' });
    await write('a\nb\nC\nd\nE\n');
    await arrive({ 'N.md': 'a\nb\nC\nd\nE\nf\n' });
    await merge();
    expect(vault.text('N.md')).toBe('A\nb\nC\nd\nE\nf\n');
  });

  it('is none that the copy did not grow from, when copies have piled up', async () => {
    const later = 'N.sync-conflict-20260902-123000-ABCDEF2.md';
    await open({ 'N.md': 'a\nb\nc\nd\ne\n' });
    await write('a\nb\nc\nd\ne\nours 1\nours 2\nours 3\n');
    // Their side has won, and ours is the first copy.
    await arrive({ 'N.md': 'their 1\na\nb\nc\nd\ne\n', [copy]: vault.text('N.md') });
    await write('their 1\na\nb\nours 4\nc\nd\ne\n');
    await arrive({ 'N.md': 'their 1\ntheir 2\na\nb\nc\nd\ne\n', [later]: vault.text('N.md') });
    await merge();
    await merge({ name: later });
    expect(vault.text('N.md')).toBe(
      'their 1\ntheir 2\na\nb\nours 4\nc\nd\ne\nours 1\nours 2\nours 3\n',
    );
  });

  it.each([
    ['the first of two', 'a\nb\nc\nd\ne\nmore\n', 'A\nb\nC\nd\ne\nmore\n'],
    ['the second of two', 'A\nb\nc\nd\ne\nmore\n', 'A\nb\nC\nd\ne\nmore\n'],
  ])('is %s, by the text of the copy', async (_, theirs, merged) => {
    await open({ 'N.md': 'a\nb\nc\nd\ne\n' });
    await write('A\nb\nc\nd\ne\n');
    await write('A\nb\nC\nd\ne\n');
    await arrive({ [copy]: theirs });
    expect(await merge()).toMatchObject({ total: 0, fromCopy: 1 });
    expect(vault.text('N.md')).toBe(merged);
  });

  it('is the older of two that are equally far away, so that no line is taken for deleted', async () => {
    await open({ 'N.md': 'a\nb\nc\n' });
    await write('a\nb\nc\np\nq\n');
    await write('A\nb\nc\np\nq\n');
    await arrive({ [copy]: 'a\nb\nc\np\n' });
    await merge({ choose: 'both' });
    expect(vault.text('N.md')).toBe('A\nb\nc\np\nq\n');
  });

  it('is not younger than the last save of the copy', async () => {
    await open({ 'N.md': 'a\nb\nc\n' });
    const savedMs = vault.disk.clock.nowMs();
    await write('a\nb\nc\np\n');
    await write('a\nb\nc\np\nq\n');
    // Looks as if somebody had removed q from the second of our versions.
    await arrive({ [copy]: 'a\nb\nc\np\ne\n' }, { mtimeMs: savedMs });
    const shown = await merge();
    expect(shown.choices).toMatchObject([{ line: 5, original: 'q', copy: 'e' }]);
    await merge({ choose: 'both' });
    expect(vault.text('N.md')).toBe('a\nb\nc\np\nq\ne\n');
  });

  it.each([
    ['the copy', {}, 'c\nu', 'C'],
    ['the original', { 'N.md': 'a\nb\nC\n' }, 'C', 'c\nu'],
  ])(
    'does not take a line for deleted that %s may never have had',
    async (_, won, ours, theirs) => {
      // "u" may have been typed here while the other side was away: history has nothing older.
      await open({ 'N.md': 'a\nb\nc\nu\n' });
      await write('A\nb\nc\nu\n');
      const isWon = 'N.md' in won;
      await arrive({ ...won, [copy]: isWon ? 'A\nb\nc\nu\n' : 'a\nb\nC\n' });
      const shown = await merge();
      expect(shown.choices).toMatchObject([{ original: ours, copy: theirs }]);
    },
  );

  it('takes a line for deleted that was there before', async () => {
    await open({ 'N.md': 'a\nb\nc\n' });
    await write('a\nb\nc\nd\n');
    await write('A\nb\nc\nd\n');
    await arrive({ [copy]: 'a\nb\nd\n' });
    expect(await merge()).toMatchObject({ total: 0 });
    expect(vault.text('N.md')).toBe('A\nb\nd\n');
  });

  it('is found under an earlier name of the note', async () => {
    await open({ 'Old.md': 'a\nb\nc\n' });
    await write('A\nb\nc\n', 'Old.md');
    await vault.change(async (draft: Draft, _: object) => {
      await draft.move(vaultPath('Old.md'), vaultPath('N.md'));
      return {};
    }, {});
    await arrive({ [copy]: 'a\nb\nC\n' });
    await merge();
    expect(vault.text('N.md')).toBe('A\nb\nC\n');
  });

  it('shows what overlaps with numbers, and does as it is told', async () => {
    await open({ 'N.md': 'one\n\ntwo\n\nthree\n' });
    await write('one A\n\ntwo\n\nthree\nend A\n');
    await arrive({ [copy]: 'one B\n\ntwo B\n\nthree\nend B\n' });
    const shown = await merge();
    expect(shown).toMatchObject({
      merged: false,
      fromCopy: 1,
      total: 2,
      choices: [
        { number: 1, line: 1, original: 'one A', copy: 'one B' },
        { number: 2, line: 6, original: 'end A', copy: 'end B' },
      ],
    });
    expect(shown.change).toBeUndefined();
    const untouched = vault.files();
    expect(untouched['N.md']).toBe('one A\n\ntwo\n\nthree\nend A\n');
    const { token } = shown;
    const diff = (await merge({ choose: '1=copy,2=both', token, dryRun: true })).diff;
    expect(diff).toContain('-one A\n+one B\n');
    expect(vault.files()).toEqual(untouched);
    await merge({ choose: '1=copy, 2=both', token });
    expect(vault.text('N.md')).toBe('one B\n\ntwo B\n\nthree\nend A\nend B\n');
  });

  it('changes nothing when a file has changed since it was shown', async () => {
    await open({ 'N.md': 'a\n', [copy]: 'b\n' });
    const { token } = await merge();
    for (const path of ['N.md', copy]) {
      await arrive({ [path]: `${path} is new\n` });
      const files = vault.files();
      expect(await failure(merge({ choose: '1=copy', token }))).toMatchObject({ code: 'conflict' });
      expect(vault.files()).toEqual(files);
    }
  });
});

describe('without a common version', () => {
  it.each([
    ['nothing in the history', async () => {}],
    [
      'only the note itself in the history',
      async () => {
        vault.disk.erase('N.md');
        await look();
        await write('same\nours\nsame too\n');
      },
    ],
    [
      'only versions that have little to do with the copy',
      async () => {
        await write('x\ny\nz\n');
        await write('same\nours\nsame too\n');
      },
    ],
  ])('every difference is a choice: %s', async (_, prepare) => {
    await open({ 'N.md': 'same\nours\nsame too\n' });
    if (_.startsWith('only versions')) await arrive({ 'N.md': 'v\nw\n' });
    await prepare();
    await arrive({ [copy]: 'same\ntheirs\nsame too\nmore\n' });
    const shown = await merge();
    expect(shown).toMatchObject({
      merged: false,
      fromCopy: 0,
      choices: [
        { number: 1, line: 2, original: 'ours', copy: 'theirs' },
        { number: 2, line: 4, original: '', copy: 'more' },
      ],
    });
    expect(shown.commonMs).toBeUndefined();
    await merge({ choose: 'both,1=original', token: shown.token });
    expect(vault.text('N.md')).toBe('same\nours\nsame too\nmore\n');
  });

  it.each([
    ['original', 'a\n\nb\n\nend\n'],
    ['copy', 'x\n\ny\n\nend\n'],
    ['both', 'a\n\nb\nx\n\ny\n\nend\n'],
  ])('%s for all, with paragraphs of one side together', async (choose, text) => {
    await open({ 'N.md': 'a\n\nb\n\nend\n', [copy]: 'x\n\ny\n\nend\n' });
    await merge({ choose });
    expect(vault.text('N.md')).toBe(text);
  });

  it('paragraphs that both sides added stay paragraphs', async () => {
    await open({ 'N.md': 'a\n' });
    await write('a\n\nours\n');
    await arrive({ [copy]: 'a\n\ntheirs\n' });
    await merge({ choose: 'both' });
    expect(vault.text('N.md')).toBe('a\n\nours\n\ntheirs\n');
  });
});

describe('line ends, byte order mark and the last line', () => {
  it.each<[what: string, ours: string, theirs: string, merged: string]>([
    ['the copy has other line ends', 'A\r\nb\r\nc\r\n', 'a\nb\nC\n', 'A\r\nb\r\nC\r\n'],
    ['the copy has CRLF', 'A\nb\nc\n', 'a\r\nb\r\nC\r\n', 'A\nb\nC\n'],
    ['only the original has a mark', '\ufeffA\nb\nc\n', 'a\nb\nC\n', '\ufeffA\nb\nC\n'],
    ['only the copy has a mark', 'A\nb\nc\n', '\ufeffa\nb\nC\n', 'A\nb\nC\n'],
    ['the original does not end its last line', 'A\nb\nc', 'a\nb\nc\nd\n', 'A\nb\nc\nd'],
    ['the copy does not end its last line', 'A\nb\nc\n', 'a\nb\nc\nd', 'A\nb\nc\nd\n'],
  ])('%s: the original decides', async (_, ours, theirs, merged) => {
    await open({ 'N.md': 'a\nb\nc\n' });
    await write(ours);
    await arrive({ [copy]: theirs });
    expect(await merge()).toMatchObject({ total: 0 });
    expect(vault.text('N.md')).toBe(merged);
  });

  it('a copy that differs in nothing else is only put into the trash', async () => {
    await open({ 'N.md': 'a\r\nb', [copy]: '\ufeffa\nb\n' });
    expect(await merge()).toMatchObject({ how: 'same', merged: true });
    expect(vault.files()).toEqual({ 'N.md': 'a\r\nb', [`.trash/${copy}`]: '\ufeffa\nb\n' });
  });
});

describe('properties', () => {
  it('that would be broken by a merge become choices', async () => {
    const note = (first: string, last: string) => `---\n${first}a: 1\nb: 2\n${last}---\ntext\n`;
    await open({ 'N.md': note('', '') });
    await write(note('status: x\n', ''));
    await arrive({ [copy]: note('', 'status: y\n') });
    const shown = await merge();
    expect(shown).toMatchObject({ merged: false, total: 2 });
    const error = await failure(merge({ choose: 'both' }));
    expect(error).toMatchObject({ code: 'invalid_input' });
    expect(error.message).toContain('properties of "N.md" would be broken');
    await merge({ choose: '1=copy,2=copy', token: shown.token });
    expect(vault.text('N.md')).toBe(note('', 'status: y\n'));
  });
});

describe('files that are not merged by lines', () => {
  const picture = 'p.sync-conflict-20260901-123000-ABCDEF2.png';
  const files = {
    'p.png': new Uint8Array([1, 0, 2]),
    [picture]: new Uint8Array([1, 0, 3]),
    'n.md': `![[p.png]] ![[${picture}]]`,
  };

  it.each([
    [
      'original',
      {
        'p.png': '\u0001\0\u0002',
        [`.trash/${picture}`]: '\u0001\0\u0003',
        'n.md': '![[p.png]] ![[p.png]]',
      },
    ],
    [
      '1=copy',
      {
        'p.png': '\u0001\0\u0003',
        [`.trash/${picture}`]: '\u0001\0\u0003',
        'n.md': '![[p.png]] ![[p.png]]',
      },
    ],
    [
      'both',
      { 'p.png': '\u0001\0\u0002', 'p 2.png': '\u0001\0\u0003', 'n.md': '![[p.png]] ![[p 2.png]]' },
    ],
  ])('a picture: %s', async (choose, after) => {
    await open(files);
    const before = vault.files();
    const { token, ...shown } = await merge({ name: picture });
    expect(shown).toMatchObject({ how: 'whole', merged: false, total: 1, choices: [] });
    await merge({ name: picture, choose, token });
    expect(vault.files()).toEqual(after);
    expect(await vault.indexFaults()).toEqual([]);
    await undoSelection(vault.vault, { last: 1 });
    expect(vault.files()).toEqual(before);
  });

  it('a canvas is one structure', async () => {
    const drawing = 'c (conflicted copy 2026-09-01 123000).canvas';
    await open({ 'c.canvas': '{"nodes":[]}', [drawing]: '{"edges":[]}' });
    expect(await merge({ name: drawing })).toMatchObject({ how: 'whole', merged: false });
    await merge({ name: drawing, choose: 'copy' });
    expect(vault.text('c.canvas')).toBe('{"edges":[]}');
  });
});

describe('links and bookmarks', () => {
  it('to the copy lead to the original', async () => {
    const stem = copy.slice(0, -3);
    await open({
      'F/N.md': `see [[${stem}]]\n`,
      [`F/${copy}`]: `see [[${stem}]]\nmore [[${stem}]]\n`,
      'o.md': `[[${stem}#Part|x]] [y](F/${copy}) [[N]]`,
      '.obsidian/bookmarks.json': `{"items":[{"type":"file","path":"F/${copy}"}]}`,
    });
    expect(await merge({ choose: 'copy' })).toMatchObject({ links: 4 });
    expect(vault.files()).toEqual({
      'F/N.md': 'see [[N]]\nmore [[N]]\n',
      [`.trash/${copy}`]: `see [[${stem}]]\nmore [[${stem}]]\n`,
      'o.md': '[[N#Part|x]] [y](N.md) [[N]]',
      '.obsidian/bookmarks.json': '{"items":[{"type":"file","path":"F/N.md"}]}',
    });
    expect(await vault.indexFaults()).toEqual([]);
  });
});

describe('showConflict', () => {
  it('shows what would come from the copy as a diff, and the choices beside it', async () => {
    await open({ 'N.md': 'a\nb\nc\nd\ne\n' });
    await write('A\nb\nc\nd\ne\n');
    await arrive({ [copy]: 'x\nb\nc\nd\nE\n' });
    const { diff, choices } = await showConflict(vault.vault, { name: copy });
    expect(diff).toContain('-e\n+E\n');
    expect(diff).not.toContain('x');
    expect(choices).toMatchObject([{ original: 'A', copy: 'x' }]);
  });
});
