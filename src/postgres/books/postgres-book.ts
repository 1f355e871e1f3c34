import { setTimeout } from 'node:timers/promises';
import { clusterLimits } from '../../base/door-limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sqlState } from '../connection/postgres-failure.ts';
import { joinSql, type Sql, sql, sqlText } from '../connection/sql.ts';
import type { BookName, BookVersions } from './book-versions.ts';

/** The tables of books: all have the columns `id`, `place`, `version` and `entry`. */
type BookTable =
  | 'token'
  | 'oauth_client'
  | 'oauth_grant'
  | 'owner'
  | 'owner_session'
  | 'passkey'
  | 'session_ended';

/** The entries of a table by their ids, in the order in which they were added. */
export type Entries = ReadonlyMap<string, unknown>;

/** What a book has at one version. */
export type BookPage<T extends BookTable> = {
  readonly version: number;
} & Readonly<Record<T, Entries>>;

/** A new entry; one without a value is removed. */
interface EntryChange<T extends BookTable> {
  readonly table: T;
  readonly id: string;
  readonly entry?: unknown;
}

interface PostgresBookParts<T extends BookTable> {
  readonly postgres: Postgres;
  readonly versions: BookVersions;
  readonly name: BookName;
  /** Each with the SQL of its entry, where that is more than the column. */
  readonly tables: Readonly<Record<T, string>>;
}

/** What `turn_page` of the schema fails with when another change was faster. */
const turnedState = 'VDBOK';

/**
 * A small set of records that every node of a cluster knows, kept in memory and in tables. A node reads
 * only what was changed since its last look. One change follows the other: a change that was decided on
 * an old page is decided again.
 */
export class PostgresBook<T extends BookTable> {
  readonly #parts: PostgresBookParts<T>;
  readonly #tables: readonly T[];
  readonly #turns = new Semaphore(1);
  #page: BookPage<T>;
  #loading: Promise<BookPage<T>> | undefined;

  constructor(parts: PostgresBookParts<T>) {
    this.#parts = parts;
    this.#tables = Object.keys(parts.tables) as T[];
    this.#page = this.#emptyPage();
  }

  /** What the book has: at most a second old; see `BookVersions`. */
  async read(): Promise<BookPage<T>> {
    const version = await this.#parts.versions.of(this.#parts.name);
    return this.#page.version >= version ? this.#page : this.#load();
  }

  /** What the book has now, for a look that has found nothing: another node may just have written it. */
  async readNewest(): Promise<BookPage<T>> {
    const version = await this.#parts.versions.newest(this.#parts.name);
    return this.#page.version >= version ? this.#page : this.#load();
  }

  /**
   * Writes what `decide` wants to keep, if anything, with statements that belong to it. Resolves when
   * it is durable. `decide` may be called again.
   */
  change<R>(
    decide: (page: BookPage<T>) => {
      readonly keep?: readonly EntryChange<T>[];
      readonly also?: readonly Sql[];
      readonly answer: R;
    },
  ): Promise<R> {
    const { postgres, versions, name } = this.#parts;
    return this.#turns.run(async () => {
      for (let tries = 1; ; tries++) {
        const page = await this.#load();
        const { keep = [], also = [], answer } = decide(page);
        if (keep.length === 0) return answer;
        const version = page.version + 1;
        try {
          await postgres.script([
            sql`SELECT turn_page(${name}, ${page.version})`,
            ...keep.map((each) => put(each, version)),
            ...also,
            ...this.#tables.map((table) => forgetRemoved(table, version)),
          ]);
          versions.saw(name, version);
          return answer;
        } catch (error) {
          if (sqlState(error) !== turnedState) throw error;
          if (tries >= clusterLimits.bookTriesMax) throw busy();
          await setTimeout(Math.random() * tries);
        }
      }
    });
  }

  /** Reads what is new. Those who come while it is read wait for a look of their own. */
  async #load(): Promise<BookPage<T>> {
    const before = this.#loading;
    const loading = (before ?? Promise.resolve(this.#page))
      .catch(() => this.#page)
      .then(() => this.#readNew());
    this.#loading = loading;
    try {
      return await loading;
    } finally {
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  async #readNew(): Promise<BookPage<T>> {
    const { postgres, name, tables } = this.#parts;
    const known = this.#page.version;
    // Removed rows are kept for so many versions; a page that is older is read as a whole.
    const since = sql`(SELECT CASE WHEN version - ${known} < ${clusterLimits.bookRemovedKept}
      THEN ${known} ELSE -1 END FROM book WHERE name = ${name})`;
    const rows = joinSql(
      this.#tables.map(
        (
          table,
        ) => sql`SELECT ${sqlText(`'${table}'`)} AS kind, id, ${sqlText(tables[table])} AS entry, place
          FROM ${sqlText(table)} WHERE version > ${since}`,
      ),
      ' UNION ALL ',
    );
    // One statement, so that version and rows are of the same moment.
    const found = await postgres.all<{
      version: number;
      since: number;
      kind: T | null;
      id: string;
      entry: string | null;
    }>(sql`SELECT book.version, ${since} AS since, rows.*
           FROM book LEFT JOIN (${rows}) AS rows ON TRUE WHERE name = ${name} ORDER BY rows.place`);
    const [first] = found;
    if (first === undefined) throw new Error(`there is no book "${name}"`);
    const base = first.since < 0 ? this.#emptyPage() : this.#page;
    const next = Object.fromEntries(
      this.#tables.map((table) => [table, new Map(base[table])]),
    ) as Record<T, Map<string, unknown>>;
    for (const { kind, id, entry } of found) {
      if (kind === null) continue;
      if (entry === null) next[kind].delete(id);
      else next[kind].set(id, JSON.parse(entry));
    }
    if (this.#page.version < first.version) {
      this.#page = { ...next, version: first.version } as BookPage<T>;
    }
    return this.#page;
  }

  #emptyPage(): BookPage<T> {
    const none = Object.fromEntries(this.#tables.map((table) => [table, new Map()]));
    return { ...none, version: -1 } as BookPage<T>;
  }
}

/** What makes the entries of a table those of `wanted`. */
export function changesTo<T extends BookTable>(
  table: T,
  found: Entries,
  wanted: Entries,
): readonly EntryChange<T>[] {
  const gone = [...found.keys()].filter((id) => !wanted.has(id)).map((id) => ({ table, id }));
  const put = [...wanted]
    .filter(([id, entry]) => JSON.stringify(found.get(id)) !== JSON.stringify(entry))
    .map(([id, entry]) => ({ table, id, entry }));
  return [...gone, ...put];
}

function put<T extends BookTable>({ table, id, entry }: EntryChange<T>, version: number): Sql {
  const text = entry === undefined ? null : JSON.stringify(entry);
  return sql`INSERT INTO ${sqlText(table)} (id, version, entry) VALUES (${id}, ${version}, ${text})
    ON CONFLICT (id) DO UPDATE SET version = excluded.version, entry = excluded.entry`;
}

function forgetRemoved(table: BookTable, version: number): Sql {
  return sql`DELETE FROM ${sqlText(table)}
    WHERE entry IS NULL AND version <= ${version - clusterLimits.bookRemovedKept}`;
}

function busy(): VaultError {
  return new VaultError('unavailable', 'Too many nodes change this at once. Try again.', {
    details: { retryAfterMs: 1_000 },
  });
}
