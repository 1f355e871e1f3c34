import { setTimeout } from 'node:timers/promises';
import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

/** How often the other side is looked for. */
const lookMs = 10;
/** How long the next step of the other side is waited for. */
const stepMs = 90_000;
/** How long an offer stands. */
export const offerMs = 120_000;
const oldProbe = '10 minutes';

/** What two programs that probe a file system tell each other: numbered steps, each with a note. */
export interface ProbeTurns {
  /** Says that a step is done. Steps are numbered from 1, and done in this order. */
  say(step: number, note?: string): Promise<void>;
  /** Waits until a step is done, and answers its note. Fails with `timeout`. */
  wait(step: number): Promise<string>;
  /** Ends the probe. */
  end(): Promise<void>;
}

/** Offers a probe to other programs. */
export async function offerProbe(postgres: Postgres, id: string): Promise<ProbeTurns> {
  await postgres.script([
    sql`DELETE FROM probe WHERE made < clock_timestamp() - ${oldProbe}::interval`,
    sql`INSERT INTO probe (id, step, note, made) VALUES (${id}, 0, '', clock_timestamp())`,
  ]);
  return turnsOf(postgres, id);
}

/** Takes back an offer; false when it is taken already. */
export async function withdrawProbe(postgres: Postgres, id: string): Promise<boolean> {
  const row = await postgres.get(sql`DELETE FROM probe WHERE id = ${id} AND step = 0 RETURNING id`);
  return row !== undefined;
}

/** The probes that were offered a short while ago and that nobody has taken, always in the same order. */
export async function offeredProbes(postgres: Postgres): Promise<readonly string[]> {
  const rows = await postgres.all<{ id: string }>(sql`
    SELECT id FROM probe
    WHERE step = 0 AND made > clock_timestamp() - ${offerMs} * interval '1 millisecond'
    ORDER BY made, id`);
  return rows.map(({ id }) => id);
}

/** Takes a probe; undefined when another program was faster. */
export async function takeProbe(postgres: Postgres, id: string): Promise<ProbeTurns | undefined> {
  const row = await postgres.get(
    sql`UPDATE probe SET step = 1 WHERE id = ${id} AND step = 0 RETURNING id`,
  );
  return row === undefined ? undefined : turnsOf(postgres, id);
}

function turnsOf(postgres: Postgres, id: string): ProbeTurns {
  return {
    async say(step, note = '') {
      await postgres.all(
        sql`UPDATE probe SET step = ${step}, note = ${note} WHERE id = ${id} AND step < ${step}`,
      );
    },
    async wait(step) {
      const endMs = performance.now() + stepMs;
      for (;;) {
        const row = await postgres.get<{ step: number; note: string }>(
          sql`SELECT step, note FROM probe WHERE id = ${id}`,
        );
        if (row === undefined) break;
        if (row.step >= step) return row.note;
        if (performance.now() > endMs) break;
        await setTimeout(lookMs);
      }
      throw new VaultError('timeout', 'The other node has ended the check, or does not answer.');
    },
    async end() {
      await postgres.all(sql`DELETE FROM probe WHERE id = ${id}`).catch(() => undefined);
    },
  };
}
