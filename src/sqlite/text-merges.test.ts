import { expect, test } from 'vitest';
import { openIndexDatabase } from './open-index-database.ts';
import { chooseMerges } from './text-merges.ts';

test('full text is merged much at a time while it is built, and little by little afterwards', async () => {
  const connection = await openIndexDatabase(':memory:', '');
  const settings = (): number[] =>
    ['automerge', 'crisismerge'].map((name) =>
      connection.count('SELECT v AS n FROM fulltext_config WHERE k = ?', name),
    );
  chooseMerges(connection, 50_000);
  expect(settings()).toEqual([16, 16]);
  chooseMerges(connection, 0);
  expect(settings()).toEqual([8, 64]);
  chooseMerges(connection, 10); // A few that were found changed are not worth a change of mind.
  expect(settings()).toEqual([8, 64]);
  chooseMerges(connection, 5_000);
  expect(settings()).toEqual([16, 16]);
  connection.close();
});

/** The most parts that were made anew at once while this many notes were stored one by one. */
async function largestMerge(lacking: number): Promise<number> {
  const connection = await openIndexDatabase(':memory:', '');
  const insert = 'INSERT INTO fulltext (rowid, body) VALUES (?, ?)';
  const words = (from: number, count: number): string =>
    Array.from({ length: count }, (_, n) => `word${(from * 7 + n * 13) % 90_001}`).join(' ');
  // What was built: as many large parts as come to lie beside those of single notes.
  for (let n = 0; n < 15 * 16; n++) connection.run(insert, n + 1, words(n * 500, 2_000));
  chooseMerges(connection, lacking);
  const pages = 'SELECT total_changes() AS n';
  let most = 0;
  for (let n = 0; n < 64; n++) {
    const before = connection.count(pages);
    connection.run(insert, 10_000 + n, words(n, 20));
    most = Math.max(most, connection.count(pages) - before);
  }
  connection.close();
  return most;
}

test('one stored note never has all that was stored before written anew', async () => {
  const [built, kept] = [await largestMerge(50_000), await largestMerge(0)];
  expect(kept).toBeLessThan(built / 4);
});
