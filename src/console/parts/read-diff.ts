import { lineHunks, lineText } from '../../engine/text/line-hunks.ts';
import {
  type DiffLine,
  type FileDiff,
  pairedLines,
  textOf,
  type WordRoom,
  wordRoom,
} from './file-diff.ts';

/** One file of a diff. */
export interface DiffedFile {
  readonly path: string;
  /** Where it was, if it moved. */
  readonly from?: string;
  readonly did: 'created' | 'changed' | 'moved' | 'deleted';
  readonly diff: FileDiff;
  /** Why no lines are shown, where there are some. */
  readonly without?: 'lost' | 'binary';
  /** Its part of the diff, as the server has written it. */
  readonly text: string;
}

/** A diff of several files. */
interface ReadDiff {
  readonly files: readonly DiffedFile[];
  /** What the server says about the rest, where it has cut the diff; empty otherwise. */
  readonly rest: string;
}

const fileStart = 'diff --git ';

/** Reads a diff that the server has written as git does. The cost grows with its lines. */
export function readDiff(text: string): ReadDiff {
  const lines = new Lines(text.split('\n'));
  const files: DiffedFile[] = [];
  while (lines.next?.startsWith(fileStart)) {
    const start = lines.at;
    const file = readFile(lines);
    files.push({ ...file, text: lines.since(start) });
  }
  return { files, rest: lines.rest().trim() };
}

class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  get at(): number {
    return this.#at;
  }

  get next(): string | undefined {
    return this.#lines[this.#at];
  }

  take(): string {
    return this.#lines[this.#at++] ?? '';
  }

  /** What stands after these words, if the next line begins with them. */
  takeAfter(words: string): string | undefined {
    return this.next?.startsWith(words) ? this.take().slice(words.length) : undefined;
  }

  since(start: number): string {
    return this.#lines
      .slice(start, this.#at)
      .map((line) => `${line}\n`)
      .join('');
  }

  rest(): string {
    return this.#lines.slice(this.#at).join('\n');
  }
}

function readFile(lines: Lines): Omit<DiffedFile, 'text'> {
  const names = lines.take().slice(fileStart.length);
  const isNew = lines.takeAfter('new file mode') !== undefined;
  const isGone = lines.takeAfter('deleted file mode') !== undefined;
  const from = lines.takeAfter(renameWords('from'));
  const to = lines.takeAfter(renameWords('to'));
  // Without a move, the line has the same name twice.
  const path = plainName(to ?? plainName(names.slice(0, (names.length - 1) / 2)).slice(2));
  const file = {
    path,
    ...(from === undefined ? {} : { from: plainName(from) }),
    did: didOf({ isNew, isGone, isMoved: to !== undefined }),
  };
  const nothing = { parts: [], added: 0, removed: 0, otherEnds: 0 };
  if (lines.takeAfter('The contents are not kept') !== undefined) {
    return { ...file, diff: nothing, without: 'lost' };
  }
  if (lines.takeAfter('Binary files ') !== undefined) {
    return { ...file, diff: nothing, without: 'binary' };
  }
  lines.takeAfter('Only the end of the file has changed');
  lines.takeAfter('--- ');
  lines.takeAfter('+++ ');
  const hunks: (readonly RawLine[])[] = [];
  for (let hunk = readHunk(lines); hunk !== undefined; hunk = readHunk(lines)) hunks.push(hunk);
  const room = wordRoom();
  const all = hunks.map((hunk) => ({ lines: shownLines(hunk, room) }));
  const shown = all.flatMap((part) => part.lines);
  const count = (lines: readonly { readonly is: DiffLine['is'] }[], kind: DiffLine['is']): number =>
    lines.filter(({ is }) => is === kind).length;
  return {
    ...file,
    diff: {
      parts: all.filter(({ lines: each }) => each.some(({ is }) => is !== 'same')),
      added: count(shown, 'added'),
      removed: count(shown, 'removed'),
      otherEnds: count(shown, 'same') - count(hunks.flat(), 'same'),
    },
  };
}

function renameWords(end: 'from' | 'to'): string {
  return `rename ${end} `;
}

function didOf(file: { isNew: boolean; isGone: boolean; isMoved: boolean }): DiffedFile['did'] {
  if (file.isNew) return 'created';
  if (file.isGone) return 'deleted';
  return file.isMoved ? 'moved' : 'changed';
}

/** A line of a hunk as the diff has it. */
interface RawLine {
  readonly is: DiffLine['is'];
  readonly number: number;
  readonly text: string;
}

/** The lines of the next hunk, as far as they are there; undefined where no hunk follows. */
function readHunk(lines: Lines): readonly RawLine[] | undefined {
  const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(lines.next ?? '');
  if (head === null) return undefined;
  lines.take();
  const old = span(head[1], head[2]);
  const now = span(head[3], head[4]);
  const hunk: RawLine[] = [];
  while (old.left > 0 || now.left > 0 || lines.next?.startsWith('\\')) {
    const sign = lines.next?.charAt(0) ?? '';
    if (!/[ +\-\\]/.test(sign)) break; // The server has cut the diff here.
    const text = lines.take().slice(1);
    if (sign === '\\') continue; // "No newline at end of file"
    if (sign === '-') hunk.push({ is: 'removed', number: old.take(), text });
    else if (sign === '+') hunk.push({ is: 'added', number: now.take(), text });
    else {
      old.take();
      hunk.push({ is: 'same', number: now.take(), text });
    }
  }
  return hunk;
}

/**
 * The lines of a hunk without their line ends, each changed one beside its counterpart. A line that
 * has only got another line end is shown as unchanged.
 */
function shownLines(hunk: readonly RawLine[], room: WordRoom): readonly DiffLine[] {
  const shown: DiffLine[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    const hunks = lineHunks(removed.map(textOf), added.map(textOf));
    const end = { start: added.length, end: added.length };
    let done = 0;
    for (const { before, after } of [...hunks, { before: { start: 0, end: 0 }, after: end }]) {
      for (const line of added.slice(done, after.start)) shown.push({ ...line, is: 'same' });
      const pair = [
        removed.slice(before.start, before.end),
        added.slice(after.start, after.end),
      ] as const;
      for (const line of pairedLines(...pair, room)) shown.push(line);
      done = after.end;
    }
    removed = [];
    added = [];
  };
  for (const { is, number, text } of hunk) {
    if (is === 'same' || (is === 'removed' && added.length > 0)) flush();
    const pieces = [{ text: lineText(text), differs: false }];
    const into = is === 'same' ? shown : is === 'removed' ? removed : added;
    into.push({ is, number, pieces });
  }
  flush();
  return shown;
}

/** Counts the lines of one side of a hunk. */
function span(start = '0', count = '1'): { left: number; take(): number } {
  let number = Number(start);
  const side = {
    left: Number(count),
    take: () => {
      side.left--;
      return number++;
    },
  };
  return side;
}

/** A name without the quotes that it has where it contains one itself. */
function plainName(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('\\"', '"') : name;
}
