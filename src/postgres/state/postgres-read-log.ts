import { limits } from '../../base/limits.ts';
import type { Clock, Timers } from '../../engine/ports/ports.ts';
import type { ReadEntry, ReadFilter, ReadLog } from '../../engine/ports/read-log.ts';
import { storableText } from '../../sqlite/rows/storable-text.ts';
import type { Postgres } from '../connection/postgres.ts';
import { joinSql, sql } from '../connection/sql.ts';

interface ReadLogParts {
  readonly postgres: Postgres;
  /** The number of the vault. */
  readonly vault: number;
  readonly clock: Clock;
  readonly timers: Timers;
  /** Called when entries were lost, once until writing succeeds again. */
  readonly onFailure?: (reason: string) => void;
}

/** Opens the log of what was read in a vault. Any node may add to it, not only the vault's owner. */
export function openPostgresReadLog(parts: ReadLogParts): ReadLog {
  return new PostgresReadLog(parts);
}

/** How often what is too old or too much is dropped. */
const pruneEveryMs = 60 * 60_000;

class PostgresReadLog implements ReadLog {
  readonly #parts: ReadLogParts;
  #waiting: ReadEntry[] = [];
  #waitingBytes = 0;
  #cancelTimer: (() => void) | undefined;
  #writing: Promise<void> = Promise.resolve();
  #prunedMs = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  constructor(parts: ReadLogParts) {
    this.#parts = parts;
  }

  add(entry: ReadEntry): void {
    const bytes = JSON.stringify(entry).length;
    if (this.#waitingBytes + bytes > limits.readLogWaitingBytesMax) {
      this.#failed('too much waits to be written');
      return;
    }
    this.#waiting.push(entry);
    this.#waitingBytes += bytes;
    this.#cancelTimer ??= this.#parts.timers.after(limits.readLogWriteEveryMs, () => {
      this.#cancelTimer = undefined;
      this.#write();
    });
  }

  async entries(filter: ReadFilter): ReturnType<ReadLog['entries']> {
    const { postgres, vault, clock } = this.#parts;
    const { client, path, limit } = filter;
    const sinceMs = Math.max(filter.sinceMs ?? 0, clock.nowMs() - limits.readLogAgeMaxMs);
    const conditions = [sql`vault = ${vault} AND time >= ${sinceMs}`];
    if (client !== undefined) {
      conditions.push(sql`strpos(client, ${storableText(client.toLowerCase())}) > 0`);
    }
    if (path !== undefined && path !== '') {
      const folder = storableText(path);
      conditions.push(sql`EXISTS (SELECT 1 FROM unnest(paths) AS path
        WHERE path = ${folder} OR starts_with(path, ${`${folder}/`}))`);
    }
    const rows = await postgres.all<{ entry: string }>(sql`
      SELECT entry FROM read_log WHERE ${joinSql(conditions, ' AND ')}
      ORDER BY time DESC, id LIMIT ${limit + 1}`);
    const any = sql`SELECT 1 FROM read_log WHERE vault = ${vault} LIMIT 1`;
    return {
      items: rows.slice(0, limit).map(({ entry }) => JSON.parse(entry) as ReadEntry),
      more: rows.length > limit,
      isEmpty: rows.length === 0 && (await postgres.get(any)) === undefined,
    };
  }

  async close(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#write();
    await this.#writing;
  }

  /** Writes what waits, after what is being written. */
  #write(): void {
    if (this.#waiting.length === 0) return;
    this.#writing = this.#writing.then(async () => {
      const batch = this.#waiting;
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        await this.#insert(batch);
        await this.#prune();
        this.#hasFailed = false;
      } catch {
        this.#failed('PostgreSQL');
      }
    });
  }

  async #insert(batch: readonly ReadEntry[]): Promise<void> {
    const { postgres, vault } = this.#parts;
    const rows = batch.map((entry) => ({
      time: entry.timeMs,
      client: storableText((entry.client ?? '').toLowerCase()),
      paths: entry.paths.map(storableText),
      entry: JSON.stringify(entry),
    }));
    await postgres.all(sql`
      INSERT INTO read_log (vault, time, client, paths, entry)
      SELECT ${vault}, time, client, paths, entry
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (
        time float8, client text, paths text[], entry text)`);
  }

  /** Drops the entries that are too old, and then the oldest until the rest has room. */
  async #prune(): Promise<void> {
    const { postgres, vault, clock } = this.#parts;
    if (clock.nowMs() - this.#prunedMs < pruneEveryMs) return;
    this.#prunedMs = clock.nowMs();
    await postgres.all(sql`
      DELETE FROM read_log WHERE vault = ${vault} AND (
        time < ${clock.nowMs() - limits.readLogAgeMaxMs} OR id IN (
          SELECT id FROM (
            SELECT id, sum(length(entry)) OVER (ORDER BY id DESC) AS total
            FROM read_log WHERE vault = ${vault}) AS newer
          WHERE total > ${limits.readLogBytesMax}))`);
  }

  #failed(reason: string): void {
    if (!this.#hasFailed) this.#parts.onFailure?.(reason);
    this.#hasFailed = true;
  }
}
