import type { VaultFolder } from '../../base/vault-path.ts';
import type { View } from '../../engine/ports/view.ts';
import { makeSees, seesAll } from '../../engine/ports/view.ts';
import { Connection } from '../connection/connection.ts';
import { isBusy } from '../connection/database-error.ts';
import type { Database } from '../connection/open-database.ts';
import { lacksFacts, lateIndexes } from './index-schema.ts';
import { JudgedFiles } from './judged-files.ts';
import type { KeptPart } from './kept-tables.ts';
import { keptTables } from './kept-tables.ts';

const viewsMax = 64;

/** Whether a table or an SQL index of this name exists. */
const countNamed = 'SELECT count(*) AS n FROM sqlite_schema WHERE name = ?';
/** One of the late indexes: where it exists, all of them do. */
const aLateIndex = 'tag_key';

/**
 * A connection to the index. Late indexes (`lateIndexes`) and kept tables (`keptTables`) are created
 * through it when a query first needs them, after the first build. It also turns a `View` (which
 * files the caller may see) into an SQL condition.
 */
export class IndexConnection extends Connection {
  /** For each view, as JSON, its number, by which `#sees` has its test; those used last are at the end. */
  readonly #views = new Map<string, number>();
  readonly #sees = new Map<number, (path: string) => boolean>();
  #lastView = 0;
  /** The value of `dataVersion()` at the last call of `changedElsewhere`. */
  #dataVersion = 0;
  #hasLateIndexes = false;
  /** During `together`: what was to be made for the question, although it may not be there. */
  #tried: Set<string> | undefined;
  /** Which files each view admits. */
  readonly judged = new JudgedFiles(this);
  readonly #kept = new Set<KeptPart>();
  /**
   * How many rows were changed by merging full-text segments (`TextTidier`), which changes no answer.
   * Subtract it from SQLite's `total_changes()` to see whether answers may have changed.
   */
  tidied = 0;

  constructor(database: Database) {
    super(database);
    // `sees(view, path)` in SQL: whether a restricted view admits a path.
    database.function('sees', { deterministic: true }, (view, path) =>
      this.#sees.get(Number(view))?.(String(path)) === true ? 1 : 0,
    );
  }

  /** Creates the late indexes where they are missing. Must be called inside a write transaction. */
  makeLateIndexes(): void {
    if (this.#hasLateIndexes) return;
    this.exec(lateIndexes);
    this.#hasLateIndexes = true; // `forgetRolledBack` resets it when the write fails.
  }

  /**
   * Creates the late indexes before a query, if they are missing. Does nothing while another process
   * writes to the database, and while files lack their facts, unless `even` says so: without them the
   * query is only slower, and with them so is the rest of the first build.
   */
  tryMakeLateIndexes(even?: 'early'): void {
    if (this.#hasLateIndexes) return;
    this.#hasLateIndexes = this.count(countNamed, aLateIndex) > 0;
    if (this.#hasLateIndexes || (even === undefined && this.isBuilding)) return;
    if (this.#tried?.has(aLateIndex)) return;
    this.#makeFirst(aLateIndex, () => this.tryMakeLateIndexes(even));
    try {
      this.write(() => this.makeLateIndexes());
    } catch (error) {
      this.#hasLateIndexes = false;
      if (!isBusy(error)) throw error;
    }
  }

  /** Whether files that are read lack their facts. Costs a look at the files that have some. */
  get isBuilding(): boolean {
    return this.count(`SELECT EXISTS (SELECT 1 FROM file WHERE ${lacksFacts}) AS n`) > 0;
  }

  /**
   * Asks a question of a restricted view in one transaction: files that another process stores after it
   * was judged which ones are hidden are not in the answer. What the question needs first (`ensureKept`)
   * is made outside of the transaction, and then it is asked again.
   */
  together<T>(view: View, question: () => T): T {
    if (seesAll(view)) return question();
    const tried = new Set<string>();
    for (;;) {
      this.#tried = tried;
      let outcome: { readonly answer: T } | MakeFirst;
      try {
        outcome = this.read(() => orMakeFirst(question));
      } finally {
        this.#tried = undefined;
      }
      if (!(outcome instanceof MakeFirst)) return outcome.answer;
      tried.add(outcome.what);
      outcome.make();
    }
  }

  /**
   * Creates the kept tables of this part where they are missing, and returns whether they exist. Must
   * not be called inside a transaction, but for `together`. False while the index is built for the first time (there are
   * no late indexes yet) and while another process writes: then the caller has to count the rows.
   */
  ensureKept(part: KeptPart): boolean {
    if (this.#kept.has(part)) return true;
    const { table, sql } = keptTables[part];
    try {
      if (this.count(countNamed, table) === 0) {
        if (this.count(countNamed, aLateIndex) === 0 || this.#tried?.has(part)) return false;
        this.#makeFirst(part, () => this.ensureKept(part));
        this.write(() => {
          // Another process may have created it since the test above.
          if (this.count(countNamed, table) === 0) this.exec(sql);
        });
      }
    } catch (error) {
      if (!isBusy(error)) throw error;
      return false;
    }
    this.#kept.add(part);
    return true;
  }

  /** SQLite's number that changes with every write of another connection, and only then. */
  dataVersion(): number {
    return this.get<{ data_version: number }>('PRAGMA data_version')?.data_version ?? 0;
  }

  /** A number that grows with every write, here and by others; merging full text does not count. */
  written(): number {
    return this.count('SELECT total_changes() AS n') - this.tidied + this.dataVersion();
  }

  /** Whether another connection has written since the last call. */
  changedElsewhere(): boolean {
    const version = this.dataVersion();
    const changed = version !== this.#dataVersion;
    this.#dataVersion = version;
    return changed;
  }

  /**
   * The view without symlinks to files that it does not admit. Costs one query of an SQL index that
   * has nothing in it where no file is a symlink.
   */
  withoutLinks(view: View): View {
    if (seesAll(view)) return view;
    const links = this.all<{ path: string; leads_to: string }>(
      'SELECT path, leads_to FROM file WHERE leads_to IS NOT NULL ORDER BY path',
    );
    if (links.length === 0) return view;
    // Where a link leads is a question of what the caller may see at all.
    const sees = makeSees({ folders: view.folders, hide: view.hide, exclude: [] });
    const unseen = links.filter(({ leads_to }) => !sees(leads_to)).map(({ path }) => path);
    return unseen.length === 0 ? view : { ...view, unseen };
  }

  /** An SQL condition that holds for the paths a view admits; `path` is the name of a column. */
  sees(view: View, path: string): string {
    if (seesAll(view)) return 'TRUE';
    return inFolders(view, path) ?? `sees(${this.#viewNumber(view)}, ${path})`;
  }

  /**
   * The same for columns that hold file ids: `with` goes before the query, and `sees(column)` is the
   * condition. Each file is judged once, however many rows name it.
   */
  seesIds(view: View): { readonly with: string; readonly sees: (id: string) => string } {
    if (seesAll(view)) return { with: '', sees: () => 'TRUE' };
    return {
      with: `WITH seen AS MATERIALIZED (SELECT id FROM file WHERE ${this.sees(view, 'path')})`,
      sees: (id) => `${id} IN (SELECT id FROM seen)`,
    };
  }

  /**
   * The ids of the files that a view hides, as a JSON array for `json_each`: its answers are those of
   * the kept tables without these files. Undefined for a view of folders, which hides most files.
   */
  hiddenBy(view: View): string | undefined {
    const isWhole = view.folders.includes('') && (view.within ?? '') === '';
    return isWhole ? this.judged.hiddenJson(view) : undefined;
  }

  /** During `together`, in whose transaction nothing can be written: ends it. */
  #makeFirst(what: string, make: () => unknown): void {
    if (this.#tried !== undefined) throw new MakeFirst(what, make);
  }

  protected override forgetRolledBack(): void {
    this.#hasLateIndexes = false;
    this.#kept.clear();
  }

  /**
   * The number of a view. The view that was used longest ago is forgotten where there are too many. A
   * number never means another view: a query that has just been made may still hold it.
   */
  #viewNumber(view: View): number {
    const key = JSON.stringify(view);
    let number = this.#views.get(key);
    if (number === undefined) {
      number = ++this.#lastView;
      this.#sees.set(number, makeSees(view));
    }
    this.#views.delete(key);
    this.#views.set(key, number);
    for (const [oldest, forgotten] of this.#views) {
      if (this.#views.size <= viewsMax) break;
      this.#views.delete(oldest);
      this.#sees.delete(forgotten);
    }
    return number;
  }
}

/** Thrown by a question that needs something to be written first. */
class MakeFirst {
  readonly what: string;
  readonly make: () => unknown;

  constructor(what: string, make: () => unknown) {
    this.what = what;
    this.make = make;
  }
}

/** What is returned, so that the transaction is not rolled back. */
function orMakeFirst<T>(question: () => T): { readonly answer: T } | MakeFirst {
  try {
    return { answer: question() };
  } catch (error) {
    if (error instanceof MakeFirst) return error;
    throw error;
  }
}

/**
 * The condition that a view of nothing but folders puts on a path, without a call of `sees`: SQLite
 * can then use an index and skips the rest of the vault. Undefined for other views.
 */
function inFolders(view: View, path: string): string | undefined {
  const { folders, hide, exclude, within = '', unseen = [] } = view;
  if (hide.length > 0 || exclude.length > 0 || unseen.length > 0) return undefined;
  // "0" comes right after "/": see `folderRange`.
  const inside = (folder: VaultFolder): string =>
    `(${path} > ${quoted(`${folder}/`)} AND ${path} < ${quoted(`${folder}0`)})`;
  const conditions = within === '' ? [] : [inside(within)];
  if (!folders.includes('')) {
    // The view may name a file where a folder is expected.
    const some = folders.map((folder) => `${path} = ${quoted(folder)} OR ${inside(folder)}`);
    conditions.push(some.length === 0 ? 'FALSE' : `(${some.join(' OR ')})`);
  }
  return conditions.join(' AND ') || 'TRUE';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
