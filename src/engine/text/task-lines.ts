import { LineIndex } from '../../base/text-range.ts';
import type { NoteFacts } from '../../markdown/facts/facts.ts';
import { taskDates, taskFields } from '../../markdown/facts/task-fields.ts';
import type { NoteTask } from '../ports/note-work.ts';

/** The tasks among the facts of a note, in order, with the dates and tags on their lines. */
export function taskLines(
  note: string,
  { listItems, tags }: Pick<NoteFacts, 'listItems' | 'tags'>,
  lines = new LineIndex(note),
): NoteTask[] {
  const tasks: NoteTask[] = [];
  for (const { task: status, taskRange: statusRange } of listItems) {
    if (status === undefined || statusRange === undefined) continue;
    const line = lines.lineAt(statusRange.start);
    const lineEnd = line + 1 < lines.count ? lines.startOf(line + 1) : note.length;
    const text = note.slice(statusRange.end + 1, lineEnd).trim();
    const dates = taskDates(taskFields(text));
    const hasDates = Object.keys(dates).length > 0;
    tasks.push({ line, status, statusRange, text, ...(hasDates ? { dates } : {}) });
  }
  return tasks.length === 0 ? tasks : withTags(tasks, tags, lines);
}

function withTags(tasks: NoteTask[], tags: NoteFacts['tags'], lines: LineIndex): NoteTask[] {
  const byLine = new Map<number, string[]>();
  for (const { tag, range } of tags) {
    const line = lines.lineAt(range.start);
    const known = byLine.get(line);
    if (known === undefined) byLine.set(line, [tag.slice(1)]);
    else known.push(tag.slice(1));
  }
  return tasks.map((task) => {
    const found = byLine.get(task.line);
    return found === undefined ? task : { ...task, tags: found };
  });
}
