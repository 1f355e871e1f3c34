import { goneMs } from '../../sqlite/rows/record-ages.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sql } from '../connection/sql.ts';

/** How a vault stands, as far as the tables tell. */
export interface VaultStanding {
  readonly name: string;
  /** The number of the newest finished change; 0 when there is none. */
  readonly at: number;
  /** How many questions and proposals wait for the owner. */
  readonly open: number;
  readonly proposals: number;
  /** Whether a living node can serve it. */
  readonly here: boolean;
}

/** How all vaults of the cluster stand, by name. No vault is opened for it. */
export function vaultStandings(
  postgres: Postgres,
  nowMs: number,
): Promise<readonly VaultStanding[]> {
  return postgres.all<VaultStanding>(sql`
    SELECT name,
      coalesce((SELECT id FROM change WHERE change.vault = vault.id AND state = 'done'
        ORDER BY id DESC LIMIT 1), 0) AS at,
      (SELECT count(*) FROM question WHERE question.vault = vault.id
        AND says IS NULL AND used = 0 AND time > ${goneMs('question', nowMs)}) AS open,
      (SELECT count(*) FROM proposal WHERE proposal.vault = vault.id
        AND state = 'open' AND time > ${goneMs('proposal', nowMs)}) AS proposals,
      EXISTS (SELECT 1 FROM node WHERE expires > clock_timestamp()
        AND (vault.pinned IS NULL OR vault.pinned = node.id)) AS here
    FROM vault ORDER BY name`);
}
