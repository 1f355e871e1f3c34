import type { VaultPath } from '../base/vault-path.ts';
import type { IndexStore, Page } from '../engine/index-store.ts';
import type { NoteDetail } from '../engine/note-detail.ts';
import { unpackTasks } from '../engine/note-detail.ts';
import type { TaskRecord } from '../engine/records.ts';
import { hasStatus } from '../engine/task-status.ts';
import type { View } from '../engine/view.ts';
import type { Connection } from './connection.ts';

/**
 * See `IndexStore.tasks`. Tasks lie in the details of the notes, so this looks through all of
 * them; SQLite takes the tasks out, which is far less than the details.
 */
export function tasks(
  connection: Connection,
  view: View,
  { status: asked, limit, offset }: Parameters<IndexStore['tasks']>[1],
): Page<TaskRecord & { readonly path: VaultPath }> {
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
