import { expect, it } from 'vitest';
import { openMeantVault } from '../../../test/support/meant-vault.ts';
import { allScopes } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { openSqliteMeaning } from '../../sqlite/meaning/sqlite-meaning-store.ts';
import { relatedNotes } from '../operations/search/related-notes.ts';
import { searchNotes } from '../operations/search/search-notes.ts';
import { wholeVault } from '../ports/view.ts';
import type { BoundVault } from '../vault/bound-vault.ts';

const files = {
  'Oven.md': 'The dough rises. Bake it, and the bread is done.\n',
  'Garage.md': 'The engine of the vehicle is loud.\n',
  'Clinic.md': 'A hospital is for illness.\n',
  'Sea.md': 'Waves and sand and wind.\n',
  'Hill.md': 'Grass and stones.\n',
};

async function pathsOf(vault: BoundVault, query: string, folder = ''): Promise<readonly string[]> {
  const where = folder === '' ? '' : vaultPath(folder);
  const { hits } = await searchNotes(vault, { query, folder: where, limit: 10, offset: 0 });
  return hits.map(({ path }) => path);
}

it('finds notes that have no word of the query, and shows where', async () => {
  const { vault, close } = await openMeantVault(files);
  const answer = await searchNotes(vault, { query: 'loaf', folder: '', limit: 10, offset: 0 });
  expect(answer.hits.map(({ path }) => path)).toEqual(['Oven.md']);
  expect(answer.hits[0]?.lines).toEqual([{ line: 1, text: files['Oven.md'].trim() }]);
  expect(answer).toMatchObject({ total: 1, complete: true });
  expect(answer.meaning).toBeUndefined();
  await close();
});

it.each(['"loaf"', 'loaf -sea', 'tag:loaf', 'loaf OR auto', '/loaf/', 'line:(loaf auto)'])(
  'leaves %s as it is',
  async (query) => {
    const { vault, embedder, close } = await openMeantVault(files);
    const before = embedder.sent.length;
    expect(await pathsOf(vault, query)).toEqual([]);
    expect(embedder.sent).toHaveLength(before);
    await close();
  },
);

it('sends nothing that is hidden, ignored, excluded or marked as private', async () => {
  const { vault, embedder, meaning, keeper, disk, close } = await openMeantVault(
    {
      ...files,
      'Hidden/Secret one.md': 'secret bread',
      'Secret two.md': '---\ntags: [private]\n---\nsecret bread',
      'Secret three.md': '---\nstatus: draft\n---\nsecret bread',
      'Ignored/Secret four.md': 'secret bread',
      'Excluded/Secret five.md': 'secret bread',
      '.vaultdoorignore': 'Ignored/**\n',
      '.obsidian/app.json': '{"userIgnoreFilters": ["Excluded/"]}',
    },
    {
      view: {
        ...wholeVault,
        hide: ['Hidden/**'],
        marks: { tags: ['private'], properties: ['status=draft'] },
      },
    },
  );
  expect(embedder.sent).toHaveLength(Object.keys(files).length);
  disk.write('Sea.md', 'secret waves #private\n');
  disk.write('Hill.md', 'Only grass.\n');
  await keeper.refresh([vaultPath('Sea.md'), vaultPath('Hill.md')]);
  await expect.poll(() => embedder.sent.join('')).toContain('Only grass');
  await meaning.settle();
  expect(embedder.sent.join('\n')).not.toMatch(/secret/i);
  expect(await pathsOf(vault, 'loaf')).toEqual(['Oven.md']);
  await close();
});

const diary = Object.fromEntries(
  Array.from({ length: 100 }, (_, at) => [`Diary/${at}.md`, `secret day ${at}`]),
);

it.each([
  ['.vaultdoorignore', 'Diary/**\n'],
  ['.obsidian/app.json', '{"userIgnoreFilters": ["Diary/"]}'],
])('sends no more of what %s leaves out from now on', async (file, text) => {
  const { embedder, meaning, keeper, disk, close } = await openMeantVault(files);
  embedder.failure = new VaultError('unavailable', 'away'); // So that all are in one list later.
  for (const [path, day] of Object.entries(diary)) disk.write(path, day);
  await keeper.refresh(Object.keys(diary).map(vaultPath));
  await expect.poll(() => meaning.progress).toMatchObject({ total: 105, problem: 'away' });
  const before = embedder.sent.length;
  embedder.onSent = () => disk.write(file, text); // Which takes a step of the clock.
  embedder.failure = undefined;
  await expect.poll(() => embedder.sent.length).toBeGreaterThan(before);
  await meaning.settle();
  expect(embedder.sent.length - before).toBe(limits.embedBatchMax);
  expect(meaning.isPartly).toBe(false);
  await close();
});

it.each(['{"userIgnoreFilters": ["Diary/"', '[]'])(
  'sends no note while .obsidian/app.json is %s, and goes on when it can be read',
  async (broken) => {
    const app = '.obsidian/app.json';
    const all = { ...files, 'Diary/1.md': 'secret', [app]: broken };
    const { embedder, meaning, disk, close } = await openMeantVault(all);
    expect(embedder.sent).toEqual([]);
    expect(meaning.progress.problem).toContain(app);
    disk.write(app, '{"userIgnoreFilters": ["Diary/"]}');
    await expect.poll(() => meaning.progress).toEqual({ done: 5, total: 5 });
    expect(embedder.sent.join()).not.toContain('secret');
    await close();
  },
);

it('chooses neighbours only from what the caller may see', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 120 }, (_, at) => [`Private/Bread ${at}.md`, 'bread dough bake loaf']),
  );
  const { as, vault, close } = await openMeantVault({ ...files, ...many });
  const scoped = as({ scopes: { ...allScopes, hide: ['Private/**'] } });
  expect(await pathsOf(scoped, 'physician')).toEqual(['Clinic.md']);
  expect(await pathsOf(scoped, 'unwritten loaf')).toEqual(['Oven.md']);
  expect(await pathsOf(vault, 'loaf', 'Private')).not.toContain('Oven.md');
  const { notes } = await relatedNotes(scoped, { name: 'Oven', limit: 10 });
  expect(JSON.stringify(notes)).not.toContain('Private');
  await close();
});

it('sends only the passages that are new, and forgets what is gone', async () => {
  const long = (word: string): string =>
    `# ${word}\n\n${`${word} and nothing else. `.repeat(12)}\n\n`;
  const { vault, embedder, keeper, disk, close } = await openMeantVault({
    ...files,
    'Long.md': long('Alpha') + long('Beta') + long('Gamma'),
  });
  const before = embedder.sent.length;
  disk.write('Long.md', long('Alpha') + long('Auto') + long('Gamma'));
  await keeper.refresh([vaultPath('Long.md')]);
  await expect.poll(() => embedder.sent.length).toBeGreaterThan(before);
  expect(embedder.sent.slice(before)).toEqual([expect.stringContaining('Auto and nothing')]);
  disk.erase('Oven.md');
  await keeper.refresh([vaultPath('Oven.md')]);
  await expect.poll(() => pathsOf(vault, 'loaf')).not.toContain('Oven.md');
  await close();
});

it('answers by words while the model is away, says so, and does not ask it each time', async () => {
  const opened = await openMeantVault(files, { fills: false });
  const { vault, embedder, close } = opened;
  embedder.failure = new VaultError('unavailable', 'away');
  const request = { folder: '', limit: 10, offset: 0 } as const;
  const answer = await searchNotes(vault, { query: 'bread', ...request });
  expect(answer).toMatchObject({ meaning: 'words', total: 1 });
  expect(embedder.sent).toHaveLength(1);
  await searchNotes(vault, { query: 'sand', ...request });
  expect(embedder.sent).toHaveLength(1); // It is left alone for a moment.
  await close();
});

it('embeds the rest once the model answers again, and leaves out what it refuses', async () => {
  const { vault, embedder, meaning, keeper, disk, close } = await openMeantVault(files);
  embedder.failure = new VaultError('unavailable', 'away');
  disk.write('New.md', 'A hospital by the sea.\n');
  disk.write('Poison.md', 'poison\n');
  await keeper.refresh([vaultPath('New.md'), vaultPath('Poison.md')]);
  await expect.poll(() => meaning.progress.problem).toBe('away');
  embedder.refuses = 'poison';
  embedder.failure = undefined;
  await expect.poll(() => pathsOf(vault, 'physician')).toContain('New.md');
  await expect.poll(() => meaning.progress).toEqual({ done: 7, total: 7 });
  await close();
});

it('takes a model that refuses everything for one that is away, and embeds all notes later', async () => {
  const { vault, embedder, meaning, keeper, disk, close } = await openMeantVault(files);
  embedder.failure = new VaultError('too_large', 'status 400');
  disk.write('New.md', 'A hospital by the sea.\n');
  await keeper.refresh([vaultPath('New.md')]);
  await expect.poll(() => meaning.progress.problem).toMatch(/every text.*status 400/);
  expect(meaning.isPartly).toBe(true);
  embedder.failure = undefined;
  await expect.poll(() => pathsOf(vault, 'physician')).toContain('New.md');
  await expect.poll(() => meaning.progress).toEqual({ done: 6, total: 6 });
  await close();
});

it('says that only words were searched for when there are too many vectors for memory', async () => {
  let opens = 0;
  const openStore = (model: string) => {
    opens++;
    return openSqliteMeaning({ file: ':memory:', leaseFile: ':memory:', model, bytesMax: 100 });
  };
  const { vault, close } = await openMeantVault(files, { openStore });
  const request = { query: 'loaf', folder: '', limit: 10, offset: 0 } as const;
  expect(await searchNotes(vault, request)).toMatchObject({ meaning: 'words', total: 0 });
  expect(await searchNotes(vault, request)).toMatchObject({ meaning: 'words', total: 0 });
  expect(opens).toBe(1);
  await close();
});

it('says that only words were searched for when a query has another length, and embeds anew', async () => {
  const { vault, embedder, meaning, close } = await openMeantVault(files);
  embedder.length = 32;
  const request = { folder: '', limit: 10, offset: 0 } as const;
  for (const query of ['loaf', 'loaf', 'loaf']) {
    const answer = await searchNotes(vault, { query, ...request });
    expect(answer).toMatchObject({ meaning: 'words', total: 0 });
  }
  await expect.poll(() => meaning.progress).toEqual({ done: 5, total: 5 });
  await expect.poll(() => pathsOf(vault, 'loaf')).toEqual(['Oven.md']);
  await close();
});

it('does not wait for a note that cannot be read', async () => {
  const huge = 'x '.repeat(limits.noteBytesMax / 2 + 1);
  const { vault, meaning, close } = await openMeantVault({ ...files, 'Huge.md': huge });
  expect(meaning.progress).toEqual({ done: 5, total: 5 });
  const answer = await searchNotes(vault, { query: 'loaf', folder: '', limit: 10, offset: 0 });
  expect(answer.meaning).toBeUndefined();
  await close();
});

it('throws the vectors away when the model answers with another length again and again', async () => {
  const { vault, embedder, meaning, keeper, disk, close } = await openMeantVault(files);
  embedder.length = 32;
  disk.write('New.md', 'A hospital by the sea.\n');
  await keeper.refresh([vaultPath('New.md')]);
  await expect.poll(() => meaning.progress).toEqual({ done: 6, total: 6 });
  expect(await pathsOf(vault, 'physician')).toEqual(
    expect.arrayContaining(['New.md', 'Clinic.md']),
  );
  await close();
});
