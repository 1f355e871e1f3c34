import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { clusterLimits } from '../../base/door-limits.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql, sqlText } from '../connection/sql.ts';
import type { NodeRun } from './node-lease.ts';
import { leavesToWriter } from './vault-registry.ts';

/**
 * Why a vault could be claimed: nobody owned it; this run of the node did already; its owner refuses
 * connections; or its owner's lease is over.
 */
export type ClaimReason = 'free' | 'own' | 'refused' | 'expired';

/** The new fence number of a vault, and why it could be claimed. */
interface VaultClaimed {
  readonly epoch: number;
  readonly why: ClaimReason;
}

/**
 * Makes a node the owner of a vault, if nobody else owns it, or its owner is not alive any more; `dead` is
 * an owner that refuses connections, which is not waited for. Answers the new fence number, which is higher than every one before; undefined when a living node owns the vault,
 * another claim was faster,
 * a living node was chosen for it (`cluster move`), or this one only reads and another could write. From then on no write of an earlier owner reaches the tables, however
 * late it comes.
 *
 * A client that was stopped in the middle of a statement holds the vault's row for ever, and no timeout
 * of PostgreSQL ends that. So whoever holds the row for longer than `clusterLimits.claimLockMs` loses
 * its connection.
 */
export async function claimVault(
  postgres: Postgres,
  { vault, node, incarnation, dead }: NodeRun & { readonly vault: number; readonly dead?: NodeRun },
): Promise<VaultClaimed | undefined> {
  // Of claims that wait for each other, the later ones then find another number.
  const row = await postgres.get<{
    epoch: number;
    node: string | null;
    incarnation: number | null;
  }>(sql`SELECT epoch, node, incarnation FROM vault WHERE id = ${vault}`);
  if (row === undefined) return undefined;
  // By this text the session that claims is found among the others: PgBouncer hides which one it is.
  const mark = `claim ${randomBytes(12).toString('hex')}`;
  // At the beginning, because PostgreSQL keeps only the first 1,023 bytes of what a session has sent.
  const claim = postgres.script<{ epoch: number }>([
    sql`${sqlText(`/* ${mark} */`)} SELECT set_config('lock_timeout', ${`${clusterLimits.claimMaxMs}ms`}, true)`,
    sql`UPDATE vault SET node = ${node}, incarnation = ${incarnation}, epoch = epoch + 1,
          wished = CASE WHEN wished = ${node} THEN NULL ELSE wished END
        WHERE id = ${vault} AND epoch = ${row.epoch} AND (pinned IS NULL OR pinned = ${node}) AND NOT EXISTS (
          SELECT 1 FROM node AS chosen
          WHERE chosen.id = vault.wished AND chosen.id <> ${node} AND NOT chosen.drains
            AND NOT chosen.read_only AND chosen.expires > clock_timestamp()) AND NOT EXISTS (
          SELECT 1 FROM node AS owner
          WHERE owner.id = vault.node AND owner.incarnation = vault.incarnation
            AND (owner.id <> ${node} OR owner.incarnation <> ${incarnation})
            AND (owner.id <> ${dead?.node ?? ''} OR owner.incarnation <> ${dead?.incarnation ?? 0})
            AND owner.expires > clock_timestamp())
          AND NOT ${leavesToWriter(node, dead)}
        RETURNING epoch`,
  ]);
  const isOver = claim.then(
    () => true,
    () => true,
  );
  for (;;) {
    const pause = setTimeout(clusterLimits.claimLockMs, false, { ref: false });
    if (await Promise.race([isOver, pause])) break;
    await endBlockers(postgres, mark).catch(() => undefined); // The claim fails by itself then.
  }
  const [claimed] = await claim;
  if (claimed === undefined) return undefined;
  const wasOf = (run: NodeRun | undefined): boolean =>
    row.node === run?.node && row.incarnation === run.incarnation;
  if (row.node === null) return { ...claimed, why: 'free' };
  if (wasOf({ node, incarnation })) return { ...claimed, why: 'own' };
  return { ...claimed, why: wasOf(dead) ? 'refused' : 'expired' };
}

/** Gives up a vault: the next node can claim it at once. */
export async function releaseVault(
  postgres: Postgres,
  { vault, epoch }: { readonly vault: number; readonly epoch: number },
): Promise<void> {
  await postgres.all(sql`
    UPDATE vault SET node = NULL, incarnation = NULL WHERE id = ${vault} AND epoch = ${epoch}`);
}

/** Ends the sessions that a claim waits for. A role may do that to its own sessions. */
async function endBlockers(postgres: Postgres, mark: string): Promise<void> {
  await postgres.all(sql`
    SELECT pg_terminate_backend(blocker)
    FROM pg_stat_activity, unnest(pg_blocking_pids(pid)) AS blocker
    WHERE pid <> pg_backend_pid() AND strpos(query, ${mark}) > 0`);
}
