import { z } from 'zod';
import { listFiles } from '../../engine/operations/list/list-files.ts';
import { checkVault } from '../../engine/operations/vault/check-vault.ts';
import { describeVault } from '../../engine/operations/vault/describe-vault.ts';
import { listDuplicates } from '../../engine/operations/vault/list-duplicates.ts';
import type { FileKind } from '../../engine/ports/records.ts';
import { formatDate } from '../../engine/text/format-date.ts';
import { defineTool } from '../define/define-tool.ts';
import { FileSchema, Folder, limitOf, listOf, Offset, pageOf } from './schemas.ts';
import { counted, lines, listRemarks, plain } from './text.ts';

export const infoTool = defineTool({
  name: 'info',
  title: 'Describe the vault',
  description: 'Shows how many notes, attachments, tags and links the vault has.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    location: z.string(),
    opened: z.boolean(),
    outer: z.boolean(),
    files: z.object({
      note: z.number(),
      canvas: z.number(),
      base: z.number(),
      attachment: z.number(),
    }),
    tags: z.number(),
    properties: z.number(),
    unresolved: z.number(),
    orphans: z.number(),
    absent: z.number(),
    conflicts: z.number(),
    latest: listOf(z.string()),
    /** When each of the latest was modified. */
    latestMs: listOf(z.number()),
  }),
  record: [],
  examples: ['vaultdoor info', 'vaultdoor info --json'],
  run: (vault) => describeVault(vault),
  text: (info, paint) => {
    const { note, canvas, base, attachment } = info.files;
    return lines([
      `${paint.strong(plain(info.name))}  ${paint.faint(plain(info.location))}`,
      `  ${[
        counted(note, 'note'),
        ...(canvas > 0 ? [counted(canvas, 'canvas', 'canvases')] : []),
        ...(base > 0 ? [counted(base, 'base')] : []),
        counted(attachment, 'attachment'),
      ].join(', ')}`,
      `  ${counted(info.tags, 'tag')}, ${counted(info.properties, 'property', 'properties')}`,
      `  ${counted(info.unresolved, 'unresolved link target')}, ${counted(info.orphans, 'orphan')}`,
      ...(info.absent > 0
        ? [
            `  ${counted(info.absent, 'file')} listed but not downloaded: only their names are known`,
          ]
        : []),
      ...(info.conflicts > 0
        ? [
            `  ${counted(info.conflicts, 'conflict copy', 'conflict copies')}; see "vaultdoor conflicts"`,
          ]
        : []),
      ...(info.opened ? [] : ['  never opened in Obsidian, so default settings apply']),
      ...(info.outer
        ? [
            `${paint.bad('!')} a folder around it is a vault too: links from its notes are not seen, and renames do not update them`,
          ]
        : []),
      ...(info.latest.length > 0 ? ['  latest:'] : []),
      ...info.latest.map((path, at) => `    ${timeText(info.latestMs[at] ?? 0)}  ${plain(path)}`),
    ]);
  },
});

const kindsOf: Readonly<Record<'notes' | 'attachments' | 'all', readonly FileKind[]>> = {
  notes: ['note'],
  attachments: ['attachment'],
  all: ['note', 'canvas', 'base', 'attachment'],
};

export const listTool = defineTool({
  name: 'list',
  title: 'List files',
  description: 'Lists the notes of the vault or of a folder, with their paths.',
  effect: 'read',
  input: z.object({
    folder: Folder,
    kind: z
      .enum(['notes', 'attachments', 'all'])
      .default('notes')
      .describe('What to list; "all" includes canvases and bases.'),
    sort: z
      .enum(['path', 'modified'])
      .default('path')
      .describe('"modified" lists the latest first, with their times.'),
    limit: limitOf(1_000),
    offset: Offset,
  }),
  output: pageOf(FileSchema).extend({ sort: z.literal('modified').optional() }),
  record: ['folder', 'kind', 'sort', 'limit', 'offset'],
  positional: ['folder'],
  examples: [
    'vaultdoor list',
    'vaultdoor list Projects --kind all',
    'vaultdoor list --sort modified --limit 10',
  ],
  run: async (vault, { kind, ...request }) => {
    const page = await listFiles(vault, { ...request, kinds: kindsOf[kind] });
    return request.sort === 'modified' ? { ...page, sort: request.sort } : page;
  },
  text: ({ sort, items }) =>
    lines(
      items.map(({ path, mtimeMs }) =>
        sort === undefined ? plain(path) : `${timeText(mtimeMs)}  ${plain(path)}`,
      ),
    ),
  remarks: listRemarks('There are no such files.'),
});

/** A local time, to the minute. */
function timeText(timeMs: number): string {
  return formatDate(timeMs, 'YYYY-MM-DD HH:mm');
}

export const duplicatesTool = defineTool({
  name: 'duplicates',
  title: 'List duplicates',
  description:
    'Lists groups of notes whose texts are the same, or nearly, each with how much they have in common.',
  effect: 'read',
  input: z.object({ folder: Folder, limit: limitOf(100), offset: Offset }),
  output: pageOf(z.object({ paths: listOf(z.string()), alike: z.number() })).extend({
    compared: z.number(),
    unread: z.number(),
    notes: z.number(),
    timeIsUp: z.boolean(),
  }),
  record: ['folder', 'limit', 'offset'],
  positional: ['folder'],
  examples: ['vaultdoor duplicates', 'vaultdoor duplicates Notes'],
  run: (vault, request) => listDuplicates(vault, request),
  text: ({ items }, paint) =>
    lines(
      items.flatMap(({ paths, alike }) => [
        paint.faint(alike === 1 ? 'the same:' : `${Math.floor(alike * 100)} % alike:`),
        ...paths.map((path) => `  ${plain(path)}`),
      ]),
    ),
  remarks: ({ compared, unread, notes, timeIsUp, ...page }) => [
    ...listRemarks('No duplicates.')(page),
    ...(timeIsUp ? [`Only ${compared} of ${notes} notes were compared in time.`] : []),
    ...(unread > 0 ? [`Notes that could not be read: ${unread}.`] : []),
  ],
});

const PathReason = z.object({ path: z.string(), reason: z.string() });

export const checkTool = defineTool({
  name: 'check',
  title: 'Check the vault',
  description:
    'Compares the index with one built from scratch. Also lists problems in the vault: broken properties, conflict copies, files that are not downloaded or cannot be reached, attachments that cannot be shown.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    files: z.number(),
    index: listOf(z.object({ in: z.enum(['kept', 'rebuilt']), line: z.string() })),
    problems: listOf(z.object({ path: z.string(), code: z.string(), message: z.string() })),
    conflicts: listOf(z.object({ path: z.string(), conflictOf: z.string() })),
    absent: z.number(),
    unreachable: listOf(z.string()),
    refused: listOf(PathReason),
    attachments: listOf(PathReason),
    settings: listOf(z.string()),
    writing: listOf(z.string()),
    recovered: listOf(
      z.object({
        id: z.number(),
        tool: z.string(),
        outcome: z.enum(['finished', 'undone']),
        kept: listOf(z.string()),
      }),
    ),
    unrecovered: listOf(z.string()),
  }),
  record: [],
  examples: ['vaultdoor check', 'vaultdoor check --json'],
  run: (vault) => checkVault(vault),
  isFault: ({ index }) => index.length > 0,
  text: (check, paint) =>
    lines([
      check.index.length === 0
        ? `${paint.good('✓')} the index equals one built from scratch (${counted(check.files, 'file')})`
        : `${paint.bad('✗')} the index differs in ${counted(check.index.length, 'line')}: please report this`,
      ...check.index.slice(0, 20).map(({ in: side, line }) => `    ${side}: ${plain(line)}`),
      ...check.unrecovered.map((sentence) => `${paint.bad('!')} ${plain(sentence)}`),
      ...check.writing.map((sentence) => `  ${plain(sentence)}`),
      ...check.settings.map((problem) => `${paint.bad('!')} ${plain(problem)}`),
      ...check.problems.map(
        ({ path, message }) => `${paint.bad('!')} ${plain(path)}: ${plain(message)}`,
      ),
      ...check.conflicts.map(
        ({ path, conflictOf }) =>
          `${paint.bad('!')} ${plain(path)}: conflict copy of ${plain(conflictOf)}`,
      ),
      ...(check.absent > 0
        ? [`${paint.bad('!')} ${counted(check.absent, 'file')} listed but not downloaded`]
        : []),
      ...check.unreachable.map(
        (name) =>
          `${paint.bad('!')} ${plain(name.slice(0, 200))}: this name cannot be written as a path in a vault`,
      ),
      ...[...check.refused, ...check.attachments].map(
        ({ path, reason }) => `${paint.bad('!')} ${plain(path)}: ${plain(reason)}`,
      ),
    ]),
});
