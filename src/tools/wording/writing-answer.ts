import { z } from 'zod';
import { shortVersion } from '../../base/version.ts';
import type { ChangeReport, FileChange } from '../../engine/vault/draft.ts';
import { ChangeNameShape } from '../define/change-name-input.ts';
import { firstOf, linesWithin, roomBeside } from './fit-answer.ts';

/**
 * The schema of the answer of a writing tool: the fields of every change, and those of this tool.
 */
export function writingSchema<Shape extends z.ZodRawShape>(done: Shape) {
  return z.object({
    path: z.string(),
    ...done,
    ...changeShape,
    version: z.string().optional(),
    new_tags: z.array(z.string()).readonly().optional(),
  });
}

/** The fields that every answer about a change has. */
export const changeShape = {
  /** What the caller calls the change; null when nothing had to change, and in a dry run. */
  change: ChangeNameShape.nullable(),
  warnings: z.array(z.string()).readonly().optional(),
  dry_run: z.literal(true).optional(),
  diff: z.string().optional(),
};

/** The report of a change to one note. */
type WritingReport = ChangeReport & {
  readonly path: string;
  readonly newTags?: readonly string[];
};

/** The answer of a tool that changed one note. */
export function writingAnswer<Done extends object>(report: WritingReport, done: Done) {
  const { path, version, newTags = [] } = report;
  return withReport(report, {
    path,
    ...done,
    change: report.change ?? null,
    ...(version === undefined ? {} : { version: shortVersion(version) }),
    ...(newTags.length === 0 ? {} : { new_tags: firstOf(newTags, newTags.length) }),
  });
}

/** Adds to an answer the warnings of its change and, in a dry run, as much of the diff as fits. */
export function withReport<Answer extends object>(report: ChangeReport, answer: Answer) {
  const warnings = [
    ...report.warnings,
    ...report.kept.map(
      (path) =>
        `"${path}" was changed by another program at the same time; that program's version was kept.`,
    ),
  ];
  const withWarnings = {
    ...answer,
    ...(warnings.length === 0 ? {} : { warnings: firstOf(warnings) }),
    ...(report.dryRun ? { dry_run: true as const } : {}),
  };
  return report.diff === undefined
    ? withWarnings
    : { ...withWarnings, diff: linesWithin(report.diff, roomBeside(withWarnings)) };
}

/** The schema of `filesByDeed`. */
export const deedShape = {
  created: z.array(z.string()).readonly().optional(),
  /** Those that an undo has brought back. */
  restored: z.array(z.string()).readonly().optional(),
  changed: z.array(z.string()).readonly().optional(),
  /** Where each was, and where it is. */
  moved: z.record(z.string(), z.string()).optional(),
  deleted: z.array(z.string()).readonly().optional(),
  /** How many there are, when not all are listed. */
  files_total: z.number().optional(),
};

/**
 * The files of a change by what was done to them, at most `max` of them. What an undo makes was there
 * before, so it is not called created.
 */
export function filesByDeed(
  files: readonly FileChange[],
  max: number,
  of: 'change' | 'undo' = 'change',
) {
  const shown = firstOf(filesInOrder(files), max);
  const paths = (did: FileChange['did'], word: string = did) => {
    const those = shown.filter((file) => file.did === did).map(({ path }) => path);
    return those.length === 0 ? {} : { [word]: those };
  };
  const moved = shown.filter(({ did }) => did === 'moved');
  return {
    ...paths('created', of === 'undo' ? 'restored' : 'created'),
    ...paths('changed'),
    ...(moved.length === 0
      ? {}
      : { moved: Object.fromEntries(moved.map(({ path, from = '' }) => [from, path])) }),
    ...paths('deleted'),
    ...(shown.length < files.length ? { files_total: files.length } : {}),
  };
}

/**
 * Sorts files: first those that were made, moved or deleted, then those that only changed, each
 * group by path.
 */
export function filesInOrder<
  File extends { readonly path: string; readonly did: FileChange['did'] },
>(files: readonly File[]): File[] {
  const rank = ({ did }: File): number => (did === 'changed' ? 1 : 0);
  return files.toSorted(
    (a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
  );
}
