import { fromJson } from '../../base/json.ts';
import { stemOf, type VaultPath } from '../../base/vault-path.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import { packedBytes } from '../../engine/ports/packed-texts.ts';
import type { TextBatch } from '../../engine/ports/record-batches.ts';
import { foldText } from '../../engine/text/fold-text.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness } from '../tables/index-schema.ts';
import type { StoredFile } from './file-rows.ts';
import { storedFiles } from './file-rows.ts';
import type { Writer } from './write-files.ts';

/**
 * See `IndexStore.putTexts`. Aliases, headings and tags come from the stored facts, so that a file is
 * parsed only once.
 */
export function putTexts(writer: Writer, batch: TextBatch): void {
  // The path and stamp of each text, with its position in the batch.
  const heads = new Map(
    fromJson(batch.heads).map(({ path, stamp }, at) => [path as string, { stamp, at }]),
  );
  const { connection } = writer;
  writer.write(() => {
    const wanted: { readonly file: StoredFile; readonly body: Uint8Array }[] = [];
    for (const file of storedFiles(connection, Array.from(heads.keys()))) {
      const head = file === undefined ? undefined : heads.get(file.path);
      if (file === undefined || head === undefined || !isWanted(file, head.stamp)) continue;
      wanted.push({ file, body: packedBytes(batch.bodies, head.at) });
    }
    const ids = JSON.stringify(wanted.map(({ file }) => file.id));
    const words = wordsOfFacts(connection, ids);
    for (const { file, body } of wanted) {
      if (file.text !== freshness.none)
        connection.run('DELETE FROM fulltext WHERE rowid = ?', file.id);
      const { aliases, headings, tags } = words.get(file.id) ?? noWords;
      connection.run(
        `INSERT INTO fulltext (rowid, title, aliases, headings, tags, body)
         VALUES (?, ?, ?, ?, ?, CAST(? AS TEXT))`,
        file.id,
        foldText(stemOf(file.path)),
        aliases,
        headings,
        tags,
        // Folded already, by the thread that read the file.
        body,
      );
    }
    connection.run(
      `UPDATE file SET text = ${freshness.current} WHERE id IN (SELECT value FROM json_each(?))`,
      ids,
    );
    // Says how old the list of words is, see `KeptSpelling`.
    connection.run("UPDATE meta SET value = value + ? WHERE name = 'texts'", wanted.length);
  });
}

/**
 * Whether the index needs this text: it was read from the file that the index has stored (same stamp),
 * and the index has the facts of that file but not yet its text.
 */
function isWanted(file: StoredFile, stamp: string): boolean {
  if (stamp !== file.stamp || !file.parsed) return false;
  return file.text !== freshness.current && file.facts >= freshness.racy;
}

interface FactWords {
  readonly aliases: string;
  readonly headings: string;
  readonly tags: string;
}

const noWords: FactWords = { aliases: '', headings: '', tags: '' };

/** The folded aliases, headings and tags of files, from their stored facts. */
function wordsOfFacts(connection: IndexConnection, ids: string): Map<number, FactWords> {
  const row = connection.get<{ found: string }>(
    `SELECT json_group_array(json_array(n.file, n.detail -> '$.headings',
       json((SELECT json_group_array(a.alias ORDER BY a.seq) FROM alias a WHERE a.file = n.file)),
       json((SELECT json_group_array(t.key) FROM tag t WHERE t.file = n.file)))) AS found
     FROM json_each(?) j CROSS JOIN note n ON n.file = j.value`,
    ids,
  );
  const found = JSON.parse(row?.found ?? '[]') as [
    file: number,
    headings: NoteDetail['headings'],
    aliases: readonly string[],
    tags: readonly string[],
  ][];
  return new Map(
    found.map(([file, headings, aliases, tags]) => [
      file,
      {
        aliases: wordsOf(aliases),
        headings: wordsOf(headings.map(([, text]) => text)),
        // Sorted, because the stored text must not depend on the order of the rows.
        tags: wordsOf(tags.toSorted()),
      },
    ]),
  );
}

function wordsOf(texts: readonly string[]): string {
  // NUL would end the text in SQLite.
  return texts.length === 0 ? '' : foldText(texts.join('\n')).replaceAll('\0', ' ');
}

/**
 * See `IndexStore.lackingText`. It is called once all facts are stored, so this is also where the SQL
 * indexes are made that would have slowed down the storing.
 */
export function lackingText(connection: IndexConnection, limit: number): VaultPath[] {
  connection.tryMakeLateIndexes('early');
  // As one row, since there may be very many files.
  const row = connection.get<{ paths: string }>(
    `SELECT json_group_array(path) AS paths FROM (
       SELECT path FROM file WHERE facts >= ${freshness.racy} AND text < ${freshness.current}
       ORDER BY id LIMIT ?)`,
    limit,
  );
  return JSON.parse(row?.paths ?? '[]') as VaultPath[];
}
