import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { wrapDisk } from '../../../test/support/wrap-disk.ts';
import {
  type MemoryVault,
  openWrittenVault,
  testCaller,
} from '../../../test/support/written-vault.ts';
import type { Caller, Scopes } from '../../base/caller.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultFolder } from '../../base/vault-path.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { redoChange } from '../operations/history/redo-change.ts';
import { undoChanges } from '../operations/history/undo-changes.ts';
import type { Draft } from '../vault/draft.ts';
import type { RawDraft } from '../vault/raw-draft.ts';

const p = vaultPath;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
type Plan = (raw: RawDraft, draft: Draft) => Promise<void>;

const start: Readonly<Record<string, string>> = {
  'a.md': 'a',
  'b.md': 'b',
  '.obsidian/app.json': '{}',
  'F/c.md': 'c',
  'F/.dot/d': 'd',
  'F/pic.png': 'pixels',
};
/** With a slash at the end: a folder with nothing in it. */
const empty = ['E/', 'F/empty/', 'N/a/'] as const;

async function opened(): Promise<MemoryVault> {
  const disk = memoryDisk(start);
  for (const folder of ['E', 'F/empty', 'N', 'N/a']) await disk.makeFolder(p(folder));
  const vault = await openWrittenVault(disk);
  onTestFinished(() => vault.close());
  return vault;
}

const bound = ({ whole }: MemoryVault, caller: Partial<Caller> = {}, raw = true) =>
  whole.bind(testCaller({ door: 'remote', ...caller }), { tool: 'fs', args: {}, raw });

const make = (vault: MemoryVault, plan: Plan, caller: Partial<Caller> = {}) =>
  bound(vault, caller).change(async (draft: Draft) => {
    await plan(draft.raw, draft);
    return {};
  }, {});

/** Every file with its text, and every folder that holds nothing. */
function tree({ disk }: MemoryVault): Record<string, string> {
  const paths = [...disk.paths(), ...disk.folders()];
  const bare = disk.folders().filter((at) => !paths.some((path) => path.startsWith(`${at}/`)));
  return Object.fromEntries([
    ...disk.paths().map((path) => [path, disk.text(path)]),
    ...bare.map((path) => [`${path}/`, '']),
  ]);
}
const before = { ...start, ...Object.fromEntries(empty.map((path) => [path, ''])) };

/** What is different from the start; undefined for what is gone. */
type Difference = Readonly<Record<string, string | undefined>>;
const withDifference = (difference: Difference): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...before, ...difference }).flatMap(([path, text]) =>
      text === undefined ? [] : [[path, text]],
    ),
  );

const gone = { 'F/c.md': undefined, 'F/.dot/d': undefined, 'F/pic.png': undefined };

const changes: readonly (readonly [does: string, plan: Plan, after: Difference])[] = [
  ['gives a file other bytes', (raw) => raw.put(p('a.md'), bytes('A')), { 'a.md': 'A' }],
  [
    'gives a dot file other bytes',
    (raw) => raw.put(p('.obsidian/app.json'), bytes('[]')),
    { '.obsidian/app.json': '[]' },
  ],
  [
    'makes a file with the folders it needs',
    (raw) => raw.put(p('.x/y/z.md'), bytes('z')),
    { '.x/y/z.md': 'z' },
  ],
  ['makes a folder', (raw) => raw.makeFolder(p('New')), { 'New/': '' }],
  ['makes folders', (raw) => raw.makeFolder(p('New/.x/y')), { 'New/.x/y/': '' }],
  [
    'renames a file without touching links',
    (raw) => raw.move(p('a.md'), p('G/z.md')),
    { 'a.md': undefined, 'G/z.md': 'a' },
  ],
  [
    'renames a file over another',
    (raw) => raw.move(p('a.md'), p('F/c.md')),
    { 'a.md': undefined, 'F/c.md': 'a' },
  ],
  [
    'renames a file to another spelling of its name',
    (raw) => raw.move(p('a.md'), p('A.md')),
    { 'a.md': undefined, 'A.md': 'a' },
  ],
  [
    'renames a file into the trash',
    (raw) => raw.move(p('a.md'), p('.trash/a.md')),
    { 'a.md': undefined, '.trash/a.md': 'a' },
  ],
  [
    'renames a folder with its dot files',
    (raw) => raw.move(p('F'), p('.hidden/G')),
    {
      ...gone,
      'F/empty/': undefined,
      '.hidden/G/c.md': 'c',
      '.hidden/G/.dot/d': 'd',
      '.hidden/G/pic.png': 'pixels',
      '.hidden/G/empty/': '',
    },
  ],
  ['removes a file', (raw) => raw.remove(p('F/.dot/d')), { 'F/.dot/d': undefined, 'F/.dot/': '' }],
  [
    'removes an empty folder',
    (raw) => raw.removeFolder(p('F/empty'), { recursive: false }),
    { 'F/empty/': undefined },
  ],
  [
    'removes a folder with an empty one in it',
    (raw) => raw.removeFolder(p('N'), { recursive: true }),
    { 'N/a/': undefined },
  ],
  [
    'removes a folder with all that is in it',
    (raw) => raw.removeFolder(p('F'), { recursive: true }),
    { ...gone, 'F/empty/': undefined },
  ],
];

describe('a raw change', () => {
  it.each(changes)('%s, is undone, redone and undone again', async (_, plan, difference) => {
    const vault = await opened();
    const after = withDifference(difference);
    const { change } = await make(vault, plan);
    expect(change).toBe(1);
    expect(tree(vault)).toEqual(after);
    const owner = bound(vault, { door: 'cli' });
    for (const expected of [before, after, before]) {
      const operation = expected === after ? redoChange : undoChanges;
      expect(await owner.change(operation, {})).toMatchObject({ left: [], warnings: [] });
      expect(tree(vault)).toEqual(expected);
    }
    await vault.keeper.settle();
    expect(await vault.indexFaults()).toEqual([]);
  });

  it('is undone together with others', async () => {
    const vault = await opened();
    for (const plan of [
      (raw) => raw.makeFolder(p('New')),
      (raw) => raw.removeFolder(p('New'), { recursive: false }),
      (raw) => raw.removeFolder(p('E'), { recursive: false }),
      (raw) => raw.makeFolder(p('E')),
      (raw) => raw.move(p('a.md'), p('b.md')),
      (raw) => raw.put(p('b.md'), bytes('B')),
    ] satisfies Plan[]) {
      await make(vault, plan);
    }
    const undone = await bound(vault).change(undoChanges, { last: 6 });
    expect(undone).toMatchObject({ left: [], undone: [6, 5, 4, 3, 2, 1] });
    expect(tree(vault)).toEqual(before);
  });

  it('replaces an empty folder by another, of which undo leaves nothing', async () => {
    const vault = await opened();
    await make(vault, (raw) => raw.move(p('F'), p('E')));
    expect(vault.text('E/.dot/d')).toBe('d');
    await bound(vault).change(undoChanges, {});
    expect(tree(vault)).toEqual(withDifference({ 'E/': undefined }));
  });

  it('that the system refuses halfway is taken back, and is in nobody else’s way', async () => {
    const vault = await opened();
    vault.disk.write('Closed/one/x.md', 'x');
    vault.disk.lockFolder('Closed');
    const removed = make(vault, (raw) => raw.removeFolder(p('Closed/one'), { recursive: true }));
    await expect(removed).rejects.toMatchObject({ code: 'forbidden' });
    expect(vault.text('Closed/one/x.md')).toBe('x');
    await make(vault, (raw) => raw.put(p('a.md'), bytes('after')));
    expect(vault.text('a.md')).toBe('after');
  });

  it.each<[string, Plan]>([
    ['the same bytes', (raw) => raw.put(p('a.md'), bytes('a'))],
    ['a folder that is there', (raw) => raw.makeFolder(p('F/.dot'))],
    ['the same path', (raw) => raw.move(p('a.md'), p('a.md'))],
  ])('is none for %s', async (_, plan) => {
    const vault = await opened();
    expect((await make(vault, plan)).change).toBeUndefined();
    expect(tree(vault)).toEqual(before);
  });

  const refused: readonly (readonly [code: string, plan: Plan])[] = [
    ['already_exists', (raw) => raw.put(p('F'), bytes(''))],
    ['not_a_folder', (raw) => raw.put(p('a.md/x'), bytes(''))],
    ['not_a_folder', (raw) => raw.makeFolder(p('a.md'))],
    ['not_a_folder', (raw) => raw.makeFolder(p('a.md/x/y'))],
    ['not_found', (raw) => raw.move(p('none'), p('x'))],
    ['not_a_folder', (raw) => raw.move(p('a.md/x'), p('x'))],
    ['not_a_folder', (raw) => raw.move(p('a.md'), p('b.md/x'))],
    ['not_a_folder', (raw) => raw.move(p('F'), p('a.md'))],
    ['already_exists', (raw) => raw.move(p('a.md'), p('E'))],
    ['already_exists', (raw) => raw.move(p('E'), p('F'))],
    ['already_exists', (raw) => raw.move(p('F/empty'), p('F'))],
    ['io_failed', (raw) => raw.move(p('F'), p('F/empty/x'))],
    ['not_found', (raw) => raw.remove(p('none'))],
    ['is_a_folder', (raw) => raw.remove(p('E'))],
    ['not_found', (raw) => raw.removeFolder(p('none'), { recursive: true })],
    ['not_a_folder', (raw) => raw.removeFolder(p('a.md'), { recursive: true })],
    ['already_exists', (raw) => raw.removeFolder(p('N'), { recursive: false })],
  ];
  it.each(refused)('is refused with %s: %s', async (code, plan) => {
    const vault = await opened();
    await expect(make(vault, plan)).rejects.toMatchObject({ code });
    expect(tree(vault)).toEqual(before);
    expect(await vault.whole.parts.state.latest()).toBe(0);
  });

  it('never asks the index, nor waits for it', async () => {
    const vault = await opened();
    const { keeper } = vault.whole.parts;
    const never = (): never => {
      throw new VaultError('internal', 'the index was asked');
    };
    Object.assign(keeper, { store: never, wait: never, refresh: () => new Promise(() => {}) });
    for (const [, plan] of changes.slice(0, 4)) await make(vault, plan);
    await make(vault, (raw) => raw.move(p('F'), p('G')));
    expect(vault.text('G/.dot/d')).toBe('d');
  });
});

describe('what a raw change keeps', () => {
  const large = (): Uint8Array => new Uint8Array(limits.historyContentBytesMax + 1);

  it('is nothing of a file that is too large, which undo says', async () => {
    const vault = await opened();
    vault.disk.write('film.mp4', large());
    await make(vault, (raw) => raw.remove(p('film.mp4')));
    expect(tree(vault)).toEqual(before);
    await expect(bound(vault).change(undoChanges, {})).rejects.toMatchObject({
      message: expect.stringContaining('nothing was kept of it'),
    });
  });

  it('is nothing of a large file that bytes take the place of', async () => {
    const vault = await opened();
    vault.disk.write('film.mp4', large());
    await make(vault, (raw) => raw.put(p('film.mp4'), bytes('x')));
    expect(vault.text('film.mp4')).toBe('x');
    await expect(bound(vault).change(undoChanges, {})).rejects.toThrow(
      'nothing is kept of what was there',
    );
    expect(vault.text('film.mp4')).toBe('x');
  });

  it('is nothing of a large file that another file takes the place of', async () => {
    const vault = await opened();
    vault.disk.write('film.mp4', large());
    await make(vault, (raw) => raw.move(p('a.md'), p('film.mp4')));
    expect(vault.text('film.mp4')).toBe('a');
    const { warnings } = await bound(vault).change(undoChanges, {});
    expect(warnings).toEqual([
      'The file that was at "film.mp4" before is not restored: history has no copy of it.',
    ]);
    expect(tree(vault)).toEqual(before);
  });

  it('is all but what is too large of a removed folder', async () => {
    const vault = await opened();
    vault.disk.write('F/film.mp4', large());
    const { warnings } = await make(vault, (raw) => raw.removeFolder(p('F'), { recursive: true }));
    expect(warnings).toEqual(['History keeps no copy of 1 of the removed files.']);
    const { left } = await bound(vault).change(undoChanges, {});
    expect(left).toEqual([{ path: 'F/film.mp4', reason: 'nothing was kept of it' }]);
    expect(tree(vault)).toEqual(before);
  });

  it('is one change for saves of one file by one connection', async () => {
    const vault = await opened();
    const save = (text: string, connection: string) =>
      make(vault, (raw) => raw.put(p('a.md'), bytes(text)), { connection });
    await save('1', 'one');
    await save('2', 'one');
    await save('3', 'two');
    const { state } = vault.whole.parts;
    const { items } = await state.changes({}, { limit: 9, offset: 0 });
    expect(items.map(({ id, connection }) => [id, connection])).toEqual([
      [3, 'two'],
      [2, 'one'],
    ]);
    await bound(vault).change(undoChanges, { ids: [3, 2] });
    expect(vault.text('a.md')).toBe('a');
  });
});

describe('a caller of raw changes', () => {
  const only = (folders: readonly VaultFolder[], hide: readonly string[] = []): Scopes => ({
    ...allScopes,
    folders,
    hide,
  });
  const limited: readonly (readonly [code: string, scopes: Scopes, plan: Plan])[] = [
    ['forbidden', only([p('F')]), (raw) => raw.put(p('a.md'), bytes('x'))],
    ['forbidden', only([p('F')]), (raw) => raw.makeFolder(p('New'))],
    ['forbidden', only([p('F')]), (raw) => raw.move(p('F/c.md'), p('c.md'))],
    ['not_found', only([p('F')]), (raw) => raw.move(p('a.md'), p('F/a.md'))],
    ['not_found', only([p('F')]), (raw) => raw.remove(p('a.md'))],
    ['not_found', only([p('F')]), (raw) => raw.removeFolder(p('E'), { recursive: true })],
    ['forbidden', only([''], ['*.png']), (raw) => raw.move(p('F'), p('G'))],
    ['forbidden', only([''], ['d']), (raw) => raw.removeFolder(p('F'), { recursive: true })],
  ];
  it.each(limited)('is answered %s beyond what it sees', async (code, scopes, plan) => {
    const vault = await opened();
    await expect(make(vault, plan, { scopes })).rejects.toMatchObject({ code });
    expect(tree(vault)).toEqual(before);
  });

  it('cannot undo a change of dot files without the raw right', async () => {
    const vault = await opened();
    await make(vault, (raw) => raw.remove(p('.obsidian/app.json')));
    const agent = bound(vault, { door: 'mcp-stdio' }, false);
    await expect(agent.change(undoChanges, {})).rejects.toMatchObject({ code: 'conflict' });
    expect(vault.disk.paths()).not.toContain('.obsidian/app.json');
    await make(vault, (raw) => raw.makeFolder(p('.obsidian/plugins')));
    await agent.change(undoChanges, {});
    expect(vault.disk.folders()).toContain('.obsidian/plugins');
  });
});

describe('what others do meanwhile', () => {
  const raced = async (
    method: string,
    path: string,
    interfere: (vault: MemoryVault) => void,
  ): Promise<MemoryVault> => {
    const vault = await opened();
    let left = 1;
    const disk = wrapDisk(vault.disk, (call, run) => {
      if (call.method === method && call.path === path && left-- > 0) interfere(vault);
      return run();
    });
    Object.assign(vault.whole.parts, { disk });
    return vault;
  };

  it('is not lost when a file is replaced by another', async () => {
    const vault = await raced('move', 'a.md', ({ disk }) => disk.write('b.md', 'theirs'));
    await make(vault, (raw) => raw.move(p('a.md'), p('b.md')));
    expect(vault.text('b.md')).toBe('a');
    await bound(vault).change(undoChanges, {});
    expect(vault.text('b.md')).toBe('theirs');
  });

  it('keeps a folder that is no longer empty', async () => {
    const vault = await raced('removeFolder', 'E', ({ disk }) => disk.write('E/new.md', 'new'));
    const removal = make(vault, (raw) => raw.removeFolder(p('E'), { recursive: false }));
    await expect(removal).rejects.toMatchObject({ code: 'already_exists' });
    expect(vault.text('E/new.md')).toBe('new');
    expect(await vault.whole.parts.state.latest()).toBe(0);
  });

  it('is removed and kept like the rest of a folder', async () => {
    const vault = await raced('read', 'F/.dot/d', ({ disk }) => disk.write('F/new.md', 'new'));
    await make(vault, (raw) => raw.removeFolder(p('F'), { recursive: true }));
    expect(await vault.disk.kind(p('F'))).toBeUndefined();
    await bound(vault).change(undoChanges, {});
    expect(tree(vault)).toEqual(withDifference({ 'F/new.md': 'new' }));
  });

  it('is not lost when something is appended to what was read before', async () => {
    const vault = await raced('entry', 'a.md', ({ disk }) => disk.write('a.md', 'theirs'));
    await make(vault, async (raw, draft) => {
      const found = await draft.readBytes(p('a.md'), 100);
      await raw.put(p('a.md'), new Uint8Array([...found.bytes, 33]));
    });
    expect(vault.text('a.md')).toBe('theirs!');
  });
});
