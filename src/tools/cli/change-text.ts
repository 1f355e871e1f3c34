import type { ChangeName } from '../../base/change-name.ts';
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
  readonly files: readonly ShownFile[];
  readonly kept: readonly string[];
  readonly warnings: readonly string[];
}

/** How many lines a list prints; `--json` prints all. */
const shownMax = 20;

/**
 * The text for a change: a line for each file, then `notes` and warnings, and the command that
 * takes the change back. For a dry run it is the diff.
 */
export function changeText(
  report: ShownReport,
  paint: Paint,
  notes: readonly string[] = [],
): string {
  const warnings = [
    ...report.warnings,
    ...report.kept.map(
      (path) => `${path} was changed by another program in the meantime and was left as it is.`,
    ),
  ].map((warning) => `${paint.bad('!')} ${plain(warning)}`);
  if (report.dryRun) {
    // Programs that read diffs skip the text before the first file.
    return lines(warnings) + (report.diff ? diffText(report.diff, paint) : nothingText);
  }
  const afterFiles = [...notes.map(plain), ...warnings];
  if (report.change === undefined) return nothingText + lines(afterFiles);
  return lines([
    ...firstOf(filesInOrder(report.files).map((file) => fileText(file, paint))),
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

/** What happened to one file, e.g. `moved A.md -> B.md`. */
export function fileText({ path, did, from }: ShownFile, paint: Paint): string {
  const word = did === 'deleted' ? paint.bad(did) : paint.good(did);
  return from === undefined ? `${word} ${plain(path)}` : `${word} ${plain(from)} -> ${plain(path)}`;
}

/** The first lines of many, and a last line that says how many are left out. */
export function firstOf(all: readonly string[]): string[] {
  const left = all.length - shownMax;
  return [
    ...all.slice(0, shownMax),
    ...(left > 0 ? [`… and ${left.toLocaleString('en-US')} more`] : []),
  ];
}

/** A unified diff in the colours of the terminal. */
export function diffText(diff: string, paint: Paint): string {
  const painted = (line: string): string => {
    if (/^(diff |--- |\+\+\+ |rename |new file|deleted file)/.test(line)) return paint.strong(line);
    if (line.startsWith('@@')) return paint.faint(line);
    if (line.startsWith('+')) return paint.good(line);
    return line.startsWith('-') ? paint.bad(line) : line;
  };
  return paint.content(diff).split('\n').map(painted).join('\n');
}
