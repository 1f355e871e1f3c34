import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
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
import { storableText } from '../connection/sql-values.ts';
import { askerId } from './asker-id.ts';
import { forgetOld, goneMs, hasOld } from './forget-old.ts';
import { recordNumber } from './record-number.ts';
import type { StateConnection } from './state-connection.ts';

/** A row of the table `proposal`, as lists need it; see `stateSchemas`. */
interface ListedRow {
  readonly id: number;
  readonly time: number;
  readonly state: Proposal['state'];
  readonly change: ChangeId | null;
  readonly reason: string | null;
  readonly decided: number | null;
  readonly listed: string;
}

interface ProposalRow extends ListedRow {
  readonly call: string;
  readonly plan: string;
}

const listedColumns = 'id, time, state, change, reason, decided, listed';

/** The changes that wait for the owner, in the state file of a vault. */
export class SqliteProposals implements Proposals {
  readonly #state: StateConnection;

  constructor(state: StateConnection) {
    this.#state = state;
  }

  async add(proposal: NewProposal): Promise<Proposal> {
    const { timeMs, plannedMs, diff, basis, asker, tool, ...rest } = proposal;
    const listed = JSON.stringify({ asker, tool, basis });
    const call = JSON.stringify(rest);
    const plan = JSON.stringify({ plannedMs, diff });
    const bytes = checkedBytes(listed, call, plan);
    const { connection } = this.#state;
    return this.#state.durably(() => {
      forgetOld(connection, 'proposal', timeMs);
      forgetDecided(connection);
      checkRoom(connection, bytes, { timeMs, asker });
      const id = connection.run(
        `INSERT INTO proposal (time, state, asker, connection, bytes, listed, call, plan)
         VALUES (?, 'open', ?, ?, ?, ?, ?, ?)`,
        timeMs,
        askerId(asker),
        storableOrNull(asker.connection),
        bytes,
        listed,
        call,
        plan,
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
      const listed = JSON.stringify({ ...(JSON.parse(row.listed) as object), basis });
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
  throw new VaultError(
    'conflict',
    `${id} was not carried out: meanwhile it was accepted or refused elsewhere, or became too old.`,
    { details: { proposal: id } },
  );
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

function storedProposal(row: ProposalRow): Proposal {
  return {
    ...(JSON.parse(row.call) as Pick<Proposal, 'scopes' | 'toolset' | 'input' | 'settings'>),
    ...(JSON.parse(row.plan) as Pick<Proposal, 'plannedMs' | 'diff'>),
    ...listedProposal(row),
  };
}

function listedProposal(row: ListedRow): ListedProposal {
  return {
    ...(JSON.parse(row.listed) as Pick<Proposal, 'asker' | 'tool' | 'basis'>),
    timeMs: row.time,
    id: `p${row.id}`,
    state: row.state,
    ...(row.change === null ? {} : { change: row.change }),
    ...(row.reason === null ? {} : { reason: row.reason }),
    ...(row.decided === null ? {} : { decidedMs: row.decided }),
  };
}

function storableOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storableText(text);
}

/** The bytes of a proposal as it is stored. Fails with `too_large` when they are too many. */
function checkedBytes(...texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= limits.proposalBytesMax) return bytes;
  throw new VaultError(
    'too_large',
    `A proposal may have ${limits.proposalBytesMax} bytes together with its diff, and this one has ${bytes}; propose it in several parts.`,
    { details: { bytes, max: limits.proposalBytesMax } },
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
  const { proposalsMax, proposalsBytesMax, proposalsOfOneMax, proposalsOfOneBytesMax } = limits;
  const rooms = [
    { and: '', of: [], count: proposalsMax, room: proposalsBytesMax },
    {
      and: 'AND asker = ?',
      of: [askerId(asker)],
      count: proposalsOfOneMax,
      room: proposalsOfOneBytesMax,
    },
  ];
  for (const { and, of, count, room } of rooms) {
    const open = `FROM proposal WHERE state = 'open' AND time > ? ${and}`;
    const values = [goneMs('proposal', timeMs), ...of];
    const waiting = connection.count(`SELECT count(*) AS n ${open}`, ...values);
    const taken = connection.count(`SELECT sum(bytes) AS n ${open}`, ...values);
    if (waiting < count && taken + bytes <= room) continue;
    throw new VaultError(
      'busy',
      'Too many proposals already wait for the owner of the vault, so this one was not kept. Try again when the owner has decided some.',
      { details: { open: waiting, bytes: taken, retryAfterMs: limits.brakeMs } },
    );
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
