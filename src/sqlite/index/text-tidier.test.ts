import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dumpOf, note, text } from '../../../test/support/index-records.ts';
import { packNotes, packTexts } from '../../../test/support/pack-records.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { IndexStore } from '../../engine/ports/index-store.ts';
import { openDatabase } from '../connection/open-database.ts';
import { KeptMatches } from '../search/kept-matches.ts';
import { Vocabulary } from '../search/search-vocabulary.ts';
import { LinkTargets } from './link-targets.ts';
import { openIndexDatabase } from './open-index-database.ts';
import { openSqliteIndex } from './sqlite-index-store.ts';
import { TextTidier } from './text-tidier.ts';
import { Walks } from './walks.ts';

let folder: string;
let store: IndexStore;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = tempFolder();
  store = await openSqliteIndex({ file: join(folder, 'index.db') });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
});

async function put(count: number, { everyMs = 0 } = {}): Promise<void> {
  for (let number = 1; number <= count; number++) {
    await store.putNotes(packNotes([note(`${number}.md`)]));
    await store.putTexts(packTexts([text(`${number}.md`, `word number${number}`)]));
    if (everyMs > 0) await vi.advanceTimersByTimeAsync(everyMs);
  }
}

/** How many pieces of full text a search goes through: one for each write, until they are merged. */
async function segments(): Promise<number> {
  const database = await openDatabase(join(folder, 'index.db'));
  const row = database.prepare('SELECT count(DISTINCT segid) AS n FROM fulltext_idx').get();
  database.close();
  return (row as { n: number }).n;
}

describe('TextTidier', () => {
  it('merges full text when nothing was written for a while, and changes no answer', async () => {
    await put(40);
    const before = await dumpOf(store);
    expect(await segments()).toBe(40);
    await vi.advanceTimersByTimeAsync(900);
    expect(await segments()).toBe(40);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await segments()).toBeLessThan(16);
    expect(await dumpOf(store)).toEqual(before);
  });

  it('waits as long as something is written', async () => {
    await put(20);
    await vi.advanceTimersByTimeAsync(900);
    await store.putNotes(packNotes([note('Late.md')]));
    await store.putTexts(packTexts([text('Late.md', 'late')]));
    await vi.advanceTimersByTimeAsync(900);
    expect(await segments()).toBe(21);
  });

  it('gets its turn in a vault that is never quiet', async () => {
    await put(400, { everyMs: 500 });
    expect(await segments()).toBeLessThan(220);
  });

  it('leaves it to another process that writes or tidies already', async () => {
    await put(40);
    const other = await openDatabase(join(folder, 'index.db'));
    for (let turn = 0; turn < 5; turn++) {
      await vi.advanceTimersByTimeAsync(900);
      other.exec(`INSERT INTO meta VALUES ('turn ${turn}', '')`);
    }
    other.close();
    expect(await segments()).toBe(40);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await segments()).toBeLessThan(16);
  });

  it('leaves standing what searches have learned of all words', async () => {
    await put(40);
    await store.close(); // Its own tidier would write from another connection.
    const connection = await openIndexDatabase(join(folder, 'index.db'), '');
    const vocabulary = new Vocabulary(connection, new KeptMatches());
    const asked = vi.spyOn(connection, 'get');
    const reads = () =>
      asked.mock.calls.filter(([sql]) => sql.includes('group_concat(term')).length;
    vocabulary.nearest('ward');
    while (vocabulary.readUpTo(vocabulary.lacked() ?? 0));
    expect(vocabulary.nearest('ward').words).toEqual(['word']);
    const before = reads();
    expect(before).toBeGreaterThan(0);
    const writer = {
      connection,
      targets: new LinkTargets(connection),
      walks: new Walks(),
      write: <T>(work: () => T): T => connection.write(work),
    };
    const tidier = new TextTidier(writer, { learnSome: () => false, keepRead: () => undefined });
    tidier.wanted();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await segments()).toBeLessThan(16);
    expect(vocabulary.nearest('ward').words).toEqual(['word']);
    expect(vocabulary.lacked()).toBe(undefined);
    expect(reads()).toBe(before);
    tidier.close();
    connection.close();
    store = await openSqliteIndex({ file: join(folder, 'index.db') });
  });

  it('goes on where the one before was ended', async () => {
    await put(40);
    await store.close();
    store = await openSqliteIndex({ file: join(folder, 'index.db') });
    await store.lackingText(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await segments()).toBeLessThan(16);
  });
});
