import { createHash } from 'node:crypto';
import { limits } from '../../base/limits.ts';
import type { SessionBook, SessionMemory } from '../../base/session-book.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';
import type { BookVersions } from './book-versions.ts';
import { keyFor } from './cluster-keys.ts';
import { PostgresBook } from './postgres-book.ts';

/** How often sessions that are too old are looked for. */
const tidyMs = 60 * 60_000;

/** What a cluster keeps of its sessions: one goes on at any node. */
export function openPostgresSessionBook(parts: {
  readonly postgres: Postgres;
  readonly versions: BookVersions;
  readonly clock: Clock;
}): SessionBook {
  const { postgres, versions, clock } = parts;
  const book = new PostgresBook({
    postgres,
    versions,
    name: 'session',
    tables: { session_ended: 'entry' },
  });
  const key = keyFor(postgres, 'session');
  let tidiedMs = Number.NEGATIVE_INFINITY;
  const tooOld = sql`kept < clock_timestamp() - ${limits.sessionAgeMaxMs} * interval '1 millisecond'`;
  const forget = (id: string) =>
    postgres.all(sql`DELETE FROM session_memory WHERE id = ${rowId(id)}`);

  return {
    key,
    async deleted(id, untilMs) {
      await forget(id).catch(() => undefined); // It expires by itself.
      await book.change((page) => {
        const nowMs = clock.nowMs();
        const over = [...page.session_ended].filter(([, until]) => (until as number) <= nowMs);
        return {
          keep: [
            { table: 'session_ended', id: rowId(id), entry: untilMs },
            ...over.map(([each]) => ({ table: 'session_ended' as const, id: each })),
          ],
          answer: undefined,
        };
      });
    },
    async isDeleted(id) {
      const until = (await book.read()).session_ended.get(rowId(id)) as number | undefined;
      return until !== undefined && clock.nowMs() < until;
    },
    async keep(id, { resources, logLevel }) {
      if (resources.length === 0 && logLevel === undefined) {
        await forget(id);
        return;
      }
      const memory = { resources: resources.slice(0, limits.subscriptionsMax), logLevel };
      await postgres.all(sql`
        INSERT INTO session_memory (id, kept, memory)
        VALUES (${rowId(id)}, clock_timestamp(), ${JSON.stringify(memory)})
        ON CONFLICT (id) DO UPDATE SET kept = excluded.kept, memory = excluded.memory`);
      if (clock.nowMs() - tidiedMs < tidyMs) return;
      tidiedMs = clock.nowMs();
      await postgres.all(sql`DELETE FROM session_memory WHERE ${tooOld}`);
    },
    async recall(id) {
      const row = await postgres.get<{ memory: string }>(
        sql`SELECT memory FROM session_memory WHERE id = ${rowId(id)} AND NOT (${tooOld})`,
      );
      return row === undefined ? undefined : (JSON.parse(row.memory) as SessionMemory);
    },
  };
}

/** The id of a session as tables have it: of one length, whatever a client has sent. */
function rowId(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
