import { z } from 'zod';
import { shortVersion } from '../../base/version.ts';
import { mergeConflict } from '../../engine/operations/conflicts/merge-conflict.ts';
import { type Advice, withAdvice } from '../define/advice.ts';
import { defineTool } from '../define/define-tool.ts';
import { flag, given, noteInput, noteOf, optionalText } from '../define/note-input.ts';
import { fitItems } from '../wording/fit-answer.ts';
import { changeShape, withReport } from '../wording/writing-answer.ts';

export const mergeConflictTool = defineTool({
  name: 'merge_conflict',
  title: 'Merge conflict',
  description:
    'Merge a sync conflict copy into its note and trash it. Overlaps come as numbered choices and a token: call again with them.',
  effect: 'destroy',
  existing: 'name',
  ...noteInput(
    {
      choose: optionalText('original, copy, both, or 1=copy,2=both'),
      token: optionalText('For numbers'),
    },
    { dry_run: flag('Only show the diff') },
  ),
  output: z.object({
    path: z.string(),
    copy: z.string(),
    merged: z.boolean(),
    /** How many places were taken from the copy, or would be, because only it changed them. */
    from_copy: z.number().optional(),
    /** Said when a side has to be chosen: without a common version every difference is a choice. */
    common_version: z.boolean().optional(),
    choices: z
      .array(
        z.object({ number: z.number(), line: z.number(), original: z.string(), copy: z.string() }),
      )
      .readonly()
      .optional(),
    /** How many there are, when not all are listed. */
    choices_total: z.number().optional(),
    token: z.string().optional(),
    next: z.string().optional(),
    trash: z.string().optional(),
    /** Where the copy is when both files were kept. */
    kept_as: z.string().optional(),
    links: z.number().optional(),
    ...changeShape,
    version: z.string().optional(),
  }),
  record: ['name', 'path', 'choose', 'token'],
  run: async (vault, { name, path, choose, token, dry_run: dryRun = false }) => {
    const report = await withAdvice(advice, () =>
      mergeConflict(vault, {
        ...given({ choose, token }),
        name: noteOf({ name, path }),
        trash: 'local',
        dryRun,
      }),
    );
    const { where, links, fromCopy, version } = report;
    const about = {
      path: report.path,
      copy: report.copy,
      merged: report.merged && !report.dryRun,
      ...(fromCopy === 0 ? {} : { from_copy: fromCopy }),
    };
    if (!report.merged) return { ...about, ...openChoices(about, report), change: null };
    return withReport(report, {
      ...about,
      ...(where === undefined
        ? {}
        : { [where.startsWith('.trash/') ? 'trash' : 'kept_as']: where }),
      ...(links === 0 ? {} : { links }),
      change: report.change ?? null,
      ...(version === undefined ? {} : { version: shortVersion(version) }),
    });
  },
});

const advice: Advice = {
  not_found: ({ details }) => ('original' in details ? 'Use rename_note.' : undefined),
  ambiguous: ({ details }) => ('path' in details ? 'Give one as "name".' : undefined),
  conflict: 'merge_conflict without "choose" and "token" shows them.',
  invalid_input: ({ details }) => {
    if ('token' in details) return 'merge_conflict without "choose" shows it.';
    if ('choose' in details) return 'Correct "choose".';
    return 'list_vault with what "conflicts" lists them.';
  },
};

function openChoices(about: object, report: Awaited<ReturnType<typeof mergeConflict>>) {
  const { how, commonMs, choices, total, token } = report;
  if (how === 'whole') {
    return {
      next: 'Not merged by lines: choose "original" or "copy", or "both" to keep the copy under another name.',
    };
  }
  const beside = {
    ...about,
    common_version: commonMs !== undefined,
    token,
    next: 'Call again with choose "both", or with a choice for each number and token.',
  };
  const shown = fitItems(choices, beside);
  return {
    common_version: beside.common_version,
    choices: shown,
    ...(shown.length < total ? { choices_total: total } : {}),
    token,
    next: beside.next,
  };
}
