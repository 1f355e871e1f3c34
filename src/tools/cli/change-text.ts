import type { ChangeName } from '../../base/change-name.ts';
import { groupedNumber } from '../../base/grouped-number.ts';
import { lineHunks, lineText } from '../../engine/text/line-hunks.ts';
import type { FileChange } from '../../engine/vault/draft.ts';
import type { Paint } from '../define/define-tool.ts';
import { filesInOrder } from '../wording/writing-answer.ts';
import { lines, plain, quotedCommand } from './text.ts';

interface ShownFile {
  readonly path: string;
  readonly did: FileChange['did'];
  readonly from?: string | undefined;
}

/** The part of a `ChangeReport` that is printed. */
export interface ShownReport {
  /** The number of the change, or of the last of several; absent when nothing changed. */
  readonly change?: ChangeName | undefined;
  /** The numbers of all changes, `change` among them, for tools that can make several. */
  readonly changes?: readonly ChangeName[] | undefined;
  readonly dryRun: boolean;
  readonly diff?: string | undefined;
  /** The changes that were taken back, for an undo and a redo. */
  readonly undone?: readonly unknown[] | undefined;
  readonly files: readonly ShownFile[];
  readonly kept: readonly string[];
  readonly warnings: readonly string[];
}

/** How many lines a list prints; `--json` prints all. */
const shownMax = 20;

/**
 * The text for a change: a line for each file, then `notes` and warnings, and the command that
 * takes the change back. For a dry run it is `preview`, the warnings and the diff.
 */
export function changeText(
  report: ShownReport,
  paint: Paint,
  notes: readonly string[] = [],
  preview: readonly string[] = [],
): string {
  const warnings = [
    ...report.warnings,
    ...report.kept.map(
      (path) => `${path} was changed by another program in the meantime and was left as it is.`,
    ),
  ].map((warning) => `${paint.bad('!')} ${plain(warning)}`);
  if (report.dryRun) {
    // Programs that read diffs skip the text before the first file.
    const before = lines([...preview.map(plain), ...warnings]);
    return before + (report.diff ? diffText(report.diff, paint) : nothingText);
  }
  const afterFiles = [...notes.map(plain), ...warnings];
  if (report.change === undefined) return nothingText + lines(afterFiles);
  const of = report.undone === undefined ? 'change' : 'undo';
  return lines([
    ...firstOf(filesInOrder(report.files).map((file) => fileText(file, paint, of))),
    ...afterFiles,
    paint.faint(undoHint(report.changes ?? [report.change], paint)),
  ]);
}

function undoHint(changes: readonly ChangeName[], paint: Paint): string {
  const [what, them] = changes.length === 1 ? ['change', 'it'] : ['changes', 'them'];
  const command = quotedCommand(paint.command(['undo', ...changes.map(String)]));
  return `${what} ${changes.join(', ')}; ${command} takes ${them} back`;
}

const nothingText = 'nothing to change\n';

/** What happened to one file, e.g. `moved A.md -> B.md`. What an undo makes was there before. */
export function fileText(
  { path, did, from }: ShownFile,
  paint: Paint,
  of: 'change' | 'undo' = 'change',
): string {
  const words = of === 'undo' && did === 'created' ? 'brought back' : did;
  const word = did === 'deleted' ? paint.bad(words) : paint.good(words);
  return from === undefined ? `${word} ${plain(path)}` : `${word} ${plain(from)} -> ${plain(path)}`;
}

/** The first lines of many, and a last line that says how many are left out. */
export function firstOf(all: readonly string[]): string[] {
  const left = all.length - shownMax;
  return [...all.slice(0, shownMax), ...(left > 0 ? [`… and ${groupedNumber(left)} more`] : [])];
}

/**
 * A unified diff in the colours of the terminal. Only at a terminal is a line whose text stays shown
 * as unchanged where it has got another line end: elsewhere the diff can be applied as a patch.
 */
export function diffText(diff: string, paint: Paint): string {
  const painted = (line: string): string => {
    if (/^(diff |--- |\+\+\+ |rename |new file|deleted file)/.test(line)) return paint.strong(line);
    if (line.startsWith('@@')) return paint.faint(line);
    if (line.startsWith('+')) return paint.good(line);
    return line.startsWith('-') ? paint.bad(line) : line;
  };
  const shown = paint.isTerminal === true ? withoutOtherEnds(diff) : diff;
  return paint.content(shown).split('\n').map(painted).join('\n');
}

/** A diff in which no line is removed and added only because of its line end. */
export function withoutOtherEnds(diff: string): string {
  const shown: string[] = [];
  const removed: string[] = [];
  const added: string[] = [];
  let isInHunk = false;
  for (const line of [...diff.split('\n'), undefined]) {
    isInHunk = line !== undefined && (line.startsWith('@@') || (isInHunk && !/^diff /.test(line)));
    const into = isInHunk ? { '-': removed, '+': added }[line?.charAt(0) ?? ''] : undefined;
    if (into !== undefined) into.push(line?.slice(1) ?? '');
    if (into !== undefined || (isInHunk && line?.startsWith('\\'))) continue;
    for (const each of changedLines(removed.splice(0), added.splice(0))) shown.push(each);
    if (line !== undefined) shown.push(line);
  }
  return shown.join('\n');
}

/** Removed lines and those in their place, with their marks; those with the same text as unchanged. */
function changedLines(removed: readonly string[], added: readonly string[]): string[] {
  const hunks = lineHunks(removed.map(lineText), added.map(lineText));
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => mark + line);
  let done = 0;
  const shown = hunks.flatMap(({ before, after }) => {
    const same = added.slice(done, after.start);
    done = after.end;
    return [
      ...marked(' ', same),
      ...marked('-', removed.slice(before.start, before.end)),
      ...marked('+', added.slice(after.start, after.end)),
    ];
  });
  const isSame = removed.length > 0 && hunks.length === 0;
  const ends = isSame ? ['\\ Only the line end differs'] : [];
  return [...shown, ...marked(' ', added.slice(done)), ...ends];
}
