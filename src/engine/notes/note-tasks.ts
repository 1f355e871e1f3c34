import { LineIndex } from '../../base/text-range.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import type { NoteTask } from '../ports/note-work.ts';
import { foldText } from '../text/fold-text.ts';
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

/** What callers copy with the text of a task: its bullet and its brackets. */
const copied = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?\[.\]\s/u;

/**
 * The tasks with this text, or else those that contain it, without regard to case. A bullet and
 * brackets before the text, and an ellipsis after it, are not counted as part of it.
 */
export function tasksCalled(tasks: readonly NoteTask[], text: string): readonly NoteTask[] {
  const wanted = foldText(text.replace(copied, '').replace(/…$/, '')).trim();
  const texts = tasks.map((task) => ({ task, folded: foldText(task.text) }));
  const exact = texts.filter(({ folded }) => folded === wanted);
  const found = exact.length > 0 ? exact : texts.filter(({ folded }) => folded.includes(wanted));
  return found.map(({ task }) => task);
}
