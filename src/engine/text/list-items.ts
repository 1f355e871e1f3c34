import { LineIndex } from '../../base/text-range.ts';
import type { Link } from '../../markdown/facts/facts.ts';
import { taskDates, taskFields } from '../../markdown/facts/task-fields.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import type { NoteItem } from '../ports/records.ts';

const marker = /^([-*+]|\d{1,9}[.)])[ \t]*/;

/** The items of all lists of a note, tasks and others, in order. */
export function listItems(note: string): readonly NoteItem[] {
  const facts = scanNote(note);
  const lines = new LineIndex(note);
  const tags = byLine(facts.tags, lines);
  const links = byLine(facts.links, lines);
  const { headings } = facts;
  let passed = 0;
  return facts.listItems.map(({ range, parent, task, taskRange, id }) => {
    while ((headings[passed]?.range.start ?? Number.POSITIVE_INFINITY) < range.start) passed++;
    const heading = headings[passed - 1]?.text;
    const line = lines.lineAt(range.start);
    const lineEnd = line + 1 < lines.count ? lines.startOf(line + 1) : note.length;
    const first = note.slice(range.start, lineEnd);
    const [mark = '', symbol = ''] = marker.exec(first) ?? [];
    const start = taskRange === undefined ? range.start + mark.length : taskRange.end + 1;
    const text = note.slice(start, lineEnd).trim();
    const dates = task === undefined ? {} : taskDates(taskFields(text));
    const own = links.get(line);
    const tagged = tags.get(line)?.map(({ tag }) => tag);
    return {
      line,
      lineCount: lines.lineAt(Math.max(range.start, range.end - 1)) - line + 1,
      symbol,
      text,
      ...(parent < 0 ? {} : { parent }),
      ...(task === undefined ? {} : { status: task }),
      ...(Object.keys(dates).length === 0 ? {} : { dates }),
      ...(tagged === undefined ? {} : { tags: tagged }),
      ...(own === undefined ? {} : { links: own.map(itemLink) }),
      ...(heading === undefined ? {} : { heading }),
      ...(id === undefined ? {} : { id }),
    };
  });
}

function itemLink({ path, subpath, embed, displayRange, displayText }: Link) {
  return { path, subpath, embed, ...(displayRange === undefined ? {} : { display: displayText }) };
}

function byLine<T extends { readonly range: { readonly start: number } }>(
  facts: readonly T[],
  lines: LineIndex,
): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const fact of facts) {
    const line = lines.lineAt(fact.range.start);
    const known = found.get(line);
    if (known === undefined) found.set(line, [fact]);
    else known.push(fact);
  }
  return found;
}
