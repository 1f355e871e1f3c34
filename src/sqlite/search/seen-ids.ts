import type { View } from '../../engine/ports/view.ts';
import { makeSees, seesAll } from '../../engine/ports/view.ts';
import type { Connection } from '../connection/connection.ts';
import { folderRange } from '../connection/folder-range.ts';
import type { IdSet } from './id-set.ts';
import { noIds } from './id-set.ts';
import type { Vocabulary } from './search-vocabulary.ts';
import { SeenVocabulary } from './seen-vocabulary.ts';

const viewsMax = 16;

/** What a view admits. */
export interface Seen {
  /** Ids of files that are seen, and of some that are gone. */
  readonly ids: IdSet;
  readonly vocabulary: SeenVocabulary;
}

/**
 * The files that a view admits, as ids. A file keeps its path as long as it has its id, and ids are
 * never used again: so each file is judged once for a view, not once a query.
 */
export class SeenIds {
  readonly #connection: Connection;
  readonly #views = new Map<string, { ids: IdSet; last: number; vocabulary: SeenVocabulary }>();
  readonly #vocabulary: Vocabulary;

  constructor(connection: Connection, vocabulary: Vocabulary) {
    this.#connection = connection;
    this.#vocabulary = vocabulary;
  }

  /** Undefined when all are seen. */
  of(view: View): Seen | undefined {
    if (seesAll(view)) return undefined;
    const key = JSON.stringify(view);
    const vocabulary = new SeenVocabulary(this.#vocabulary);
    const known = this.#views.get(key) ?? { ids: noIds, last: 0, vocabulary };
    if (!this.#views.has(key) && this.#views.size >= viewsMax) this.#views.clear();
    this.#views.set(key, known);
    const last = this.#connection.count('SELECT max(id) AS n FROM file');
    if (last > known.last) {
      known.ids = joined(known.ids, this.#judge(view, known.last));
      known.last = last;
    }
    return known;
  }

  #judge(view: View, after: number): IdSet {
    const { condition, values } = folderRange(view.within ?? '');
    const row = this.#connection.get<{ files: string | null }>(
      `SELECT group_concat(id || '/' || path, char(10)) AS files FROM (
         SELECT id, path FROM file WHERE id > ? AND ${condition('path')} ORDER BY id)`,
      after,
      ...values,
    );
    const text = row?.files ?? '';
    if (text === '') return noIds;
    const sees = makeSees(view);
    const ids: number[] = [];
    for (const line of text.split('\n')) {
      const slash = line.indexOf('/');
      if (sees(line.slice(slash + 1))) ids.push(Number(line.slice(0, slash)));
    }
    return Uint32Array.from(ids);
  }
}

function joined(a: IdSet, b: IdSet): IdSet {
  if (a.length === 0) return b;
  const all = new Uint32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
