import { limits } from '../../base/limits.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import type { Marks, View } from '../../engine/ports/view.ts';
import {
  marksInProperties,
  mayBeMarked,
  tagMark,
  unreadableCodes,
} from '../../engine/text/marks.ts';
import type { IndexConnection } from '../tables/index-connection.ts';
import { freshness, tagKey } from '../tables/index-schema.ts';

/** Finds the notes that are hidden by marks, once after each write. */
export class MarkedFiles {
  readonly #connection: IndexConnection;
  /** By the marks as JSON; `written` is the value of `IndexConnection.written` then. */
  readonly #known = new Map<string, { written: number; paths: readonly VaultPath[] }>();

  constructor(connection: IndexConnection) {
    this.#connection = connection;
  }

  /** The view without the notes that its marks hide. */
  withoutMarked(view: View): View {
    if (view.marks === undefined) return view;
    const paths = this.paths(view.marks);
    return paths.length === 0 ? view : { ...view, unseen: [...(view.unseen ?? []), ...paths] };
  }

  /** See `IndexStore.marked`. */
  paths(marks: Marks): readonly VaultPath[] {
    const key = JSON.stringify(marks);
    const written = this.#connection.written();
    const known = this.#known.get(key);
    if (known?.written === written) return known.paths;
    const paths = this.#connection.read(() => this.#find(marks));
    if (known === undefined && this.#known.size >= limits.markSetsMax) this.#known.clear();
    this.#known.set(key, { written, paths });
    return paths;
  }

  #find(marks: Marks): readonly VaultPath[] {
    const found = new Set<VaultPath>();
    const add = (condition: string, ...values: (string | number)[]): void => {
      const rows = this.#connection.all<{ path: VaultPath }>(
        `SELECT path FROM file WHERE kind = 'note' AND ${condition}`,
        ...values,
      );
      for (const { path } of rows) found.add(path);
    };
    add(`(parsed = 0 OR facts < ${freshness.racy})`);
    for (const code of unreadableCodes)
      add('id IN (SELECT file FROM problem WHERE code = ?)', code);
    for (const mark of marks.tags) {
      const key = tagKey(tagMark(mark).tag);
      // "0" comes right after "/": the range holds exactly the tags nested under this one.
      add(
        'id IN (SELECT file FROM tag WHERE key = ? OR (key > ? AND key < ?))',
        key,
        `${key}/`,
        `${key}0`,
      );
    }
    for (const path of this.#byProperties(marks)) found.add(path);
    return Array.from(found).sort();
  }

  /** The notes that have a mark in their properties, of those whose properties may have one. */
  *#byProperties(marks: Marks): Iterable<VaultPath> {
    const shapes = this.#connection
      .all<{ id: number; properties: string }>('SELECT id, properties FROM shape')
      .filter(({ properties }) => mayBeMarked(JSON.parse(properties), marks))
      .map(({ id }) => id);
    if (shapes.length === 0) return;
    const rows = this.#connection.iterate<{ path: VaultPath; properties: string }>(
      `SELECT f.path, n.detail ->> '$.properties' AS properties
       FROM file f CROSS JOIN note n ON n.file = f.id
       WHERE f.shape IN (SELECT value FROM json_each(?))`,
      JSON.stringify(shapes),
    );
    for (const { path, properties } of rows) {
      const read = (JSON.parse(properties) as NoteDetail['properties']).map(
        ([key, , value]) => [key, value] as const,
      );
      if (marksInProperties(read, marks).length > 0) yield path;
    }
  }
}
