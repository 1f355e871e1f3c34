import { isSameBytes } from '../../base/same-bytes.ts';
import type { FileDiff } from '../ports/note-work.ts';
import type { LineHunk, LineRange } from './line-hunks.ts';
import { lineHunks, splitLines } from './line-hunks.ts';

const contextLines = 3;
/** How much an excerpt shows. */
const excerptCharsMax = 4_000;
const excerptLineCharsMax = 1_000;
const noFile = '/dev/null';
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Formats the change of one file as git does, so that `git apply` accepts it. Lines keep their line
 * ends. Empty when nothing changed. The cost grows with the lines of the larger text.
 */
export function unifiedDiff(file: FileDiff): string {
  const header = headerLines(file);
  const body = bodyLines(file);
  if (header.length === 0 && body.length === 0) return '';
  const names = [file.from ?? file.to ?? '', file.to ?? file.from ?? ''] as const;
  const first = `diff --git ${quoted(`a/${names[0]}`)} ${quoted(`b/${names[1]}`)}`;
  return `${[first, ...header, ...body].join('\n')}\n`;
}

/** The first lines of a diff, with a last line that says how many more there are. */
export function diffExcerpt(file: FileDiff): string {
  const lines = unifiedDiff(file).trimEnd().split('\n');
  const shown: string[] = [];
  let chars = 0;
  for (const line of lines) {
    const cut = line.length > excerptLineCharsMax ? `${line.slice(0, excerptLineCharsMax)}…` : line;
    chars += cut.length + 1;
    if (chars > excerptCharsMax) break;
    shown.push(cut);
  }
  const left = lines.length - shown.length;
  return left === 0 ? shown.join('\n') : `${shown.join('\n')}\n… ${left} more lines`;
}

function headerLines({ from, to }: FileDiff): string[] {
  if (from === undefined) return ['new file mode 100644'];
  if (to === undefined) return ['deleted file mode 100644'];
  return from === to ? [] : [`rename from ${quoted(from)}`, `rename to ${quoted(to)}`];
}

function bodyLines(file: FileDiff): string[] {
  if (file.lost) return ['The contents are not kept any more.'];
  const from = file.from === undefined ? noFile : quoted(`a/${file.from}`);
  const to = file.to === undefined ? noFile : quoted(`b/${file.to}`);
  const isNote = /\.(md|canvas|base)$/i.test(file.to ?? file.from ?? '');
  const before = textOf(file.before ?? '', isNote);
  const after = textOf(file.after ?? '', isNote);
  if (before === undefined || after === undefined) {
    const same = before === after && sameBytes(file.before, file.after);
    return same ? [] : [`Binary files ${from} and ${to} differ`];
  }
  if (before === after) return [];
  const which = file.endFrom === undefined ? [] : [endWords(file.endFrom)];
  return [
    ...which,
    `--- ${from}`,
    `+++ ${to}`,
    ...hunkLines(splitLines(before), splitLines(after)),
  ];
}

/** The lines that follow are counted from there, because the lines before are not known. */
function endWords(from: number): string {
  return `Only the end of the file has changed, from byte ${from} on:`;
}

/** Decodes a content; undefined when it is not text. One NUL does not hide the text of a note. */
function textOf(content: string | Uint8Array, isNote: boolean): string | undefined {
  if (typeof content === 'string') return content;
  if (!isNote && content.includes(0)) return undefined;
  try {
    return decoder.decode(content);
  } catch {
    return undefined;
  }
}

function sameBytes(a: FileDiff['before'], b: FileDiff['before']): boolean {
  return a instanceof Uint8Array && b instanceof Uint8Array && isSameBytes(a, b);
}

function hunkLines(before: readonly string[], after: readonly string[]): string[] {
  const lines: string[] = [];
  for (const { hunks, first, last } of nearHunks(lineHunks(before, after))) {
    const head = Math.min(contextLines, first.before.start);
    const tail = Math.min(contextLines, before.length - last.before.end);
    const old = { start: first.before.start - head, end: last.before.end + tail };
    const put = { start: first.after.start - head, end: last.after.end + tail };
    lines.push(`@@ -${span(old)} +${span(put)} @@`);
    let done = old.start;
    for (const hunk of hunks) {
      push(lines, ' ', before, { start: done, end: hunk.before.start });
      push(lines, '-', before, hunk.before);
      push(lines, '+', after, hunk.after);
      done = hunk.before.end;
    }
    push(lines, ' ', before, { start: done, end: old.end });
  }
  return lines;
}

interface NearHunks {
  readonly hunks: LineHunk[];
  readonly first: LineHunk;
  last: LineHunk;
}

/** Joins hunks whose context lines would touch. */
function nearHunks(all: readonly LineHunk[]): NearHunks[] {
  const groups: NearHunks[] = [];
  for (const hunk of all) {
    const group = groups.at(-1);
    if (group !== undefined && hunk.before.start - group.last.before.end <= 2 * contextLines) {
      group.hunks.push(hunk);
      group.last = hunk;
    } else {
      groups.push({ hunks: [hunk], first: hunk, last: hunk });
    }
  }
  return groups;
}

function push(
  shown: string[],
  mark: ' ' | '-' | '+',
  lines: readonly string[],
  { start, end }: LineRange,
): void {
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? '';
    if (line.endsWith('\n')) shown.push(mark + line.slice(0, -1));
    else shown.push(mark + line, '\\ No newline at end of file');
  }
}

/** Lines count from 1; an empty span is written with the line before it. */
function span({ start, end }: LineRange): string {
  const count = end - start;
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

/**
 * Puts a name into quotes only where it has a quote itself; letters of any script stay as they are.
 */
function quoted(path: string): string {
  return path.includes('"') ? `"${path.replaceAll('"', '\\"')}"` : path;
}
