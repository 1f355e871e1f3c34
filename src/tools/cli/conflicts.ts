import { z } from 'zod';
import { shortVersion } from '../../base/version.ts';
import { showConflict } from '../../engine/operations/conflicts/compare-conflict.ts';
import { mergeConflict } from '../../engine/operations/conflicts/merge-conflict.ts';
import { listConflicts } from '../../engine/operations/list/list-files.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { changeText, diffText } from './change-text.ts';
import { DryRun, reportShape } from './define-change.ts';
import { Folder, limitOf, listOf, Offset, pageOf } from './schemas.ts';
import { counted, lines, listRemarks, plain } from './text.ts';

const CopyName = z
  .string()
  .min(1)
  .describe('The conflict copy: its path or name; or its original, if that has only one copy.');

const conflictShape = {
  path: z.string(),
  copy: z.string(),
  how: z.enum(['same', 'lines', 'whole']),
  /** When the common version was written or found; absent when history has none. */
  commonMs: z.number().optional(),
  fromCopy: z.number(),
  choices: listOf(
    z.object({ number: z.number(), line: z.number(), original: z.string(), copy: z.string() }),
  ),
  total: z.number(),
  token: z.string(),
};
type Conflict = z.output<z.ZodObject<typeof conflictShape>>;

export const conflictsListTool = defineTool({
  name: 'conflicts list',
  title: 'List conflict copies',
  description:
    'Lists the copies that sync programs made in conflicts, each with its original. "conflicts" alone does the same.',
  effect: 'read',
  input: z.object({ folder: Folder, limit: limitOf(1_000), offset: Offset }),
  output: pageOf(z.object({ path: z.string(), original: z.string() })),
  record: ['folder', 'limit', 'offset'],
  positional: ['folder'],
  examples: ['vaultdoor conflicts'],
  run: (vault, request) => listConflicts(vault, request),
  text: (page, paint) =>
    lines([
      ...page.items.map(
        ({ path, original }) => `${plain(path)}  ${paint.faint(`copy of ${plain(original)}`)}`,
      ),
    ]),
  remarks: listRemarks('No conflict copies.'),
});

export const conflictsShowTool = defineTool({
  name: 'conflicts show',
  title: 'Show a conflict',
  description:
    'Compares a conflict copy with its original: what a merge takes from the copy, and where a side has to be chosen.',
  effect: 'read',
  input: z.object({ path: CopyName }),
  output: z.object({ ...conflictShape, diff: z.string() }),
  record: ['path'],
  positional: ['path'],
  examples: ['vaultdoor conflicts show Swifts'],
  run: (vault, { path }) => showConflict(vault, { name: path }),
  text: (conflict, paint) => conflictText(conflict, paint) + diffText(conflict.diff, paint),
});

export const conflictsMergeTool = defineTool({
  name: 'conflicts merge',
  title: 'Merge a conflict copy',
  description:
    'Merges a conflict copy into its original and moves the copy to the trash. If both sides changed the same lines and no choice is given, it shows them and changes nothing.',
  effect: 'destroy',
  input: z.object({
    path: CopyName,
    choose: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        'What to take where both changed something: original, copy or both, for all or by number: "1=copy,2=both".',
      ),
    token: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        'The token that "conflicts show" printed; needed with numbers. Nothing is changed if a file has changed since.',
      ),
    dryRun: DryRun,
  }),
  output: z.object({
    ...conflictShape,
    merged: z.boolean(),
    where: z.string().optional(),
    links: z.number(),
    ...reportShape,
  }),
  record: ['path', 'choose', 'token'],
  positional: ['path'],
  examples: ['vaultdoor conflicts merge Swifts --choose both'],
  run: async (vault, { path, ...request }) => {
    const { version, ...answer } = await mergeConflict(vault, { ...request, name: path });
    return version === undefined ? answer : { ...answer, version: shortVersion(version) };
  },
  isFault: ({ merged }) => !merged,
  text: (answer, paint) => {
    if (!answer.merged) return conflictText(answer, paint);
    const { fromCopy, links, where } = answer;
    return changeText(answer, paint, [
      ...(fromCopy > 0 ? [`${counted(fromCopy, 'place')} taken from the copy`] : []),
      ...(links > 0 ? [`${counted(links, 'link')} to the copy updated`] : []),
      ...(where === undefined ? [] : [`the copy is now ${where}`]),
    ]);
  },
});

/** A conflict for people: what was compared, and the places where a side has to be chosen. */
function conflictText(conflict: Conflict, paint: Paint): string {
  const { path, copy, how, fromCopy, choices, total, token } = conflict;
  return lines([
    `${paint.strong(plain(path))}  ${paint.faint(`copy: ${plain(copy)}`)}`,
    ...aboutText(conflict),
    ...(fromCopy > 0
      ? [`taken from the copy, which alone changed them: ${counted(fromCopy, 'place')}`]
      : []),
    ...choices.flatMap(({ number, line, original, copy: other }) => [
      paint.faint(`@@ ${number}: line ${line} @@`),
      ...sideLines('-', original).map((each) => paint.bad(paint.content(each))),
      ...sideLines('+', other).map((each) => paint.good(paint.content(each))),
    ]),
    ...(total > choices.length && how === 'lines' ? [`… ${total} places in all`] : []),
    ...(total > 0
      ? [
          '"-" is the original, "+" is the copy.',
          `To merge: ${paint.command(['conflicts', 'merge', copy, '--choose', 'both'])}`,
          ...(how === 'lines'
            ? [`or by number: --choose ${total === 1 ? '1=copy' : 'both,1=copy'} --token ${token}`]
            : []),
        ]
      : []),
  ]);
}

function aboutText({ how, commonMs, total }: Conflict): string[] {
  if (how === 'same') return ['the same text: a merge only removes the copy'];
  if (how === 'whole') {
    return [
      'not merged by lines: choose "original", "copy", or "both" to keep the copy under another name',
    ];
  }
  const common =
    commonMs === undefined
      ? 'no common version in the history: every difference is a choice'
      : `common version in the history: ${formatDate(commonMs, 'YYYY-MM-DD HH:mm:ss')}`;
  return total === 0 ? [common, 'nothing overlaps'] : [common];
}

function sideLines(sign: string, text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => sign + line);
}
