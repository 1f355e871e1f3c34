import { LineIndex } from '../../base/text-range.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import type { NoteTask } from '../ports/note-work.ts';

/** The tasks of a note, in order. */
export function tasksIn(note: string): readonly NoteTask[] {
  const { listItems, headings } = scanNote(note);
  const lines = new LineIndex(note);
  const tasks: NoteTask[] = [];
  let passed = 0;
  for (const { task: status, taskRange: statusRange } of listItems) {
    if (status === undefined || statusRange === undefined) continue;
    const { start, end } = statusRange;
    while ((headings[passed]?.range.start ?? Number.POSITIVE_INFINITY) < start) passed++;
    const heading = headings[passed - 1]?.text;
    const line = lines.lineAt(start);
    const lineEnd = line + 1 < lines.count ? lines.startOf(line + 1) : note.length;
    const text = note.slice(end + 1, lineEnd).trim();
    tasks.push({ line, status, statusRange, text, ...(heading === undefined ? {} : { heading }) });
  }
  return tasks;
}
