import { LineIndex } from '../../base/text-range.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import type { NoteTask } from '../ports/note-work.ts';
import { taskLines } from '../text/task-lines.ts';

/** The tasks of a note, in order. */
export function tasksIn(note: string): readonly NoteTask[] {
  const facts = scanNote(note);
  const { headings } = facts;
  let passed = 0;
  return taskLines(note, facts, new LineIndex(note)).map((task) => {
    const { start } = task.statusRange;
    while ((headings[passed]?.range.start ?? Number.POSITIVE_INFINITY) < start) passed++;
    const heading = headings[passed - 1]?.text;
    return heading === undefined ? task : { ...task, heading };
  });
}
