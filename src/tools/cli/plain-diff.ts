import type { Paint } from '../define/define-tool.ts';
import { withoutOtherEnds } from './change-text.ts';
import { plain } from './text.ts';

/** A diff without the marks that programs need. */
interface PlainDiff {
  /** The changed lines with some around them, under the file and the line where each piece begins. */
  readonly text: string;
  /** How many lines a file has gained and lost, e.g. `+2 −1 lines`; none for a file without lines. */
  readonly counts: ReadonlyMap<string, string>;
}

/** The lines of a unified diff that say what the list of files says already. */
const headLine = /^(---|\+\+\+|rename from|new file mode|deleted file mode) /;

/** Turns what `unifiedDiff` has written, for one file or several, into lines for people. */
export function plainDiff(diff: string, paint: Paint): PlainDiff {
  if (diff === '') return { text: '', counts: new Map() };
  const shown: string[] = [];
  const changed = new Map<string, { added: number; removed: number }>();
  let path = '';
  let isInHunk = false;
  for (const line of withoutOtherEnds(diff).replace(/\n$/, '').split('\n')) {
    const hunk = /^@@ -(\d+)\S* \+(\d+)\S* @@/.exec(line);
    if (hunk !== null) {
      isInHunk = true;
      const at = Math.max(1, Number(hunk[2]));
      shown.push('', paint.strong(plain(`${path}, from line ${at}:`)));
    } else if (isInHunk && /^[-+ \\]/.test(line)) {
      const count = changed.get(path) ?? { added: 0, removed: 0 };
      changed.set(path, count);
      if (line.startsWith('+')) count.added++;
      if (line.startsWith('-')) count.removed++;
      shown.push(painted(paint.content(line), paint));
    } else if (line.startsWith('diff --git ')) {
      isInHunk = false;
      path = pathIn(line.slice('diff --git '.length));
    } else if (line.startsWith('rename to ')) {
      path = unquoted(line.slice('rename to '.length));
    } else if (!headLine.test(line)) {
      const words = line.startsWith('Binary files ') ? 'This file is not text.' : line;
      const isAboutOthers = /^(… )?\d+ more (files|lines)\b/.test(line) || path === '';
      shown.push('', plain(isAboutOthers ? words : `${path}: ${words}`));
    }
  }
  const counts = new Map(
    Array.from(changed, ([file, { added, removed }]) => [file, countText(added, removed)]),
  );
  return { text: shown.map((line) => `${line}\n`).join(''), counts };
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith('+')) return paint.good(line);
  if (line.startsWith('-')) return paint.bad(line);
  return line.startsWith('\\') ? paint.faint(line) : line;
}

function countText(added: number, removed: number): string {
  const parts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  const isOne = added + removed === 1;
  return parts.length === 0 ? '' : `${parts.join(' ')} ${isOne ? 'line' : 'lines'}`;
}

/** The path in `a/X b/X`. A renamed file has two, and further lines that name them. */
function pathIn(names: string): string {
  return unquoted(names.slice((names.length + 1) / 2)).slice('b/'.length);
}

/** See `quoted` in unified-diff.ts. */
function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('\\"', '"') : name;
}
