import { z } from 'zod';
import { listChanges } from '../../engine/operations/history/list-changes.ts';
import { showChange } from '../../engine/operations/history/show-change.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { ChangeNameInput, ChangeNameShape } from '../define/change-name-input.ts';
import { defineTool, type Paint } from '../define/define-tool.ts';
import { type Piece, plannedSentence } from '../wording/change-sentences.ts';
import { clientNamesFor } from '../wording/client-title.ts';
import { describeChange } from '../wording/describe-change.ts';
import { Since, sinceMs } from '../wording/since.ts';
import { filesInOrder } from '../wording/writing-answer.ts';
import { diffText, fileText, firstOf } from './change-text.ts';
import { ChangeAuthorShape, tokenText, whoText, withSession } from './change-who.ts';
import { plainDiff } from './plain-diff.ts';
import { limitOf, listOf, Offset, pageOf } from './schemas.ts';
import { rowTimes, table } from './table.ts';
import { lines, listRemarks, plain } from './text.ts';

/** The arguments that choose changes by who made them, when, and to which files. */
export const changeFilter = {
  session: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'Only changes of this session: the id that "show" prints, or a name that a script chose.',
    ),
  client: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Only changes by this app: claude-code, "Claude Desktop", or with its version.'),
  since: Since,
  path: z
    .string()
    .min(1)
    .exactOptional()
    .describe('Only changes of this file, or of files in this folder.'),
};

/** The client that was asked for, as the history knows it. */
export function clientsFor(client: string | undefined): { readonly clients?: readonly string[] } {
  return client === undefined ? {} : { clients: clientNamesFor(client) };
}

const ChangeSchema = z.object({
  id: ChangeNameShape,
  timeMs: z.number(),
  ...ChangeAuthorShape,
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
  description: 'Lists changes, newest first: when, by whom, and what was done.',
  effect: 'read',
  input: z.object({ ...changeFilter, limit: limitOf(20), offset: Offset }),
  output: pageOf(ChangeSchema),
  record: ['session', 'client', 'since', 'path', 'limit', 'offset'],
  examples: [
    'vaultdoor history',
    'vaultdoor history --since 2h --path Recipes',
    'vaultdoor history --client claude-code --limit 50',
  ],
  run: async (vault, { since, client, ...request }) => {
    const when = sinceMs(since, vault.vault.parts.clock.nowMs());
    const page = await listChanges(vault, { ...request, ...clientsFor(client), ...when });
    return { ...page, items: page.items.map(withSession) };
  },
  text: (page, paint) => lines(changeTable(page.items, paint)),
  remarks: listRemarks('There are no such changes.'),
});

export const showTool = defineTool({
  name: 'show',
  title: 'Show a change',
  description: 'Shows a change of the history: who made it, when, how, and which lines it changed.',
  effect: 'read',
  input: z.object({
    id: ChangeNameInput.describe('The number of the change, from "history", or its word.'),
    patch: z
      .boolean()
      .default(false)
      .describe('Print a unified diff and nothing else, for programs such as "git apply".'),
  }),
  output: ChangeSchema.extend({
    diff: z.string(),
    /** Where deleted files were put, if into the vault's own trash. */
    trashed: listOf(z.object({ path: z.string(), to: z.string() })),
    patch: z.literal(true).exactOptional(),
  }),
  record: ['id', 'patch'],
  positional: ['id'],
  examples: ['vaultdoor show 2', 'vaultdoor show 2 --patch'],
  run: async (vault, { id, patch }) => ({
    ...withSession(await showChange(vault, { id })),
    ...(patch ? { patch } : {}),
  }),
  text: (change, paint) => {
    if (change.patch) return diffText(change.diff, paint);
    const { text, counts } = plainDiff(change.diff, paint);
    const of = change.undoes === undefined ? 'change' : 'undo';
    const trashed = new Map(change.trashed.map(({ path, to }) => [path, to]));
    const files = filesInOrder(change.files).map((file) => {
      const count = counts.get(file.path) ?? '';
      const trash = trashed.get(file.path);
      return [
        fileText(file, paint, of),
        ...(count === '' ? [] : [count]),
        ...(trash === undefined ? [] : [`put into the trash as ${plain(trash)}`]),
      ].join(', ');
    });
    const head = lines([
      `${paint.strong(`change ${change.id}`)}  ${formatDate(change.timeMs, 'YYYY-MM-DD HH:mm:ss')}  ${whoText(change, paint)}`,
      whatText(change),
      ...marksOf(change, paint).map((mark) => paint.faint(mark)),
      ...firstOf(files),
      ...change.kept.map((path) => `left as it is: ${plain(path)}: another program had changed it`),
    ]);
    return head + text;
  },
});

/** The changes as a table: number, when, who, and what in words. */
function changeTable(changes: readonly Change[], paint: Paint): string[] {
  const whats = changes.map((change) => `${becameText(change)}${whatText(change)}`);
  const times = rowTimes(
    changes.map(({ timeMs }, at) => ({ timeMs, text: whats[at] ?? '' })),
    paint,
  );
  return table(
    [
      { title: 'change', align: 'right', whole: true, paint: paint.faint },
      { title: 'when', whole: true, paint: paint.faint },
      { title: 'who' },
      { title: 'what' },
    ],
    changes.map((change, at) => [
      String(change.id),
      times[at] ?? '',
      whoText(change, paint),
      whats[at] ?? '',
    ]),
    paint,
  );
}

/** What a change did, in words: "Renamed A to B; links updated in 2 notes". */
export function whatText(change: Parameters<typeof describeChange>[0]): string {
  const { undoes = [], tool } = change;
  const { sentence, also } = describeChange(change);
  const which = `${undoes.length === 1 ? 'change' : 'changes'} ${undoes.join(', ')}`;
  const did = tool === 'redo' ? `Made again what ${which} had taken back` : `Took back ${which}`;
  const words = undoes.length > 0 ? did : wordsOf(sentence);
  return plain(also === '' ? words : `${words}; ${also}`);
}

/** What a change that is only planned would do, in words: "Rename A to B". */
export function plannedText(change: Parameters<typeof describeChange>[0]): string {
  return plain(wordsOf(plannedSentence(describeChange(change).sentence)));
}

function wordsOf(sentence: readonly Piece[]): string {
  return sentence.map((piece) => (typeof piece === 'string' ? piece : piece.name)).join('');
}

/**
 * Whether the change was taken back, and whether the owner accepted it as a proposal. It stands before
 * the words, because a narrow terminal cuts the end of a line.
 */
function becameText({ proposal, undoneBy }: Change): string {
  const undone = undoneBy === undefined ? '' : `(undone by ${undoneBy}) `;
  return proposal === undefined ? undone : `${undone}(accepted ${proposal}) `;
}

/** What the list leaves out: tool, session, token or connection, proposal, undo. */
function marksOf(change: Change, paint: Paint): string[] {
  const { door, client, token, tool, proposal, undoes, undoneBy } = change;
  // Remote clients connect anew all the time, so their connections say nothing to a reader.
  const session = door === 'remote' ? undefined : change.session;
  return [
    `tool ${tool}, ${doorWords[door]}${client === undefined ? '' : `, ${client}`}`,
    ...(session === undefined ? [] : [`session ${session}`]),
    ...(token === undefined ? [] : [tokenText(token, paint)]),
    ...(proposal === undefined ? [] : [`accepted ${proposal}`]),
    ...(undoes !== undefined && undoes.length > 0 && tool !== 'redo'
      ? [`takes back ${undoes.join(', ')}`]
      : []),
    ...(undoneBy === undefined ? [] : [`undone by ${undoneBy}`]),
  ].map(plain);
}

const doorWords: Readonly<Record<Change['door'], string>> = {
  cli: 'command line',
  'mcp-stdio': 'MCP over stdio',
  'mcp-http': 'MCP over HTTP',
  bridge: 'Bridge v1',
  remote: 'SSH',
  console: 'console',
};
