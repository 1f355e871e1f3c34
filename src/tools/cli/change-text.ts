import type { FileChange } from '../../engine/vault/draft.ts';
import type { Paint } from '../define/define-tool.ts';
import { filesInOrder } from '../wording/writing-answer.ts';
import { lines, plain } from './text.ts';

interface ShownFile {
  readonly path: string;
  readonly did: FileChange['did'];
  readonly from?: string | undefined;
}

/** What of a report is shown. */
export interface ShownReport {
  readonly change?: number | undefined;
  /** All that were made, where there can be several. */
  readonly changes?: readonly number[] | undefined;
  readonly dryRun: boolean;
  readonly diff?: string | undefined;
  readonly files: readonly ShownFile[];
  readonly kept: readonly string[];
  readonly warnings: readonly string[];
}

/** No more lines than this of one kind: the whole answer is there with --json. */
const shownMax = 20;

/**
 * What a change did, for people: a line for each file, what else the operation has to say, and how
 * to take it back. A dry run is its diff.
 */
export function changeText(
  report: ShownReport,
  paint: Paint,
  notes: readonly string[] = [],
): string {
  const warnings = [
    ...report.warnings,
    ...report.kept.map((path) => `${path} was changed by another program meanwhile, and kept.`),
  ].map((warning) => `${paint.bad('!')} ${plain(warning)}`);
  if (report.dryRun) {
    // Programs that read diffs skip what stands before the first.
    return lines(warnings) + (report.diff ? diffText(report.diff, paint) : nothing);
  }
  const told = [...notes.map(plain), ...warnings];
  if (report.change === undefined) return nothing + lines(told);
  return lines([
    ...firstOf(filesInOrder(report.files).map((file) => fileText(file, paint))),
    ...told,
    paint.faint(takenBackBy(report.changes ?? [report.change])),
  ]);
}

function takenBackBy(changes: readonly number[]): string {
  const [what, them] = changes.length === 1 ? ['change', 'it'] : ['changes', 'them'];
  return `${what} ${changes.join(', ')}; "vaultdoor undo ${changes.join(' ')}" takes ${them} back`;
}

const nothing = 'nothing to change\n';

/** What happened to one file, e.g. `moved A.md -> B.md`. */
export function fileText({ path, did, from }: ShownFile, paint: Paint): string {
  const word = did === 'deleted' ? paint.bad(did) : paint.good(did);
  return from === undefined ? `${word} ${plain(path)}` : `${word} ${plain(from)} -> ${plain(path)}`;
}

/** The first of many lines, and how many there are more. */
export function firstOf(all: readonly string[]): string[] {
  const left = all.length - shownMax;
  return [
    ...all.slice(0, shownMax),
    ...(left > 0 ? [`… and ${left.toLocaleString('en-US')} more`] : []),
  ];
}

/** A unified diff as it is, set off in colours where there are any. */
export function diffText(diff: string, paint: Paint): string {
  return paint.content(diff).replace(/^.+$/gm, (line) => {
    if (/^(diff |--- |\+\+\+ |rename |new file|deleted file)/.test(line)) return paint.strong(line);
    if (line.startsWith('@@')) return paint.faint(line);
    if (line.startsWith('+')) return paint.good(line);
    return line.startsWith('-') ? paint.bad(line) : line;
  });
}
