import { z } from 'zod';
import { checkVault } from '../../engine/operations/vault/check-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { listOf } from './schemas.ts';
import { counted, lines, plain } from './text.ts';

const PathReason = z.object({ path: z.string(), reason: z.string() });

export const checkTool = defineTool({
  name: 'check',
  title: 'Check the vault',
  description:
    'Compares the index with one built from scratch. Lists what is wrong in the vault, too: broken properties, conflict copies, files that are not downloaded or cannot be reached.',
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
  }),
  record: [],
  run: (vault) => checkVault(vault),
  isFault: ({ index }) => index.length > 0,
  text: (check, paint) =>
    lines([
      check.index.length === 0
        ? `${paint.good('✓')} the index equals one built from scratch (${counted(check.files, 'file')})`
        : `${paint.bad('✗')} the index differs in ${counted(check.index.length, 'line')}: please report this`,
      ...check.index.slice(0, 20).map(({ in: side, line }) => `    ${side}: ${plain(line)}`),
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
          `${paint.bad('!')} ${plain(name.slice(0, 200))}: no vault path can spell this name`,
      ),
      ...check.refused.map(
        ({ path, reason }) => `${paint.bad('!')} ${plain(path)}: ${plain(reason)}`,
      ),
    ]),
});
