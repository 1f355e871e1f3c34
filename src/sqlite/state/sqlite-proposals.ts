import { limits } from '../../base/limits.ts';
import type {
  ListedProposal,
  NewProposal,
  Proposal,
  ProposalFilter,
  Proposals,
  ProposedPlan,
} from '../../engine/ports/proposals.ts';
import type { ChangeId, ProposalId } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { askerId } from '../rows/asker-id.ts';
import {
  checkedBytes,
  type ListedRow,
  listedProposal,
  type ProposalRow,
  proposalClosed,
  proposalColumns,
  proposalRooms,
  replannedColumn,
  storedProposal,
  tooManyProposals,
} from '../rows/proposal-row.ts';
import { goneMs } from '../rows/record-ages.ts';
import { recordNumber } from '../rows/record-number.ts';
import { storableOrNull, storableText } from '../rows/storable-text.ts';
import { forgetOld, hasOld } from './forget-old.ts';
import type { StateConnection } from './state-connection.ts';

const listedColumns = 'id, time, state, change, reason, decided, listed';

/** The changes that wait for the owner, in the state file of a vault. */
export class SqliteProposals implements Proposals {
  readonly #state: StateConnection;

  constructor(state: StateConnection) {
    this.#state = state;
  }

  async add(proposal: NewProposal): Promise<Proposal> {
    const { timeMs, asker } = proposal;
    const columns = proposalColumns(proposal);
    const { connection } = this.#state;
    return this.#state.durably(() => {
      forgetOld(connection, 'proposal', timeMs);
      forgetDecided(connection);
      checkRoom(connection, columns.bytes, { timeMs, asker });
      const id = connection.run(
        `INSERT INTO proposal (${Object.keys(columns).join(', ')}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...Object.values(columns),
      );
      return { ...proposal, id: `p${id}`, state: 'open' };
    });
  }

  async get(id: ProposalId, nowMs: number): Promise<Proposal | undefined> {
    const row = this.#state.attempt(() =>
      this.#state.connection.get<ProposalRow>(
        'SELECT * FROM proposal WHERE id = ? AND time > ?',
        recordNumber('p', id),
        goneMs('proposal', nowMs),
      ),
    );
    return row === undefined ? undefined : storedProposal(row);
  }

  async list(
    filter: ProposalFilter,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly items: readonly ListedProposal[] }> {
    const { connection } = this.#state;
    const { state, asker, connection: link, sinceMs, nowMs } = filter;
    if (this.#state.attempt(() => hasOld(connection, 'proposal', nowMs))) {
      this.#state.lightly(() => forgetOld(connection, 'proposal', nowMs));
    }
    const conditions = ['time > ?'];
    const values: SqlValue[] = [goneMs('proposal', nowMs)];
    const only = (column: string, value: string) => {
      conditions.push(`${column} = ?`);
      values.push(value);
    };
    if (state !== undefined) only('state', state);
    if (asker !== undefined) only('asker', askerId(asker));
    if (link !== undefined) only('connection', storableText(link));
    if (sinceMs !== undefined) {
      conditions.push('coalesce(decided, time) >= ?');
      values.push(sinceMs);
    }
    const where = conditions.join(' AND ');
    return this.#state.attempt(() =>
      connection.read(() => ({
        total: connection.count(`SELECT count(*) AS n FROM proposal WHERE ${where}`, ...values),
        items: connection
          .all<ListedRow>(
            `SELECT ${listedColumns} FROM proposal WHERE ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
            ...values,
            page.limit,
            page.offset,
          )
          .map(listedProposal),
      })),
    );
  }

  async replan(id: ProposalId, { plannedMs, diff, basis }: ProposedPlan): Promise<void> {
    const { connection } = this.#state;
    const plan = JSON.stringify({ plannedMs, diff });
    const number = recordNumber('p', id);
    this.#state.durably(() => {
      const sql = "SELECT listed, call FROM proposal WHERE id = ? AND state = 'open'";
      const row = connection.get<Pick<ProposalRow, 'listed' | 'call'>>(sql, number);
      if (row === undefined) return;
      const listed = replannedColumn(row, basis);
      const bytes = checkedBytes(listed, row.call, plan);
      const set = 'UPDATE proposal SET listed = ?, plan = ?, bytes = ? WHERE id = ?';
      connection.run(set, listed, plan, bytes, number);
    });
  }

  async refuse(
    id: ProposalId,
    { reason, timeMs }: { readonly reason?: string; readonly timeMs: number },
  ): Promise<boolean> {
    const number = recordNumber('p', id);
    return this.#state.durably(() => {
      const refused = this.#state.connection.get(
        `UPDATE proposal SET state = 'refused', reason = ?, decided = ?
         WHERE id = ? AND state = 'open' AND time > ? AND NOT EXISTS (
           SELECT 1 FROM change WHERE state <> 'done' AND proposal = ?)
         RETURNING id`,
        storableOrNull(reason),
        timeMs,
        number,
        goneMs('proposal', timeMs),
        number,
      );
      return refused !== undefined;
    });
  }
}

/** Fails with `conflict` when a proposal is not open, so that it is not carried out. */
export function checkProposalOpen(connection: Connection, id: ProposalId): void {
  const sql = "SELECT count(*) AS n FROM proposal WHERE id = ? AND state = 'open'";
  if (connection.count(sql, recordNumber('p', id)) > 0) return;
  throw proposalClosed(id);
}

/** Records that a change has carried out the proposal with this number. */
export function acceptProposal(
  connection: Connection,
  proposal: number,
  change: { readonly id: ChangeId; readonly time: number },
): void {
  connection.run(
    `UPDATE proposal SET state = 'accepted', change = ?, decided = ?
     WHERE id = ? AND state = 'open'`,
    change.id,
    change.time,
    proposal,
  );
}

/**
 * Fails with `busy` when too many proposals are open, or they would have too many bytes: of all
 * askers, or of this one.
 */
function checkRoom(
  connection: Connection,
  bytes: number,
  { timeMs, asker }: Pick<NewProposal, 'timeMs' | 'asker'>,
): void {
  for (const room of proposalRooms()) {
    const open = `FROM proposal WHERE state = 'open' AND time > ? ${room.own ? 'AND asker = ?' : ''}`;
    const values = [goneMs('proposal', timeMs), ...(room.own ? [askerId(asker)] : [])];
    const waiting = connection.count(`SELECT count(*) AS n ${open}`, ...values);
    const taken = connection.count(`SELECT sum(bytes) AS n ${open}`, ...values);
    if (waiting < room.count && taken + bytes <= room.bytes) continue;
    throw tooManyProposals({ open: waiting, bytes: taken });
  }
}

/** Deletes the oldest decided proposals, so that no more of them are kept than may be open. */
function forgetDecided(connection: Connection): void {
  connection.run(
    `DELETE FROM proposal WHERE id IN (
       SELECT id FROM (
         SELECT id, count(*) OVER newer AS n, sum(bytes) OVER newer AS total
         FROM proposal WHERE state <> 'open' WINDOW newer AS (ORDER BY id DESC))
       WHERE n > ? OR total > ?)`,
    limits.proposalsMax,
    limits.proposalsBytesMax,
  );
}
