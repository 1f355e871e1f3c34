import type { VaultPath } from '../../base/vault-path.ts';
import { hasStatus, openStatus } from '../../engine/notes/task-status.ts';
import type { IndexStore, Page } from '../../engine/ports/index-store.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import { unpackTasks } from '../../engine/ports/note-detail.ts';
import type { TaskRecord } from '../../engine/ports/records.ts';
import type { View } from '../../engine/ports/view.ts';
import { seesAll } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

type TaskRequest = Parameters<IndexStore['tasks']>[1];
type TaskPage = Page<TaskRecord & { readonly path: VaultPath }>;

/**
 * See `IndexStore.tasks`. Tasks are stored in the details of the notes. For the whole vault, a kept
 * table (`keptTables.tasks`) says which notes have tasks. For a restricted view, all notes are read;
 * SQLite extracts the tasks, since passing on the whole details would be slower.
 */
export function tasks(connection: IndexConnection, view: View, request: TaskRequest): TaskPage {
  connection.tryMakeLateIndexes();
  if (seesAll(view) && connection.ensureKept('tasks')) return keptTasks(connection, request);
  const { status: asked, limit, offset } = request;
  const rows = connection.all<{ path: VaultPath; tasks: string }>(
    `SELECT path, tasks FROM (
       SELECT f.path, json_extract(n.detail, '$.tasks') AS tasks
       FROM file f CROSS JOIN note n ON n.file = f.id
       WHERE ${connection.sees(view, 'f.path')}
     ) WHERE tasks <> '[]' ORDER BY path`,
  );
  let total = 0;
  const items: (TaskRecord & { path: VaultPath })[] = [];
  for (const { path, tasks } of rows) {
    const packed = JSON.parse(tasks) as NoteDetail['tasks'];
    for (const { status, line } of unpackTasks({ tasks: packed })) {
      if (!hasStatus(status, asked)) continue;
      if (total >= offset && items.length < limit) items.push({ path, status, line });
      total++;
    }
  }
  return { total, items };
}

/** `tasks` for the whole vault: only the notes of the page are read. */
function keptTasks(connection: IndexConnection, { status, limit, offset }: TaskRequest): TaskPage {
  const { condition, values } = statusCondition(status);
  return connection.read(() => {
    // Each of these notes has at least one task, so they suffice up to the end of the page.
    const rows = connection.all<{ path: VaultPath; count: number }>(
      `SELECT path, sum(count) AS count FROM task WHERE ${condition}
       GROUP BY path ORDER BY path LIMIT ?`,
      ...values,
      offset + limit,
    );
    let before = 0; // How many tasks the notes before this one have.
    const items: (TaskRecord & { path: VaultPath })[] = [];
    for (const { path, count } of rows) {
      if (items.length >= limit) break;
      if (before + count > offset) {
        const found = tasksOf(connection, path).filter((task) => hasStatus(task.status, status));
        const first = Math.max(0, offset - before);
        const some = found.slice(first, first + limit - items.length);
        items.push(...some.map((task) => ({ path, ...task })));
      }
      before += count;
    }
    const total = `SELECT sum(count) AS n FROM task_total WHERE ${condition}`;
    return { total: connection.count(total, ...values), items };
  });
}

/** `todo` means the open status, `done` every other one; see `hasStatus`. */
function statusCondition(asked: string | undefined): {
  readonly condition: string;
  readonly values: readonly string[];
} {
  switch (asked) {
    case undefined:
      return { condition: 'TRUE', values: [] };
    case 'done':
      return { condition: 'status <> ?', values: [openStatus] };
    default:
      return { condition: 'status = ?', values: [asked === 'todo' ? openStatus : asked] };
  }
}

function tasksOf(connection: IndexConnection, path: VaultPath): TaskRecord[] {
  const row = connection.get<{ tasks: string }>(
    `SELECT json_extract(n.detail, '$.tasks') AS tasks
     FROM file f CROSS JOIN note n ON n.file = f.id WHERE f.path = ?`,
    path,
  );
  return unpackTasks({ tasks: JSON.parse(row?.tasks ?? '[]') as NoteDetail['tasks'] });
}
