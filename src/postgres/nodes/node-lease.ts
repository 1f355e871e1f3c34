import { clusterLimits } from '../../base/door-limits.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

/** One run of a node. A later run of the same node has a higher number. */
export interface NodeRun {
  readonly node: string;
  readonly incarnation: number;
}

interface NodeParts {
  readonly postgres: Postgres;
  readonly node: string;
  /** Where the other nodes reach it. */
  readonly address: string;
  /** The version of the program. */
  readonly version: string;
  /** Time that never jumps, such as `performance.now`. */
  readonly steady: Clock;
  readonly leaseMs?: number;
  /** Whether it only reads: it owns vaults only while no node that writes is alive. */
  readonly readOnly?: boolean;
}

/**
 * That a node is alive, as the others see it. When that ends is written and compared by the clock of
 * PostgreSQL alone; the node itself only counts how long ago it has asked for its last renewal. So it
 * stops before the others take its vaults, whatever its clock says.
 */
export interface NodeLease extends NodeRun {
  /**
   * Makes it longer, and tells how many vaults the node has open and whether it is about to end.
   * Answers false when there is a later run of this node: then this one owns nothing
   * any more. While PostgreSQL cannot be reached it fails, and the lease goes on to its end.
   */
  renew(told?: { readonly awake: number; readonly drains: boolean }): Promise<boolean>;
  /** Whether the node is about to end, or was told to give its vaults away (`cluster drain`). */
  drains(): boolean;
  /** Whether changes may still be begun. This only spares work: the fence number decides. */
  isHeld(): boolean;
  /** Ends it, and gives up every vault that this run of the node owns. */
  leave(): Promise<void>;
}

/** Tells the others about a node that has just started. What its earlier run owned can be claimed. */
export async function joinNodes(parts: NodeParts): Promise<NodeLease> {
  const { postgres, node, address, version, steady, readOnly = false } = parts;
  const leaseMs = parts.leaseMs ?? clusterLimits.leaseMs;
  const marginMs = Math.min(clusterLimits.leaseMarginMs, leaseMs / 5);
  const expires = sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;
  let askedMs = steady.nowMs();
  const row = await postgres.get<{ incarnation: number }>(sql`
    INSERT INTO node (id, incarnation, address, version, drains, read_only, expires)
    VALUES (${node}, 1, ${address}, ${version}, false, ${readOnly ? 1 : 0} = 1, ${expires})
    ON CONFLICT (id) DO UPDATE SET incarnation = node.incarnation + 1, address = excluded.address,
      version = excluded.version, drains = false, read_only = excluded.read_only, expires = excluded.expires
    RETURNING incarnation`);
  const incarnation = row?.incarnation ?? 0;
  let isReplaced = false;
  let drains = false;
  const mine = sql`id = ${node} AND incarnation = ${incarnation}`;
  return {
    node,
    incarnation,
    async renew(told = { awake: 0, drains: false }) {
      const nowMs = steady.nowMs();
      const renewed = await postgres.get<{ drains: boolean }>(
        sql`UPDATE node SET expires = ${expires}, awake = ${told.awake},
              drains = drains OR ${told.drains ? 1 : 0} = 1
            WHERE ${mine} RETURNING drains`,
      );
      if (renewed === undefined) isReplaced = true;
      else {
        askedMs = nowMs;
        drains = renewed.drains;
      }
      return !isReplaced;
    },
    drains: () => drains,
    isHeld: () => !isReplaced && steady.nowMs() < askedMs + leaseMs - marginMs,
    async leave() {
      isReplaced = true;
      await postgres.script([
        sql`UPDATE vault SET node = NULL, incarnation = NULL
            WHERE node = ${node} AND incarnation = ${incarnation}`,
        sql`UPDATE node SET expires = clock_timestamp() WHERE ${mine}`,
      ]);
    },
  };
}
