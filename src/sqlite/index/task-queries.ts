import type { VaultPath } from '../../base/vault-path.ts';
import { TaskPicker } from '../../engine/notes/task-filter.ts';
import { hasStatus } from '../../engine/notes/task-status.ts';
import type { NoteDetail } from '../../engine/ports/note-detail.ts';
import { unpackTasks } from '../../engine/ports/note-detail.ts';
import type { TaskRecord } from '../../engine/ports/records.ts';
import type { TaskPage, TaskRequest } from '../../engine/ports/task-request.ts';
import type { View } from '../../engine/ports/view.ts';
import type { IndexConnection } from '../tables/index-connection.ts';

type FoundTask = TaskRecord & { readonly path: VaultPath };

/**
 * See `IndexStore.tasks`. Tasks are stored in the details of the notes. A kept table
 * (`keptTables.tasks`) says which notes have tasks, so that only these are read, or only those of the
 * page where neither dates nor tags are asked for. For a view of folders, all notes are read.
 * SQLite extracts the tasks, since passing on the whole details would be slower.
 */
export function tasks(
  connection: IndexConnection,
  view: View,
  request: TaskRequest,
): TaskPage<FoundTask> {
  connection.tryMakeLateIndexes();
  const hidden = connection.hiddenBy(view);
  const isKept = hidden !== undefined && connection.ensureKept('tasks');
  const { dates, tags, sort } = request;
  if (isKept && dates === undefined && tags === undefined && sort === undefined) {
    return keptTasks(connection, hidden, request);
  }
  const rows = connection.all<{ path: VaultPath; tasks: string }>(
    `SELECT path, tasks FROM (
       SELECT f.path, json_extract(n.detail, '$.tasks') AS tasks
       FROM file f CROSS JOIN note n ON n.file = f.id
       WHERE ${isKept ? 'f.path IN (SELECT path FROM task) AND ' : ''}${connection.sees(view, 'f.path')}
     ) WHERE tasks <> '[]' ORDER BY path`,
  );
  const picker = new TaskPicker<FoundTask>(request);
  for (const { path, tasks } of rows) {
    const packed = JSON.parse(tasks) as NoteDetail['tasks'];
    for (const task of unpackTasks({ tasks: packed })) picker.add({ path, ...task });
  }
  return picker.page();
}

/** `tasks` without those of the hidden files: only the notes of the page are read. */
function keptTasks(
  connection: IndexConnection,
  hidden: string,
  { statuses, limit, offset }: TaskRequest,
): TaskPage<FoundTask> {
  const { condition, values } = statusCondition(statuses);
  return connection.read(() => {
    // Each of these notes has at least one task, so they suffice up to the end of the page.
    const rows = connection.all<{ path: VaultPath; count: number }>(
      `SELECT path, sum(count) AS count FROM task WHERE ${condition} AND path NOT IN (
         SELECT f.path FROM json_each(?) h CROSS JOIN file f ON f.id = h.value)
       GROUP BY path ORDER BY path LIMIT ?`,
      ...values,
      hidden,
      offset + limit,
    );
    let before = 0; // How many tasks the notes before this one have.
    const items: FoundTask[] = [];
    for (const { path, count } of rows) {
      if (items.length >= limit) break;
      if (before + count > offset) {
        const found = tasksOf(connection, path).filter((task) => hasStatus(task.status, statuses));
        const first = Math.max(0, offset - before);
        const some = found.slice(first, first + limit - items.length);
        items.push(...some.map((task) => ({ path, ...task })));
      }
      before += count;
    }
    const counted = connection.all<{ status: string; count: number }>(
      `SELECT status, sum(count) AS count FROM (
         SELECT status, count FROM task_total
         UNION ALL
         SELECT t.status, -t.count FROM json_each(?) h
           CROSS JOIN file f ON f.id = h.value CROSS JOIN task t ON t.path = f.path)
       GROUP BY status HAVING sum(count) > 0`,
      hidden,
    );
    let total = 0;
    const others: [status: string, count: number][] = [];
    for (const { status, count } of counted) {
      if (hasStatus(status, statuses)) total += count;
      else others.push([status, count]);
    }
    others.sort(([a], [b]) => (a < b ? -1 : 1));
    return { total, items, others };
  });
}

function statusCondition(statuses: TaskRequest['statuses']): {
  readonly condition: string;
  readonly values: readonly string[];
} {
  if (statuses === undefined) return { condition: 'TRUE', values: [] };
  const marks = statuses.chars.map(() => '?').join(', ');
  const condition = `status ${statuses.not ? 'NOT IN' : 'IN'} (${marks})`;
  return { condition, values: statuses.chars };
}

function tasksOf(connection: IndexConnection, path: VaultPath): TaskRecord[] {
  const row = connection.get<{ tasks: string }>(
    `SELECT json_extract(n.detail, '$.tasks') AS tasks
     FROM file f CROSS JOIN note n ON n.file = f.id WHERE f.path = ?`,
    path,
  );
  return unpackTasks({ tasks: JSON.parse(row?.tasks ?? '[]') as NoteDetail['tasks'] });
}
