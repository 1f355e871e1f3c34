import { makeSees, seesAll, type View } from '../../engine/ports/view.ts';
import { folderRange } from '../connection/sql-values.ts';
import { type IdSet, idsJson, noIds, subtract, unite } from './id-set.ts';
import type { IndexConnection } from './index-connection.ts';

/** For how many views the files are remembered. */
const viewsMax = 16;

/** Which files a view admits. Both sets may contain ids of files that are gone. */
interface Judged {
  readonly seen: IdSet;
  /** Files outside of `View.within` are left out. */
  readonly hidden: IdSet;
}

/**
 * Remembers for each view which files it admits. A file keeps its path as long as it has its id, and
 * ids are never used again, so each file is judged once for each view and not for each query.
 */
export class JudgedFiles {
  readonly #connection: IndexConnection;
  /** By the view as JSON, without `unseen`; `last` is the highest file id that was judged. */
  readonly #views = new Map<string, Judged & { readonly last: number; readonly json: string }>();

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  of(view: View): Judged {
    const { seen, hidden } = this.#judged(view);
    const unseen = this.#idsOf(view.unseen);
    if (unseen.length === 0) return { seen, hidden };
    return { seen: subtract(seen, unseen), hidden: unite(hidden, unseen) };
  }

  /** The hidden files as a JSON array, for `json_each`. */
  hiddenJson(view: View): string {
    if (seesAll(view)) return '[]';
    return view.unseen?.length ? idsJson(this.of(view).hidden) : this.#judged(view).json;
  }

  /** Judges a view without its `unseen`, which may be others after each write. */
  #judged({ unseen: _, marks: __, ...view }: View): Judged & { readonly json: string } {
    const key = JSON.stringify(view);
    const known = this.#views.get(key) ?? { seen: noIds, hidden: noIds, last: 0, json: '[]' };
    const last = this.#connection.count('SELECT max(id) AS n FROM file');
    if (last <= known.last) return known;
    if (!this.#views.has(key) && this.#views.size >= viewsMax) this.#views.clear();
    const fresh = this.#judge(view, known.last);
    const hidden = joined(known.hidden, fresh.hidden);
    const judged = { seen: joined(known.seen, fresh.seen), hidden, last, json: idsJson(hidden) };
    this.#views.set(key, judged);
    return judged;
  }

  /** Judges the files with an id above `after`. */
  #judge(view: View, after: number): Judged {
    const { condition, values } = folderRange(view.within ?? '');
    const row = this.#connection.get<{ files: string | null }>(
      `SELECT group_concat(id || '/' || path, char(10)) AS files FROM (
         SELECT id, path FROM file WHERE id > ? AND ${condition('path')} ORDER BY id)`,
      after,
      ...values,
    );
    const text = row?.files ?? '';
    if (text === '') return { seen: noIds, hidden: noIds };
    const sees = makeSees(view);
    const seen: number[] = [];
    const hidden: number[] = [];
    for (const line of text.split('\n')) {
      const slash = line.indexOf('/');
      const id = Number(line.slice(0, slash));
      if (sees(line.slice(slash + 1))) seen.push(id);
      else hidden.push(id);
    }
    return { seen: Uint32Array.from(seen), hidden: Uint32Array.from(hidden) };
  }

  #idsOf(paths: readonly string[] = []): IdSet {
    if (paths.length === 0) return noIds;
    const rows = this.#connection.all<{ id: number }>(
      'SELECT f.id FROM json_each(?) j CROSS JOIN file f ON f.path = j.value',
      JSON.stringify(paths),
    );
    return Uint32Array.from(rows, ({ id }) => id).sort();
  }
}

/** The ids of both; those of `b` are all higher. */
function joined(a: IdSet, b: IdSet): IdSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all = new Uint32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
