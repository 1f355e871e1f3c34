import type { Door } from '../../base/caller.ts';
import { pathKey, type VaultFolder, type VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type {
  ChangeId,
  ChangeState,
  ChangeStep,
  NewChange,
  StoredChange,
} from '../../engine/ports/state-store.ts';
import type { GivenNumbers } from '../../engine/ports/vault-state.ts';
import type { Connection } from '../connection/connection.ts';
import type { SqlValue } from '../connection/open-database.ts';
import { folderRange, storableText } from '../connection/sql-values.ts';
import { releaseContents } from './content-store.ts';
import { forgetDestroyed, insertDestroyed } from './destroyed-files.ts';
import { recordNumber } from './record-number.ts';

/** A row of the table `change`; see `stateSchemas`. `args`, `undoes`, `kept` and `steps` are JSON. */
export interface ChangeRow {
  readonly id: ChangeId;
  readonly state: ChangeState;
  readonly time: number;
  readonly first_time: number;
  readonly fold: number;
  readonly undone_by: ChangeId | null;
  readonly door: Door;
  readonly client: string | null;
  readonly connection: string | null;
  readonly token: string | null;
  readonly proposal: number | null;
  readonly tool: string;
  readonly args: string;
  readonly undoes: string;
  readonly kept: string;
  readonly steps: string;
}

/** Stores a change, the paths it touches and the versions it needs; returns its number. */
export function insertChange(
  connection: Connection,
  change: NewChange,
  state: ChangeState,
): ChangeId {
  const id = connection.run(
    `INSERT INTO change (state, time, first_time, fold, deletes, door, client, connection, token,
       proposal, tool, args, undoes, kept, steps)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    state,
    change.timeMs,
    change.timeMs,
    change.fold === true ? 1 : 0,
    change.steps.some(isDeletion) ? 1 : 0,
    change.door,
    change.client === undefined ? null : storableText(change.client),
    change.connection === undefined ? null : storableText(change.connection),
    change.token === undefined ? null : storableText(change.token),
    change.proposal === undefined ? null : recordNumber('p', change.proposal),
    change.tool,
    JSON.stringify(change.args),
    JSON.stringify(packedUndoes(change)),
    '[]',
    JSON.stringify(change.steps),
  );
  for (const [key, folder] of touchedKeys(change.steps)) {
    connection.run('INSERT INTO touch (key, change, folder) VALUES (?, ?, ?)', key, id, folder);
  }
  insertNeeds(connection, id, change.steps.flatMap(versionsOf));
  if (change.destroys !== undefined) {
    insertDestroyed(connection, id, change.destroys, change.timeMs);
  }
  return id;
}

/** For each kind of record, the highest number that was given to one. */
export function givenNumbers(connection: Connection): GivenNumbers {
  const sql =
    "SELECT name, seq FROM sqlite_sequence WHERE name IN ('change', 'question', 'proposal')";
  const rows = connection.all<{ name: string; seq: number }>(sql);
  return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]));
}

/** Lets the numbers of new records begin after these, unless they are higher already. */
export function numberAfter(connection: Connection, numbers: GivenNumbers): void {
  for (const [name, number] of Object.entries(numbers)) {
    connection.write(() => {
      const sql = 'SELECT seq AS n FROM sqlite_sequence WHERE name = ?';
      if (connection.count(sql, name) >= number) return;
      connection.run('DELETE FROM sqlite_sequence WHERE name = ?', name);
      connection.run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', name, number);
    });
  }
}

/** Whether a step removes a file, so that the history may have its only copy. */
function isDeletion(step: ChangeStep): boolean {
  return step.do === 'delete' || (step.do === 'move' && step.over !== undefined);
}

/** Records that a change needs these versions. */
export function insertNeeds(
  connection: Connection,
  id: ChangeId,
  versions: readonly Version[],
): void {
  const sql = 'INSERT OR IGNORE INTO need (change, version) VALUES (?, ?)';
  for (const version of versions) connection.run(sql, id, version);
}

/** The row of a change; undefined when there is none. */
export function changeRow(connection: Connection, id: ChangeId): ChangeRow | undefined {
  return connection.get<ChangeRow>('SELECT * FROM change WHERE id = ?', id);
}

/** Turns a row into a `StoredChange`. */
export function storedChange(row: ChangeRow): StoredChange {
  const packed = JSON.parse(row.undoes) as readonly number[];
  const undoes = packed.map(Math.abs);
  const partly = packed.filter((id) => id < 0).map(Math.abs);
  return {
    id: row.id,
    state: row.state,
    timeMs: row.time,
    door: row.door,
    ...(row.client === null ? {} : { client: row.client }),
    ...(row.connection === null ? {} : { connection: row.connection }),
    ...(row.token === null ? {} : { token: row.token }),
    tool: row.tool,
    args: JSON.parse(row.args) as StoredChange['args'],
    steps: stepsOf(row),
    ...(undoes.length === 0 ? {} : { undoes }),
    ...(partly.length === 0 ? {} : { partly }),
    ...(row.fold === 1 ? { fold: true } : {}),
    ...(row.proposal === null ? {} : { proposal: `p${row.proposal}` as const }),
    ...(row.undone_by === null ? {} : { undoneBy: row.undone_by }),
    kept: JSON.parse(row.kept) as readonly VaultPath[],
  };
}

/** The steps of a change. */
export function stepsOf(row: Pick<ChangeRow, 'steps'>): readonly ChangeStep[] {
  return JSON.parse(row.steps) as readonly ChangeStep[];
}

/** The numbers of the changes that a change undoes as a whole. */
export function undoesOf(row: Pick<ChangeRow, 'undoes'>): readonly ChangeId[] {
  return (JSON.parse(row.undoes) as readonly ChangeId[]).filter((id) => id > 0);
}

/** What `undoes` stores: the changes that were undone only in part with a minus. */
function packedUndoes({ undoes = [], partly = [] }: NewChange): readonly number[] {
  const inPart = new Set(partly);
  return undoes.map((id) => (inPart.has(id) ? -id : id));
}

/** A query for the numbers of the changes that touch a file, or something in a folder. */
export function touching(path: VaultFolder): { sql: string; values: readonly SqlValue[] } {
  const key = pathKey(path);
  const inside = folderRange(key as string as VaultFolder);
  // The folders that contain the path: if one of them was moved, the path was touched too.
  const around = key.split('/').map((_, count, names) => names.slice(0, count).join('/'));
  return {
    sql: `SELECT change FROM touch WHERE key = ?
      UNION SELECT change FROM touch WHERE ${inside.condition('key')}
      UNION SELECT change FROM touch
        WHERE folder = 1 AND key IN (SELECT value FROM json_each(?))`,
    values: [key, ...inside.values, JSON.stringify(around)],
  };
}

/** Deletes changes, and the contents that no other change needs. */
export function forgetChanges(connection: Connection, ids: readonly ChangeId[]): void {
  const versions = new Set<Version>();
  for (const id of ids) {
    const sql = 'SELECT version FROM need WHERE change = ?';
    for (const { version } of connection.all<{ version: Version }>(sql, id)) versions.add(version);
    connection.run('DELETE FROM need WHERE change = ?', id);
    connection.run('DELETE FROM touch WHERE change = ?', id);
    forgetDestroyed(connection, id);
    connection.run('DELETE FROM change WHERE id = ?', id);
  }
  releaseContents(connection, versions);
}

/** The folded paths of the steps, with 1 for a folder that is moved with everything in it, else 0. */
function touchedKeys(steps: readonly ChangeStep[]): ReadonlyMap<string, 0 | 1> {
  const keys = new Map<string, 0 | 1>();
  for (const step of steps) {
    const paths = 'to' in step ? [step.path, step.to] : [step.path];
    for (const path of paths) {
      const key = pathKey(path);
      if (step.do === 'moveFolder') keys.set(key, 1);
      else if (!keys.has(key)) keys.set(key, 0);
    }
  }
  return keys;
}

/** The versions that a step mentions. */
export function versionsOf(step: ChangeStep): readonly Version[] {
  switch (step.do) {
    case 'write':
      return step.before === undefined ? [step.after] : [step.before, step.after];
    case 'append':
    case 'cut':
      return [step.tail];
    case 'delete':
      return step.before === undefined ? [] : [step.before];
    case 'move':
      return [step.version ?? [], step.over === 'unkept' ? [] : (step.over ?? [])].flat();
    default:
      return [];
  }
}
