import { clusterLimits } from '../../base/door-limits.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

/** A call that has made a change already. */
export interface MadeCall {
  readonly change: number;
  /** Whether the change is not settled yet: it was interrupted, and may be taken back. */
  readonly isOpen: boolean;
  /** JSON: what was answered; absent when the answer was lost or too large. */
  readonly answer?: string;
}

/** What a call with this key has changed in a vault; undefined when it has changed nothing. */
export async function madeCall(
  postgres: Postgres,
  { vault, call }: { readonly vault: number; readonly call: string },
): Promise<MadeCall | undefined> {
  const row = await postgres.get<{ change: number; open: boolean; answer: string | null }>(sql`
    SELECT made_call.change, answer, coalesce(change.state <> 'done', false) AS open
    FROM made_call LEFT JOIN change ON change.vault = made_call.vault AND change.id = made_call.change
    WHERE made_call.vault = ${vault} AND call = ${call}
    ORDER BY made_call.change DESC LIMIT 1`);
  if (row === undefined) return undefined;
  const { change, open: isOpen } = row;
  return { change, isOpen, ...(row.answer === null ? {} : { answer: row.answer }) };
}

/** Keeps the answer to a call that has changed something. Does nothing for another. */
export async function keepAnswer(
  postgres: Postgres,
  {
    vault,
    call,
    answer,
  }: { readonly vault: number; readonly call: string; readonly answer: string },
): Promise<void> {
  await postgres.script([
    sql`SELECT set_config('synchronous_commit', 'off', true)`,
    sql`UPDATE made_call SET answer = ${answer} WHERE vault = ${vault} AND call = ${call}`,
  ]);
}

/** Forgets calls that nobody repeats any more. */
export async function forgetCalls(postgres: Postgres): Promise<void> {
  await postgres.all(sql`
    DELETE FROM made_call
    WHERE time < clock_timestamp() - ${clusterLimits.callKeptMs} * interval '1 millisecond'`);
}
