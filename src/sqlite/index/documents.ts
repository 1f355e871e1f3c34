import { stemOf, type VaultPath } from '../../base/vault-path.ts';
import {
  type DocumentRecord,
  type DocumentText,
  type LackingDocument,
  pageBreak,
} from '../../engine/ports/documents.ts';
import { makeSees, type View } from '../../engine/ports/view.ts';
import { foldText } from '../../engine/text/fold-text.ts';
import { storableText } from '../rows/storable-text.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness, lacksDocument } from '../tables/index-schema.ts';
import { storedFiles } from './file-rows.ts';
import type { Writer } from './write-files.ts';

/** The code of what is wrong with a document. */
const problemCode = 'document';

/** See `DocumentStore.lackingDocuments`. */
export function lackingDocuments(
  connection: IndexConnection,
  view: View,
  limit: number,
): LackingDocument[] {
  return connection.all<{ path: VaultPath; stamp: string }>(
    `SELECT path, stamp FROM file f WHERE ${lacksDocument} AND ${connection.sees(view, 'f.path')}
     ORDER BY id LIMIT ?`,
    limit,
  );
}

/** See `DocumentStore.putDocument`. */
export function putDocument(writer: Writer, document: DocumentRecord): void {
  const { connection } = writer;
  writer.write(() => {
    const [file] = storedFiles(connection, [document.path]);
    if (file === undefined || file.stamp !== document.stamp || !file.present) return;
    const text = storableText(document.pages.join(pageBreak));
    connection.run('DELETE FROM document WHERE file = ?', file.id);
    connection.run('DELETE FROM problem WHERE file = ?', file.id);
    connection.run('DELETE FROM fulltext WHERE rowid = ?', file.id);
    connection.run('INSERT INTO document (file, text) VALUES (?, ?)', file.id, text);
    if (document.problem !== undefined) {
      connection.run(
        'INSERT INTO problem (file, seq, code, message) VALUES (?, 0, ?, ?)',
        file.id,
        problemCode,
        document.problem,
      );
    }
    connection.run(
      `INSERT INTO fulltext (rowid, title, aliases, headings, tags, body) VALUES (?, ?, '', '', '', ?)`,
      file.id,
      foldText(stemOf(document.path)),
      foldText(text),
    );
    connection.run(`UPDATE file SET text = ${freshness.current} WHERE id = ?`, file.id);
    connection.run("UPDATE meta SET value = value + 1 WHERE name = 'texts'");
  });
}

/** See `DocumentStore.documentTexts`. */
export function documentTexts(
  connection: IndexConnection,
  view: View,
  paths: readonly VaultPath[],
  charsMax: number,
): DocumentText[] {
  const sees = makeSees(view);
  return connection
    .all<{ path: VaultPath; text: string; leads_to: string | null; message: string | null }>(
      `SELECT f.path, substr(d.text, 1, ?) AS text, f.leads_to,
         (SELECT message FROM problem p WHERE p.file = f.id AND p.code = '${problemCode}') AS message
       FROM json_each(?) j
         CROSS JOIN file f ON f.path = j.value CROSS JOIN document d ON d.file = f.id`,
      charsMax,
      JSON.stringify(paths),
    )
    .filter((row) => sees(row.path) && (row.leads_to === null || sees(row.leads_to)))
    .map(({ path, text, message }) => ({
      path,
      text,
      ...(message === null ? {} : { problem: message }),
    }));
}
