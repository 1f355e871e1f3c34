import type { Door } from '../../base/caller.ts';
import { pathKey, type VaultPath } from '../../base/vault-path.ts';
import type { Version } from '../../base/version.ts';
import type {
  ChangeId,
  ChangeState,
  ChangeStep,
  ChangeSummary,
  NewChange,
  StoredChange,
} from '../../engine/ports/state-store.ts';
import { recordNumber } from './record-number.ts';
import { storableOrNull } from './storable-text.ts';

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

/** What is stored of a new change in its row, by the names of the columns. */
export function changeColumns(change: NewChange, state: ChangeState) {
  return {
    state,
    time: change.timeMs,
    first_time: change.timeMs,
    fold: change.fold === true ? 1 : 0,
    deletes: change.steps.some(isDeletion) ? 1 : 0,
    door: change.door,
    client: storableOrNull(change.client),
    connection: storableOrNull(change.connection),
    token: storableOrNull(change.token),
    proposal: change.proposal === undefined ? null : recordNumber('p', change.proposal),
    tool: change.tool,
    args: JSON.stringify(change.args),
    undoes: JSON.stringify(packedUndoes(change)),
    kept: '[]',
    steps: JSON.stringify(change.steps),
  };
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

export type SummaryRow = Pick<
  ChangeRow,
  'id' | 'time' | 'door' | 'client' | 'connection' | 'token' | 'undone_by'
> & { readonly is_undo: 0 | 1; readonly files: number };

/** Turns a row into a `ChangeSummary`. */
export function summaryOf(row: SummaryRow): ChangeSummary {
  return {
    id: row.id,
    timeMs: row.time,
    door: row.door,
    ...(row.client === null ? {} : { client: row.client }),
    ...(row.connection === null ? {} : { connection: row.connection }),
    ...(row.token === null ? {} : { token: row.token }),
    ...(row.undone_by === null ? {} : { undoneBy: row.undone_by }),
    isUndo: row.is_undo === 1,
    files: row.files,
  };
}

/** Whether a step removes a file, so that the history may have its only copy. */
function isDeletion(step: ChangeStep): boolean {
  return step.do === 'delete' || (step.do === 'move' && step.over !== undefined);
}

/** The folded paths of the steps, with 1 for a folder that is moved with everything in it, else 0. */
export function touchedKeys(steps: readonly ChangeStep[]): ReadonlyMap<string, 0 | 1> {
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
