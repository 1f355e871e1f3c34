import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

/** What `cluster check` has found out about the folder with the vaults, on one kind of mount. */
export interface RootVerdict {
  /** Whether several nodes may write there. */
  readonly isGood: boolean;
  /** How long a new owner waits before its first look at a vault. */
  readonly settleMs: number;
  /** What was found, in a sentence. */
  readonly says: string;
}

/** Keeps a verdict, in place of an earlier one. */
export async function keepVerdict(
  postgres: Postgres,
  kind: string,
  { isGood, settleMs, says }: RootVerdict,
): Promise<void> {
  await postgres.all(sql`
    INSERT INTO root_verdict (kind, is_good, settle_ms, says, checked)
    VALUES (${kind}, ${isGood ? 1 : 0} = 1, ${settleMs}, ${says}, clock_timestamp())
    ON CONFLICT (kind) DO UPDATE SET is_good = excluded.is_good, settle_ms = excluded.settle_ms,
      says = excluded.says, checked = excluded.checked`);
}

/** The verdict about a kind of mount; undefined when it was not checked yet. */
export function keptVerdict(postgres: Postgres, kind: string): Promise<RootVerdict | undefined> {
  return postgres.get<RootVerdict>(sql`
    SELECT is_good AS "isGood", settle_ms AS "settleMs", says FROM root_verdict WHERE kind = ${kind}`);
}
