import { limits } from '../../base/limits.ts';
import type {
  ListedProposal,
  NewProposal,
  Proposal,
  ProposalFilter,
  Proposals,
  ProposedPlan,
} from '../../engine/ports/proposals.ts';
import type { ProposalId } from '../../engine/ports/state-store.ts';
import { askerId } from '../../sqlite/rows/asker-id.ts';
import {
  checkedBytes,
  type ListedRow,
  listedProposal,
  type ProposalRow,
  proposalColumns,
  proposalRooms,
  replannedColumn,
  storedProposal,
  tooManyProposals,
} from '../../sqlite/rows/proposal-row.ts';
import { goneMs } from '../../sqlite/rows/record-ages.ts';
import { recordNumber } from '../../sqlite/rows/record-number.ts';
import { storableOrNull, storableText } from '../../sqlite/rows/storable-text.ts';
import { joinSql, sql } from '../connection/sql.ts';
import type { OwnedVault } from './owned-vault.ts';
import { forgetOld } from './prune-history.ts';

/** The changes that wait for the owner, in PostgreSQL. */
export class PostgresProposals implements Proposals {
  readonly #vault: OwnedVault;

  constructor(vault: OwnedVault) {
    this.#vault = vault;
  }

  async add(proposal: NewProposal): Promise<Proposal> {
    const { id: vault } = this.#vault;
    const row = proposalColumns(proposal);
    const rows = await this.#vault.write<{ id: number }>(async () => {
      await this.#checkRoom(proposal, row.bytes);
      return [
        forgetOld(vault, 'proposal', proposal.timeMs),
        // The oldest decided ones go, so that no more of them are kept than may be open.
        sql`DELETE FROM proposal WHERE vault = ${vault} AND id IN (
              SELECT id FROM (
                SELECT id, count(*) OVER newer AS n, sum(bytes) OVER newer AS total
                FROM proposal WHERE vault = ${vault} AND state <> 'open'
                WINDOW newer AS (ORDER BY id DESC)) AS decided
              WHERE n > ${limits.proposalsMax} OR total > ${limits.proposalsBytesMax})`,
        sql`UPDATE vault SET last_proposal = last_proposal + 1 WHERE id = ${vault}`,
        sql`INSERT INTO proposal (vault, id, time, state, asker, connection, bytes, listed, call, plan)
            SELECT id, last_proposal, ${row.time}, ${row.state}, ${row.asker}, ${row.connection},
              ${row.bytes}, ${row.listed}, ${row.call}, ${row.plan}
            FROM vault WHERE id = ${vault} RETURNING id`,
      ];
    }, 'durable');
    return { ...proposal, id: `p${rows[0]?.id ?? 0}`, state: 'open' };
  }

  async get(id: ProposalId, nowMs: number): Promise<Proposal | undefined> {
    const row = await this.#vault.postgres.get<ProposalRow>(sql`
      SELECT * FROM proposal WHERE vault = ${this.#vault.id} AND id = ${recordNumber('p', id)}
        AND time > ${goneMs('proposal', nowMs)}`);
    return row === undefined ? undefined : storedProposal(row);
  }

  async list(
    filter: ProposalFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly items: readonly ListedProposal[] }> {
    const { state, asker, connection, sinceMs, nowMs } = filter;
    const { id: vault, postgres } = this.#vault;
    const conditions = [sql`vault = ${vault} AND time > ${goneMs('proposal', nowMs)}`];
    if (state !== undefined) conditions.push(sql`state = ${state}`);
    if (asker !== undefined) conditions.push(sql`asker = ${askerId(asker)}`);
    if (connection !== undefined) conditions.push(sql`connection = ${storableText(connection)}`);
    if (sinceMs !== undefined) conditions.push(sql`coalesce(decided, time) >= ${sinceMs}`);
    const where = joinSql(conditions, ' AND ');
    const rows = await postgres.all<{ total: number; id: null } | ({ total: number } & ListedRow)>(
      sql`WITH page AS (
            SELECT id, time, state, change, reason, decided, listed FROM proposal WHERE ${where}
            ORDER BY id DESC LIMIT ${page.limit} OFFSET ${page.offset})
          SELECT page.*, counted.total
          FROM (SELECT count(*) AS total FROM proposal WHERE ${where}) AS counted
          LEFT JOIN page ON TRUE ORDER BY page.id DESC`,
    );
    const items = rows.flatMap((row) => (row.id === null ? [] : [listedProposal(row)]));
    return { total: rows[0]?.total ?? 0, items };
  }

  async replan(id: ProposalId, { plannedMs, diff, basis }: ProposedPlan): Promise<void> {
    const { id: vault, postgres } = this.#vault;
    const plan = JSON.stringify({ plannedMs, diff });
    const number = recordNumber('p', id);
    await this.#vault.write(async () => {
      const row = await postgres.get<Pick<ProposalRow, 'listed' | 'call'>>(sql`
        SELECT listed, call FROM proposal
        WHERE vault = ${vault} AND id = ${number} AND state = 'open'`);
      if (row === undefined) return [];
      const listed = replannedColumn(row, basis);
      const bytes = checkedBytes(listed, row.call, plan);
      return [
        sql`UPDATE proposal SET listed = ${listed}, plan = ${plan}, bytes = ${bytes}
            WHERE vault = ${vault} AND id = ${number}`,
      ];
    }, 'durable');
  }

  async refuse(
    id: ProposalId,
    { reason, timeMs }: { readonly reason?: string; readonly timeMs: number },
  ): Promise<boolean> {
    const { id: vault } = this.#vault;
    const number = recordNumber('p', id);
    const refused = await this.#vault.write(
      async () => [
        sql`UPDATE proposal
            SET state = 'refused', reason = ${storableOrNull(reason)}, decided = ${timeMs}
            WHERE vault = ${vault} AND id = ${number} AND state = 'open'
              AND time > ${goneMs('proposal', timeMs)} AND NOT EXISTS (
                SELECT 1 FROM change
                WHERE change.vault = ${vault} AND change.state <> 'done' AND proposal = ${number})
            RETURNING id`,
      ],
      'durable',
    );
    return refused.length > 0;
  }

  /** Fails with `busy` when too many proposals are open: of all askers, or of this one. */
  async #checkRoom({ timeMs, asker }: NewProposal, bytes: number): Promise<void> {
    const { id: vault, postgres } = this.#vault;
    for (const room of proposalRooms()) {
      const own = room.own ? sql`asker = ${askerId(asker)}` : sql`TRUE`;
      const open = (await postgres.get<{ n: number; bytes: number }>(sql`
        SELECT count(*) AS n, coalesce(sum(bytes), 0)::bigint AS bytes FROM proposal
        WHERE vault = ${vault} AND state = 'open' AND time > ${goneMs('proposal', timeMs)}
          AND ${own}`)) ?? { n: 0, bytes: 0 };
      if (open.n >= room.count || open.bytes + bytes > room.bytes) {
        throw tooManyProposals({ open: open.n, bytes: open.bytes });
      }
    }
  }
}
