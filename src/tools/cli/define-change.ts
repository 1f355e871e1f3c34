import { z } from 'zod';
import { shortVersion } from '../../base/version.ts';
import type { Operation } from '../../engine/vault/draft.ts';
import { ChangeNameShape } from '../define/change-name-input.ts';
import type { AnyTool, ContentArgument } from '../define/define-tool.ts';
import { changeText, type ShownReport } from './change-text.ts';
import { listOf } from './schemas.ts';

/** The fields that every change answers beside the result of its operation; see `ChangeReport`. */
export const reportShape = {
  change: ChangeNameShape.optional(),
  dryRun: z.boolean(),
  version: z.string().optional(),
  diff: z.string().optional(),
  files: listOf(
    z.object({
      path: z.string(),
      did: z.enum(['created', 'changed', 'moved', 'deleted']),
      from: z.string().optional(),
    }),
  ),
  kept: listOf(z.string()),
  warnings: listOf(z.string()),
};

/** The argument `dryRun` of every tool that changes something. */
export const DryRun = z
  .boolean()
  .default(false)
  .describe('Change nothing: print what would change as a unified diff.');

/** How a writing operation becomes a tool of the command line. For most fields, see `Tool`. */
interface ChangeTool<Input extends z.ZodObject, Result extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: 'write' | 'destroy';
  readonly input: Input;
  /** The schema of what the operation returns. */
  readonly result: Result;
  readonly record: readonly string[];
  readonly positional?: readonly string[];
  readonly examples?: readonly string[];
  readonly content?: ContentArgument;
  readonly operation: Operation<z.output<Input>, z.output<Result>>;
  /** Lines to print before the diff of a dry run. */
  readonly preview?: (result: z.output<Result>) => readonly string[];
  /** Lines to print beside those for the files. */
  readonly notes?: (result: z.output<Result>, report: ShownReport) => readonly string[];
}

/**
 * Declares a tool that makes one change. It gets the argument `dryRun`, and can be part of a batch.
 */
export function defineChange<Input extends z.ZodObject, Result extends z.ZodObject>(
  definition: ChangeTool<Input, Result>,
): AnyTool {
  const { operation, preview, notes, result, ...tool } = definition;
  // The types were checked at the call; from here on, arguments and results are plain data.
  const plan = operation as unknown as Operation<Record<string, unknown>, object>;
  return {
    ...tool,
    input: definition.input.extend({ dryRun: DryRun }),
    output: result.extend(reportShape),
    change: { input: definition.input, plan },
    run: async (vault, args) => {
      const report = await vault.change(plan, args);
      const { version } = report;
      return version === undefined ? report : { ...report, version: shortVersion(version) };
    },
    text: (value, paint) => {
      const report = value as ShownReport;
      const answer = value as z.output<Result>;
      return changeText(report, paint, notes?.(answer, report), preview?.(answer));
    },
  };
}
