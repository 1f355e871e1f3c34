import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchNotes } from '../../src/engine/operations/search/search-notes.ts';
import { checkIndex } from '../../src/engine/operations/vault/check-index.ts';
import { openColdVault, openUnseenVault } from '../support/cold-vault.ts';
import { counted } from '../support/counts.ts';
import { memoryDisk } from '../support/memory-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';

// A search on a vault that was never seen finds the same notes as on one that is indexed. The order may
// differ: the rarity of words and the average length of notes come from the notes read so far.

const words = [
  'snow',
  'snows',
  'snowing',
  'Straße',
  'caf\u00e9',
  'cafe\u0301',
  'снег',
  'снега',
  '日記帳',
  'tea',
  'x1',
];
const word = fc.constantFrom(...words);
const text = fc.array(fc.oneof(word, fc.constantFrom('#tag', '\n', '## ', '- [ ] ')), {
  maxLength: 9,
});
const files = fc.dictionary(
  fc
    .tuple(fc.constantFrom('A', 'B/C', 'snow', 'Teahouse'), fc.nat(9))
    .map(([a, b]) => `${a}${b}.md`),
  text.map((each) => each.join(' ')),
  { minKeys: 3, maxKeys: 9 },
);
const leaf = fc.oneof(
  word,
  word.map((each) => each.slice(0, 2)),
  fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
  fc.constantFrom('tag:#tag', 'file:snow', '/sn.w/', 'line:(snow tea)', '-tea', 'content:snow'),
);
const query = fc
  .array(leaf, { minLength: 1, maxLength: 3 })
  .chain((leaves) => fc.constantFrom(leaves.join(' '), leaves.join(' OR ')))
  .filter((each) => !/^(-tea[ OR]*)+$/.test(each));

it('finds the same notes', async () => {
  await fc.assert(
    fc.asyncProperty(files, query, fc.nat(4), async (notes, asked, read) => {
      const found = async (isIndexed: boolean) => {
        const { vault, go, close } = await openColdVault(notes, { read });
        try {
          if (isIndexed) {
            go();
            await vault.waitForIndex('text');
          } else setTimeout(go, 20); // What needs all words waits for the whole index.
          const page = { query: asked, folder: '', limit: 100, offset: 0 } as const;
          const { hits, total, complete, partial } = await searchNotes(vault, page);
          return { paths: hits.map(({ path }) => path).sort(), total, complete, partial };
        } finally {
          await close();
        }
      };
      expect(await found(false)).toEqual(await found(true));
    }),
    { numRuns: counted({ quick: 25, full: 150, soak: 3_000 }) },
  );
}, 120_000);

it('a search for words does not wait for the index', async () => {
  const notes = { 'A.md': 'The snows of yesterday', 'B.md': 'tea', 'Snow.md': '' };
  const { vault, close } = await openColdVault(notes);
  try {
    const page = { query: 'snow', folder: '', limit: 10, offset: 0 } as const;
    const { hits, complete } = await searchNotes(vault, page);
    expect(hits.map(({ path }) => path)).toEqual(['Snow.md', 'A.md']);
    expect(complete).toBe(true);
    expect(await (await vault.vault.parts.keeper.store()).lacking('text')).toEqual(['B.md']);
  } finally {
    await close();
  }
});

it('a note is not found by a word that it has lost since it was indexed', async () => {
  const disk = memoryDisk({ 'A.md': 'walrus', 'F.md': 'walrus', 'G.md': 'tea' });
  const indexFile = join(tempFolder(), 'index.db');
  const first = await openColdVault(disk, { indexFile });
  first.go();
  await first.vault.waitForIndex('text');
  await first.close();
  disk.write('F.md', 'seal');
  const { vault, close } = await openColdVault(disk, { indexFile });
  try {
    const page = { query: 'walrus', folder: '', limit: 10, offset: 0 } as const;
    const { hits, total } = await searchNotes(vault, page);
    expect([hits.map(({ path }) => path), total]).toEqual([['A.md'], 1]);
  } finally {
    await close();
  }
});

const page = { folder: '', limit: 100, offset: 0 } as const;

/** Words with links, properties with escapes, an accent in UTF-16, bytes that are no text. */
const oddLine = fc.constantFrom(
  '[[snow1]] [[B/C1|tea]] [[A1]]',
  '---\naliases: ["sn\\x6fw"]\n---\n',
  '---\naliases: ["sn\\\n  ow"]\n---\n',
  '\0snow',
  '\ufeffsnow',
  '\\underline{snow}',
  'cafe strasse', // A note that is found without folding: otherwise the search waits for all words.
);
const oddFiles = fc.dictionary(
  fc
    .tuple(
      fc.constantFrom('A', 'B/C', 'snow', '.h/snow', 'x/snow'),
      fc.nat(3),
      fc.constantFrom('.md', '.md', '.md', '.MD', '.canvas', '.base', '.png'),
    )
    .map(([a, b, c]) => `${a}${b}${c}`),
  fc.array(fc.oneof(oddLine, word), { maxLength: 3 }).map((each) => each.join(' ')),
  { minKeys: 3, maxKeys: 9 },
);

it('ahead of the first walk, ripgrep finds the same notes, and the index becomes the same', async () => {
  await fc.assert(
    fc.asyncProperty(oddFiles, query, async (notes, asked) => {
      const { vault, go, close } = await openUnseenVault(tempFolder(notes));
      try {
        const found = async () => {
          const { hits, ...rest } = await searchNotes(vault, { ...page, query: asked });
          return { ...rest, paths: hits.map(({ path }) => path).sort() };
        };
        setTimeout(go, 20); // What needs all words waits for the whole index.
        const ahead = await found();
        await vault.waitForIndex('text');
        expect(ahead).toEqual(await found());
        expect(await checkIndex(vault.vault.parts, { reconcile: false })).toEqual([]);
      } finally {
        await close();
      }
    }),
    { numRuns: counted({ quick: 25, full: 100, soak: 2_000 }) },
  );
}, 120_000);

it.runIf(process.platform === 'linux')(
  'a search for words does not wait for the first walk',
  async () => {
    const notes = { 'A.md': 'The snows of yesterday [[B]]', 'B.md': 'tea', 'Snow.png': '' };
    const { vault, close } = await openUnseenVault(tempFolder(notes));
    try {
      const { hits, complete } = await searchNotes(vault, { ...page, query: 'snow' });
      expect(hits.map(({ path }) => path)).toEqual(['A.md']);
      expect(complete).toBe(true);
      expect(vault.vault.parts.keeper.isReady('names')).toBe(false);
    } finally {
      await close();
    }
  },
);

it.runIf(process.platform === 'linux')(
  'ahead of the first walk, a note is not found by what it has lost since an earlier search',
  async () => {
    const notes = { 'A.md': 'walrus', 'B.md': 'walrus', 'C.md': 'walrus', 'D.md': 'seal' };
    const folder = tempFolder(notes);
    const { vault, close } = await openUnseenVault(folder);
    try {
      const found = async () => {
        const { hits, total } = await searchNotes(vault, { ...page, query: 'walrus' });
        expect(total).toBe(hits.length);
        return hits.map(({ path }) => path).sort();
      };
      expect(await found()).toEqual(['A.md', 'B.md', 'C.md']);
      writeFileSync(join(folder, 'A.md'), 'seal');
      rmSync(join(folder, 'B.md'));
      writeFileSync(join(folder, 'D.md'), 'walrus');
      expect(await found()).toEqual(['C.md', 'D.md']);
      expect(vault.vault.parts.keeper.isReady('names')).toBe(false);
    } finally {
      await close();
    }
  },
);

it.runIf(process.platform === 'linux')('a symlink makes it wait', async () => {
  const folder = tempFolder({ 'A.md': 'snow' });
  symlinkSync('A.md', join(folder, 'C.md'));
  const { vault, go, close } = await openUnseenVault(folder);
  try {
    setTimeout(go, 20);
    const { hits } = await searchNotes(vault, { ...page, query: 'snow' });
    expect(hits.map(({ path }) => path).sort()).toEqual(['A.md', 'C.md']);
  } finally {
    await close();
  }
});
