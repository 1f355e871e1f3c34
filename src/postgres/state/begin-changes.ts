import type {
  ChangeId,
  ChangeState,
  ContentPut,
  SingleRecord,
} from '../../engine/ports/state-store.ts';
import { changeColumns, touchedKeys, versionsOf } from '../../sqlite/rows/change-row.ts';
import { proposalClosed } from '../../sqlite/rows/proposal-row.ts';
import { storableText } from '../../sqlite/rows/storable-text.ts';
import { fenced } from '../connection/postgres-failure.ts';
import { sql } from '../connection/sql.ts';
import { contentsTable, newContents } from './contents.ts';
import type { OwnedVault } from './owned-vault.ts';

/** Writes changes down, all of them or none, by one statement; answers their numbers. */
export async function beginChanges(
  vault: OwnedVault,
  records: readonly SingleRecord[],
  state: ChangeState,
): Promise<readonly ChangeId[]> {
  const { id, epoch, postgres } = vault;
  const contents = await newContents(
    vault,
    records.flatMap((record) => record.contents),
  );
  const tables = rowsOf(records, state);
  const count = records.length;
  const row = await postgres.get<{ first: number }>(sql`
    WITH f AS (
      UPDATE vault SET last_change = last_change + ${count}
      WHERE id = ${id} AND epoch = ${epoch} AND NOT EXISTS (
        SELECT 1 FROM unnest(${tables.proposals}::bigint[]) AS asked
        WHERE NOT EXISTS (SELECT 1 FROM proposal
          WHERE proposal.vault = ${id} AND proposal.id = asked AND state = 'open'))
      RETURNING last_change - ${count} AS first),
    c AS (
      INSERT INTO change (vault, id, state, time, first_time, fold, deletes, door, client, connection,
        token, proposal, tool, args, undoes, kept, steps)
      SELECT ${id}, f.first + nr, state, time, first_time, fold, deletes, door, client, connection,
        token, proposal, tool, args, undoes, kept, steps
      FROM f, json_to_recordset(${JSON.stringify(tables.changes)}::json) AS given (
        nr int, state text, time float8, first_time float8, fold int, deletes int, door text,
        client text, connection text, token text, proposal bigint, tool text, args text, undoes text,
        kept text, steps text)),
    t AS (
      INSERT INTO touch (vault, key, change, folder)
      SELECT ${id}, key, f.first + nr, folder
      FROM f, json_to_recordset(${JSON.stringify(tables.touches)}::json) AS given (
        nr int, key text, folder int)),
    n AS (
      INSERT INTO need (vault, change, version)
      SELECT ${id}, f.first + nr, version
      FROM f, json_to_recordset(${JSON.stringify(tables.needs)}::json) AS given (nr int, version text)),
    d AS (
      INSERT INTO destroyed (vault, change, asker, time, files, before, after, live)
      SELECT ${id}, f.first + nr, asker, time, files, before, after, 0
      FROM f, json_to_recordset(${JSON.stringify(tables.destroyed)}::json) AS given (
        nr int, asker text, time float8, files int, before text, after text)),
    m AS (
      INSERT INTO made_call (vault, call, change)
      SELECT ${id}, call, f.first + nr
      FROM f, json_to_recordset(${JSON.stringify(tables.calls)}::json) AS given (nr int, call text)),
    k AS (
      INSERT INTO content (vault, version, base, depth, prefix, suffix, packed, bytes)
      SELECT ${id}, given.* FROM f, ${contentsTable(contents)} AS given
      ON CONFLICT DO NOTHING)
    SELECT first FROM f`);
  if (row !== undefined) return records.map((_, nr) => row.first + nr + 1);
  await checkOwned(vault);
  const [proposal] = records.flatMap(({ change }) => change.proposal ?? []);
  throw proposal === undefined ? fenced() : proposalClosed(proposal);
}

/** Commits a change of several steps, by one statement. Answers whether there was one to commit. */
export async function markChange(
  vault: OwnedVault,
  change: ChangeId,
  contents: readonly ContentPut[],
): Promise<boolean> {
  const { id, epoch, postgres } = vault;
  const stored = await newContents(vault, contents);
  const versions = Array.from(new Set(contents.map(({ version }) => version)));
  const row = await postgres.get<{ owned: number; entered: number }>(sql`
    WITH f AS (SELECT 1 FROM vault WHERE id = ${id} AND epoch = ${epoch} FOR SHARE),
    c AS (
      UPDATE change SET state = 'marked' FROM f
      WHERE vault = ${id} AND id = ${change} AND state <> 'done' RETURNING id),
    n AS (
      INSERT INTO need (vault, change, version)
      SELECT ${id}, c.id, version FROM c, unnest(${versions}::text[]) AS version
      ON CONFLICT DO NOTHING),
    k AS (
      INSERT INTO content (vault, version, base, depth, prefix, suffix, packed, bytes)
      SELECT ${id}, given.* FROM c, ${contentsTable(stored)} AS given
      ON CONFLICT DO NOTHING)
    SELECT (SELECT count(*) FROM f) AS owned, (SELECT count(*) FROM c) AS entered`);
  if (row?.owned !== 1) throw fenced();
  return row.entered === 1;
}

/** Fails when the vault has another owner. */
async function checkOwned({ id, epoch, postgres }: OwnedVault): Promise<void> {
  const owned = sql`SELECT 1 FROM vault WHERE id = ${id} AND epoch = ${epoch}`;
  if ((await postgres.get(owned)) === undefined) throw fenced();
}

/** The rows of the tables for new changes; `nr` counts the changes from 1 on. */
function rowsOf(records: readonly SingleRecord[], state: ChangeState) {
  const numbered = records.map((record, at) => ({ ...record, nr: at + 1 }));
  return {
    changes: numbered.map(({ change, nr }) => ({ nr, ...changeColumns(change, state) })),
    touches: numbered.flatMap(({ change, nr }) =>
      Array.from(storableKeys(touchedKeys(change.steps)), ([key, folder]) => ({ nr, key, folder })),
    ),
    needs: numbered.flatMap(({ change, contents, nr }) => {
      const versions = contents.map(({ version }) => version);
      const all = new Set([...change.steps.flatMap(versionsOf), ...versions]);
      return Array.from(all, (version) => ({ nr, version }));
    }),
    destroyed: numbered.flatMap(({ change, nr }) =>
      (change.destroys?.files ?? []).map(({ before = null, after = null, files }) => ({
        nr,
        asker: storableText(change.destroys?.asker ?? ''),
        time: change.timeMs,
        files,
        before,
        after,
      })),
    ),
    calls: numbered.flatMap(({ change, nr }) =>
      change.callKey === undefined ? [] : [{ nr, call: change.callKey }],
    ),
    proposals: numbered.flatMap(({ change }) => changeColumns(change, state).proposal ?? []),
  };
}

function storableKeys(keys: ReadonlyMap<string, 0 | 1>): ReadonlyMap<string, 0 | 1> {
  return new Map(Array.from(keys, ([key, folder]) => [storableText(key), folder]));
}
