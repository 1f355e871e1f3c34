import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { note, text } from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import { words } from '../../../test/support/search-queries.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { vaultPath } from '../../base/vault-path.ts';
import { wholeVault } from '../../engine/ports/view.ts';
import { openIndexDatabase } from '../index/open-index-database.ts';
import { openSqliteIndex } from '../index/sqlite-index-store.ts';
import { KeptSpelling } from './kept-spelling.ts';

const all = (_word: string): boolean => true;

let file: string;
beforeEach(() => {
  file = join(tempFolder(), 'index.db');
});

/** Stores notes with these texts, as if each were a change of its own. */
async function put(texts: Readonly<Record<string, string>>, { gone = [] as string[] } = {}) {
  const store = await openSqliteIndex({ file });
  for (const [path, body] of Object.entries(texts)) {
    await store.putNotes(packNotes([note(path)]));
    await store.putTexts(packTexts([text(path, body)]));
  }
  await store.forget(gone.map(vaultPath));
  await store.close();
}

/** Stores many notes with one text: as many as a large vault has. */
async function putMany(body: string) {
  const store = await openSqliteIndex({ file });
  const paths = Array.from({ length: 2_500 }, (_, n) => `${n}.md`);
  await store.putNotes(packNotes(paths.map((path) => note(path))));
  await store.putTexts(packTexts(paths.map((path) => text(path, body))));
  await store.close();
}

/** Runs work with a spelling list of its own, as in a new process, and counts the words it reads. */
async function asAnother<T>(work: (spelling: KeptSpelling) => T) {
  const connection = await openIndexDatabase(file, '');
  const asked = vi.spyOn(connection, 'get');
  try {
    const answer = work(new KeptSpelling(connection));
    const reads = asked.mock.calls.filter(([sql]) => sql.includes('temp.vocabulary')).length;
    return { answer, reads };
  } finally {
    connection.close();
  }
}

/** Makes the kept list, as `TextTidier` does. */
function learn(spelling: KeptSpelling): void {
  while (spelling.learnSome());
}

/** The words near to one, after reading what the list lacks, as a search does. */
function nearest(spelling: KeptSpelling, word: string, isKnown = all) {
  const near = spelling.nearest(word, isKnown);
  const lacked = spelling.lacked();
  if (lacked === undefined) return near;
  while (spelling.readUpTo(lacked));
  return spelling.nearest(word, isKnown);
}

/** What a new process finds. */
async function found(query: string): Promise<readonly string[]> {
  const store = await openSqliteIndex({ file });
  const { items } = await store.search(wholeVault, words(query), { limit: 5, offset: 0 });
  await store.close();
  return items.map(({ path }) => path);
}

describe('KeptSpelling', () => {
  it('is read from its table by every later process', async () => {
    await put({ 'a.md': 'elephant garden uber слово 2024 大象', 'b.md': 'a elephants' });
    const first = await asAnother((spelling) => nearest(spelling, 'elefant'));
    expect(first.answer).toEqual({ mistakes: 0, words: [] }); // Two mistakes: from eight letters on.
    expect(first.reads).toBeGreaterThan(0);
    await asAnother(learn);
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['elephnat', ['elephant']],
      ['gardem', ['garden']],
      ['ubre', ['uber']],
      ['слоло', ['слово']],
      ['2025', []],
      ['elephanta', ['elephant', 'elephants']],
    ];
    for (const [word, words] of rows) {
      const later = await asAnother((spelling) => nearest(spelling, word));
      expect([word, later.answer.words.toSorted(), later.reads]).toEqual([word, words, 0]);
    }
  });

  it('finds a word that was just written, in a small vault', async () => {
    await put({ 'a.md': 'elephant' });
    await asAnother(learn);
    await put({ 'b.md': 'rhinoceros' });
    const { answer } = await asAnother((spelling) => nearest(spelling, 'rhinocerus'));
    expect(answer).toEqual({ mistakes: 1, words: ['rhinoceros'] });
  });

  it('is not used if it was made while a large vault was only begun to be indexed', async () => {
    await put({ 'a.md': 'elephant' });
    await asAnother(learn);
    await putMany('rhinoceros');
    const { answer } = await asAnother((spelling) => nearest(spelling, 'rhinocerus'));
    expect(answer).toEqual({ mistakes: 1, words: ['rhinoceros'] });
  });

  it('a word that no file has any more does not hide one with more mistakes', async () => {
    const notes = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.md`, 'filler']));
    await put({ ...notes, 'a.md': 'elephantina', 'b.md': 'elephontima' });
    await asAnother(learn);
    await put({}, { gone: ['a.md'] });
    const isThere = (word: string): boolean => word !== 'elephantina';
    const { answer, reads } = await asAnother((s) => nearest(s, 'elephantima', isThere));
    expect(answer).toEqual({ mistakes: 1, words: ['elephontima'] });
    expect(reads).toBe(0);
  });

  it('is made again only after many texts were written', async () => {
    const isKept = async () => (await asAnother(learn)).reads === 0;
    expect(await isKept()).toBe(true); // Nothing is written yet.
    await put({ 'a.md': 'elephant' });
    expect(await isKept()).toBe(false);
    await put(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`b${n}.md`, 'garden'])));
    expect(await isKept()).toBe(true);
    await put({ 'c.md': 'lake' });
    expect(await isKept()).toBe(false);
    expect(await isKept()).toBe(true);
  });

  it('keeps the words that a search has read, for the next command', async () => {
    await put({ 'a.md': 'elephant garden' });
    expect(await found('elephnat')).toEqual(['a.md']);
    const after = await asAnother((spelling) => nearest(spelling, 'elephnat'));
    expect(after.answer.words).toEqual(['elephant']);
    expect(after.reads).toBe(0);
    expect(await found('elephnat')).toEqual(['a.md']);
  });

  it('a search finds a word that was just written, in a large vault', async () => {
    await putMany('elephant');
    await asAnother(learn);
    await put({ 'a.md': 'rhinoceros' });
    expect(await found('elephnat')).toHaveLength(5);
    expect(await found('rhinocerso')).toEqual(['a.md']);
    expect(await found('hippopotamus')).toEqual([]);
  });

  it('reads nothing for a word that notes have, or that stands near to another', async () => {
    await putMany('elephant');
    await asAnother(learn);
    await put({ 'a.md': 'rhinoceros' });
    const isThere = (word: string): boolean => ['elephant', 'rhinoceros'].includes(word);
    for (const word of ['elephnat', 'rhinoceros']) {
      const { reads } = await asAnother((spelling) => nearest(spelling, word, isThere));
      expect([word, reads]).toEqual([word, 0]);
    }
    const { reads } = await asAnother((spelling) => nearest(spelling, 'rhinocerso', isThere));
    expect(reads).toBeGreaterThan(0);
  });
});
