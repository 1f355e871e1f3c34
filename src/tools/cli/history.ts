import { z } from 'zod';
import { isGrantId } from '../../base/caller.ts';
import { oneLine, quotedLine } from '../../base/one-line.ts';
import { listChanges } from '../../engine/operations/history/list-changes.ts';
import { showChange } from '../../engine/operations/history/show-change.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { ChangeNameInput, ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { Since, sinceMs } from '../wording/since.ts';
import { filesInOrder } from '../wording/writing-answer.ts';
import { diffText, fileText, firstOf } from './change-text.ts';
import { limitOf, listOf, Offset, pageOf } from './schemas.ts';
import { lines, more, plain } from './text.ts';

const nameCharsMax = 60;

/** The arguments that choose changes by who made them, when, and to which files. */
export const changeFilter = {
  session: z.string().min(1).exactOptional().describe('Only changes of this session.'),
  client: z.string().min(1).exactOptional().describe('Only changes by this client.'),
  since: Since,
  path: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Only changes of this file, or of files in this folder.'),
};

const ChangeSchema = z.object({
  id: ChangeNameShape,
  timeMs: z.number(),
  door: z.string(),
  client: z.string().optional(),
  connection: z.string().optional(),
  /** The id of the token or grant that the client came with. */
  token: z.string().optional(),
  tool: z.string(),
  args: z.record(z.string(), z.unknown()).readonly(),
  /** The proposal that the owner accepted with it. */
  proposal: z.string().optional(),
  undoes: listOf(ChangeNameShape).optional(),
  undoneBy: ChangeNameShape.optional(),
  files: listOf(
    z.object({
      path: z.string(),
      did: z.enum(['created', 'changed', 'moved', 'deleted']),
      from: z.string().optional(),
      before: z.string().optional(),
      after: z.string().optional(),
    }),
  ),
  kept: listOf(z.string()),
});
type Change = z.output<typeof ChangeSchema>;

export const historyTool = defineTool({
  name: 'history',
  title: 'History',
  description: 'Lists changes, newest first: who made them, when, and to which files.',
  effect: 'read',
  input: z.object({ ...changeFilter, limit: limitOf(20), offset: Offset }),
  output: pageOf(ChangeSchema),
  record: ['session', 'client', 'since', 'path', 'limit', 'offset'],
  run: (vault, { since, ...request }) =>
    listChanges(vault, { ...request, ...sinceMs(since, vault.vault.parts.clock.nowMs()) }),
  text: (page, paint) =>
    lines([
      ...tableText(page.items, paint),
      ...(page.total === 0 ? ['No changes.'] : []),
      ...more(page),
    ]),
});

export const showTool = defineTool({
  name: 'show',
  title: 'Show a change',
  description: 'Prints a change of the history as a unified diff.',
  effect: 'read',
  input: z.object({
    id: ChangeNameInput.describe('The number of the change, from "history", or its word.'),
  }),
  output: ChangeSchema.extend({ diff: z.string() }),
  record: ['id'],
  positional: ['id'],
  run: (vault, request) => showChange(vault, request),
  text: (change, paint) =>
    lines([
      `${paint.strong(`change ${change.id}`)}  ${timeText(change)}  ${whoText(change)}  ${change.tool}`,
      ...marksOf(change, paint),
      ...firstOf(filesInOrder(change.files).map((file) => fileText(file, paint))),
      ...change.kept.map((path) => `left as it is: ${plain(path)}: another program had changed it`),
      '',
    ]) + diffText(change.diff, paint),
});

/** The changes as a table: number, time, who made it, with which tool, which files. */
function tableText(changes: readonly Change[], paint: Paint): string[] {
  const whoWidth = Math.max(...changes.map((change) => whoText(change).length));
  const toolWidth = Math.max(...changes.map(({ tool }) => tool.length));
  return changes.map((change) =>
    [
      String(change.id).padStart(5),
      paint.faint(timeText(change)),
      whoText(change).padEnd(whoWidth),
      paint.strong(change.tool.padEnd(toolWidth)),
      [filesText(change), ...marksOf(change, paint).map((mark) => paint.faint(`(${mark})`))].join(
        ' ',
      ),
    ].join('  '),
  );
}

/** The first file of a change, and how many more there are. */
function filesText({ files }: Change): string {
  const [first] = filesInOrder(files);
  if (first === undefined) return '';
  // If the file was moved there, its former path is shown too.
  const from = files.find((file) => file.path === first.path && file.from !== undefined)?.from;
  const moved = from === undefined ? '' : `${plain(from)} -> `;
  const paths = new Set(files.map(({ path }) => path)).size;
  const rest = paths > 1 ? ` and ${paths - 1} more` : '';
  return `${moved}${plain(first.path)}${rest}`;
}

function timeText({ timeMs }: Change): string {
  return formatDate(timeMs, 'YYYY-MM-DD HH:mm:ss');
}

function whoText({ door, client, connection }: Change): string {
  // Remote clients connect anew all the time, so their connections say nothing to a reader.
  const who = door === 'remote' ? [door, client ?? 'unnamed'] : [door, client, connection];
  return plain(who.filter((part) => part !== undefined).join('/'));
}

/**
 * With which token or grant the change was made, whether it was proposed, is an undo, or was undone.
 */
function marksOf({ token, proposal, undoes, undoneBy }: Change, paint: Paint): string[] {
  return [
    ...(token === undefined ? [] : [tokenText(token, paint)]),
    ...(proposal === undefined ? [] : [`accepted ${proposal}`]),
    ...(undoes !== undefined && undoes.length > 0 ? [`takes back ${undoes.join(', ')}`] : []),
    ...(undoneBy === undefined ? [] : [`undone by ${undoneBy}`]),
  ];
}

/** "vaultdoor token list" and "vaultdoor connections list" show whose ids these are. */
function tokenText(id: string, { nameOf }: Paint): string {
  const name = nameOf?.(id);
  const of = name === undefined ? '' : ` of ${quotedLine(name, nameCharsMax)}`;
  if (isGrantId(id)) return plain(`connection ${id}${of}`);
  return plain(`token ${name === undefined ? id : oneLine(name, nameCharsMax)}`);
}
