import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type {
  BriefBook,
  BriefBooks,
  BriefEntry,
  BriefKeep,
  BriefKind,
} from '../../oauth/ports/brief-book.ts';
import type { Postgres } from '../connection/postgres.ts';
import { type Sql, sql } from '../connection/sql.ts';
import { keyFor } from './cluster-keys.ts';

interface Row {
  readonly id: string;
  readonly version: string;
  readonly entry: string;
  readonly age: number;
}

/** What all nodes of a cluster remember for a short time, by the clock of PostgreSQL. */
export function openPostgresBriefBooks({ postgres }: { readonly postgres: Postgres }): BriefBooks {
  return {
    key: keyFor(postgres, 'challenge'),
    open: <T>(kind: BriefKind, max: number): BriefBook<T> =>
      new PostgresBriefBook<T>(postgres, { kind, max }),
  };
}

class PostgresBriefBook<T> implements BriefBook<T> {
  readonly #postgres: Postgres;
  readonly #kind: { readonly kind: BriefKind; readonly max: number };

  constructor(postgres: Postgres, kind: { readonly kind: BriefKind; readonly max: number }) {
    this.#postgres = postgres;
    this.#kind = kind;
  }

  async get(id: string): Promise<BriefEntry<T> | undefined> {
    const row = await this.#row(id);
    return row === undefined ? undefined : entryOf(row);
  }

  async all(): Promise<readonly BriefEntry<T>[]> {
    const rows = await this.#postgres.all<Row>(sql`${selected}
      WHERE kind = ${this.#kind.kind} AND ends > clock_timestamp() ORDER BY kept, id`);
    return rows.map((row) => entryOf(row));
  }

  /** An entry that was changed since the look has another version: then it is decided again. */
  async change<R>(
    id: string,
    decide: (found: BriefEntry<T> | undefined) => {
      readonly keep?: BriefKeep<T> | 'forget';
      readonly answer: R;
    },
  ): Promise<R> {
    for (let tries = 0; tries < clusterLimits.bookTriesMax; tries++) {
      const row = await this.#row(id);
      const { keep, answer } = decide(row === undefined ? undefined : entryOf(row));
      if (keep === undefined || (row === undefined && !isNew(keep))) return answer;
      const written = await this.#postgres.script<{ id: string }>(
        row === undefined
          ? this.#added(id, keep as Required<BriefKeep<T>>)
          : [this.#changed(row, keep)],
      );
      if (written.length > 0) return answer;
    }
    throw new VaultError('unavailable', 'Too many nodes change this at once. Try again.', {
      details: { retryAfterMs: 1_000 },
    });
  }

  async clear(): Promise<void> {
    await this.#postgres.all(sql`DELETE FROM brief WHERE kind = ${this.#kind.kind}`);
  }

  #row(id: string): Promise<Row | undefined> {
    return this.#postgres.get<Row>(sql`${selected}
      WHERE kind = ${this.#kind.kind} AND id = ${id} AND ends > clock_timestamp()`);
  }

  #added(
    id: string,
    { entry, forMs, worth = 0 }: BriefKeep<T> & { readonly forMs: number },
  ): Sql[] {
    const { kind, max } = this.#kind;
    return [
      // Another node may be deleting the same rows.
      sql`DELETE FROM brief WHERE (kind, id) IN (
            SELECT kind, id FROM brief WHERE ends <= clock_timestamp() FOR UPDATE SKIP LOCKED)`,
      sql`DELETE FROM brief WHERE kind = ${kind} AND id IN (
            SELECT id FROM brief WHERE kind = ${kind}
            ORDER BY worth DESC, kept DESC, id OFFSET ${max - 1})`,
      // Nothing is returned when another node was faster.
      sql`INSERT INTO brief (kind, id, worth, kept, ends, entry)
          SELECT ${kind}, ${id}, ${worth}, now, now + ${forMs} * interval '1 millisecond',
            ${JSON.stringify(entry)}
          FROM clock_timestamp() AS now
          ON CONFLICT (kind, id) DO NOTHING RETURNING id`,
    ];
  }

  #changed({ id, version }: Row, keep: BriefKeep<T> | 'forget'): Sql {
    const here = sql`kind = ${this.#kind.kind} AND id = ${id} AND version = ${version}::uuid`;
    if (keep === 'forget') return sql`DELETE FROM brief WHERE ${here} RETURNING id`;
    const { entry, forMs, worth = 0 } = keep;
    const times =
      forMs === undefined
        ? sql``
        : sql`, kept = clock_timestamp(),
              ends = clock_timestamp() + ${forMs} * interval '1 millisecond'`;
    return sql`UPDATE brief SET entry = ${JSON.stringify(entry)}, worth = ${worth},
        version = gen_random_uuid() ${times} WHERE ${here} RETURNING id`;
  }
}

const selected = sql`SELECT id, version, entry,
  extract(epoch FROM clock_timestamp() - kept)::float8 * 1000 AS age FROM brief`;

function isNew(keep: BriefKeep<unknown> | 'forget'): boolean {
  return keep !== 'forget' && keep.forMs !== undefined;
}

function entryOf<T>({ id, entry, age }: Row): BriefEntry<T> {
  return { id, entry: JSON.parse(entry) as T, ageMs: Math.max(0, age) };
}
