import { isObject } from '../../base/json.ts';
import type { Answer } from './read-result.ts';
import { numberIn, objectsIn, textIn, textsIn } from './read-result.ts';

/** How the caller names a change: a number, or a word. */
export type ChangeId = number | string;

/** One change of the history. */
export interface ShownChange {
  readonly id: ChangeId;
  readonly tool: string;
  /** Absent where the client is not known. */
  readonly client?: string;
  readonly timeMs?: number;
  readonly files: readonly ShownFile[];
  /** How many changes it has taken back. */
  readonly undoes: number;
  readonly isUndone: boolean;
}

interface ShownFile {
  readonly path: string;
  readonly did: 'created' | 'changed' | 'moved' | 'deleted';
  readonly from?: string;
}

/** What an undo has done. */
export interface ShownUndo {
  /** The undo as a change of its own; undefined when nothing was changed. */
  readonly change?: ChangeId;
  readonly undone: number;
  /** Files whose later edits were kept. */
  readonly merged: number;
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  readonly warnings: readonly string[];
}

/** The changes in an answer of list_changes. */
export function readChanges(answer: Answer): readonly ShownChange[] {
  let client: string | undefined;
  return objectsIn(answer, 'changes').flatMap((row): ShownChange[] => {
    // Client and session are said only where they differ from the change above.
    if (row['client'] !== undefined) client = textIn(row, 'client');
    const id = changeId(row['id']);
    if (id === undefined) return [];
    const timeMs = Date.parse(textIn(row, 'time') ?? '');
    const { undoes } = row;
    return [
      {
        id,
        tool: textIn(row, 'tool') ?? '',
        ...(client === undefined ? {} : { client }),
        ...(Number.isNaN(timeMs) ? {} : { timeMs }),
        files: readFiles(row),
        undoes: Array.isArray(undoes) ? undoes.length : 0,
        isUndone: row['undone_by'] !== undefined,
      },
    ];
  });
}

/** What an answer of undo_change says; undefined for other answers. */
export function readUndo(answer: Answer): ShownUndo | undefined {
  const { undone } = answer;
  if (!Array.isArray(undone)) return undefined;
  const change = changeId(answer['change']);
  return {
    ...(change === undefined ? {} : { change }),
    undone: numberIn(answer, 'undone_total') ?? undone.length,
    merged: textsIn(answer, 'merged').length,
    left: objectsIn(answer, 'left').map((each) => ({
      path: textIn(each, 'path') ?? '',
      reason: textIn(each, 'reason') ?? '',
    })),
    warnings: textsIn(answer, 'warnings'),
  };
}

function readFiles(row: Answer): readonly ShownFile[] {
  const moved = isObject(row['moved']) ? Object.entries(row['moved']) : [];
  const deeds = { created: 'created', restored: 'created', changed: 'changed', deleted: 'deleted' };
  const files = Object.entries(deeds).flatMap(([key, did]) =>
    textsIn(row, key).map((path): ShownFile => ({ path, did: did as ShownFile['did'] })),
  );
  return [
    ...files,
    ...moved.flatMap(([from, path]): ShownFile[] =>
      typeof path === 'string' ? [{ path, did: 'moved', from }] : [],
    ),
  ];
}

function changeId(value: unknown): ChangeId | undefined {
  return typeof value === 'number' || typeof value === 'string' ? value : undefined;
}
