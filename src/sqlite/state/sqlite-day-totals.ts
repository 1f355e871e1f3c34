import { limits } from '../../base/limits.ts';
import type { DayTotal, DayTotals } from '../../engine/ports/vault-state.ts';
import type { StateConnection } from './state-connection.ts';

/**
 * Made when the first day is kept, not by `stateSchemas`: only servers count days, and a history
 * without this table can still be read by an earlier Vaultdoor.
 */
export const dayTable = `CREATE TABLE IF NOT EXISTS day_total (
  day TEXT PRIMARY KEY,
  notes INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) WITHOUT ROWID`;

/** The size of a vault, day by day, in its state file. */
export class SqliteDayTotals implements DayTotals {
  readonly #state: StateConnection;

  constructor(state: StateConnection) {
    this.#state = state;
  }

  async put({ day, notes, bytes }: DayTotal): Promise<void> {
    const { connection } = this.#state;
    this.#state.lightly(() => {
      connection.exec(dayTable);
      connection.run(
        'INSERT OR IGNORE INTO day_total (day, notes, bytes) VALUES (?, ?, ?)',
        day,
        notes,
        bytes,
      );
      connection.run(
        `DELETE FROM day_total WHERE day <= (
           SELECT day FROM day_total ORDER BY day DESC LIMIT 1 OFFSET ?)`,
        limits.totalDaysMax,
      );
    });
  }

  async list(max: number): Promise<readonly DayTotal[]> {
    const { connection } = this.#state;
    return this.#state.attempt(() => {
      const table = "SELECT count(*) AS n FROM sqlite_schema WHERE name = 'day_total'";
      if (connection.count(table) === 0) return [];
      return connection.all<DayTotal>(
        'SELECT day, notes, bytes FROM day_total ORDER BY day DESC LIMIT ?',
        max,
      );
    });
  }
}
