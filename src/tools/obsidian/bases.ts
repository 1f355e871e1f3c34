import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { listAllFiles } from '../../engine/operations/list/list-files.ts';
import { createInBase } from '../../engine/operations/query/create-in-base.ts';
import {
  type BaseAnswer,
  listBaseViews,
  queryBase,
} from '../../engine/operations/query/query-base.ts';
import { changeNote, type DescriptionRule } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  choice,
  countOr,
  filled,
  given,
  missing,
  NamedNote,
  namesOne,
  noteInput,
  noteOf,
  optionalText,
} from '../define/note-input.ts';
import { BaseAnswerSchema, inBaseAnswer, inBaseShape, rowsText } from '../wording/base-rows.ts';
import { fitItems, linesWithin, nextOffset, roomBeside } from '../wording/fit-answer.ts';
import { writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { listPage, Offset, pageShape, restFrom } from './list-page.ts';

export const basesTool = defineTool({
  name: 'obsidian_bases',
  title: 'List bases',
  description: 'List the bases (.base files) of the vault',
  effect: 'read',
  input: z.object({ offset: Offset }),
  output: z.object(pageShape('bases', z.string())),
  record: ['offset'],
  run: async (vault, { offset = 0 }) => {
    const request = { folder: vaultFolder(''), extension: 'base', ...restFrom(offset) };
    const { total, items } = await listAllFiles(vault, request);
    return listPage('bases', { total, items: items.map(({ path }) => path), offset });
  },
});

export const baseViewsTool = defineTool({
  name: 'obsidian_base_views',
  title: 'List views of a base',
  description: 'List the views of a base, with their types and settings',
  effect: 'read',
  existing: 'name',
  ...noteInput({}),
  output: z.object({
    base: z.string(),
    views: z
      .array(
        z.object({
          name: z.string(),
          type: z.string(),
          settings: z.record(z.string(), z.unknown()),
        }),
      )
      .readonly(),
  }),
  record: ['name', 'path'],
  run: async (vault, which) => {
    const { base, views } = await listBaseViews(vault, { base: noteOf(which) });
    const listed = views.map(({ settings, ...view }) => ({ ...view, settings: { ...settings } }));
    return { base, views: fitItems(listed, { base }) };
  },
});

export function baseCreateTool(description: DescriptionRule): AnyTool {
  const published = z.object({
    file: filled('Base, by name or path'),
    view: optionalText('Name of the view; else the first one'),
    name: optionalText('Name of the new note; else Untitled'),
    content: optionalText('Markdown'),
  });
  return defineTool({
    name: 'obsidian_base_create',
    title: 'Create a note through a base',
    description:
      'Create a note in a base: in the folder and with the properties that the filters of the view imply',
    effect: 'write',
    existing: 'file',
    published,
    input: published
      .extend({ file: NamedNote.accepted, path: NamedNote.accepted })
      .refine(({ file, path }) => namesOne({ name: file, path }), missing('file')),
    output: writingSchema({ created: z.literal(true), ...inBaseShape }),
    record: ['file', 'path', 'view', 'name'],
    run: async (vault, { file, path, view, name, content }) => {
      const base = noteOf({ name: file, path });
      const request = { base, ...given({ view, name, content }) };
      return inBaseAnswer(await changeNote(vault, createInBase, request, { description }));
    },
    ...contractData,
  });
}

const formats = ['json', 'csv', 'tsv', 'md', 'paths'] as const;

export const baseQueryTool = defineTool({
  name: 'obsidian_base_query',
  title: 'Query a base',
  description: 'Evaluate a view of a base and return its rows; without a view, the first one',
  effect: 'read',
  existing: 'name',
  ...noteInput({
    view: optionalText('Name of the view'),
    this: optionalText('The note that "this" stands for; by default the base'),
    format: choice(formats, 'Output format'),
    limit: countOr(100, 'At most this many', { min: 1, max: limits.resultsMax }),
    offset: Offset,
  }),
  output: z.union([
    BaseAnswerSchema.extend({ next_offset: z.number().optional() }),
    z.object({
      total: z.number(),
      text: z.string(),
      errors: BaseAnswerSchema.shape.errors,
      warnings: BaseAnswerSchema.shape.warnings,
      next_offset: z.number().optional(),
    }),
  ]),
  record: ['name', 'path', 'view', 'this', 'format', 'limit', 'offset'],
  run: async (vault, { view, this: self, format, limit, offset = 0, ...which }) => {
    const request = { base: noteOf(which), ...given({ view, self }), limit, offset };
    const answer = await queryBase(vault, { ...request, byGroup: true });
    const { total, errors, warnings } = answer;
    if (format !== 'json') {
      const text = rowsText(answer, format);
      const next = nextOffset({ total, offset, shown: answer.paths.length });
      const wrong = { errors, ...(warnings === undefined ? {} : { warnings }) };
      return { total, text: linesWithin(text, roomBeside(wrong)), ...wrong, ...next };
    }
    // The path of a row stands in its group, too.
    const items = answer.paths.map((path, at) => [path, answer.rows[at] ?? [], path] as const);
    const beside = { ...answer, paths: [], rows: [], groups: shownGroups(answer, []) };
    const shown = fitItems(items, beside);
    const paths = shown.map(([path]) => path);
    const groups = shownGroups(answer, paths);
    return {
      ...answer,
      paths,
      rows: shown.map(([, row]) => row),
      ...(groups === undefined ? {} : { groups: groups.filter((group) => group.paths.length > 0) }),
      ...nextOffset({ total, offset, shown: shown.length }),
    };
  },
});

/** The groups of a page, each with those of its paths that are shown, and `count` of all of them. */
function shownGroups({ groups, paths: page }: BaseAnswer, paths: readonly string[]) {
  const [onPage, shown] = [new Set(page), new Set(paths)];
  return groups
    ?.filter((group) => group.paths.some((path) => onPage.has(path)))
    .map((group) => ({
      ...group,
      paths: group.paths.filter((path) => shown.has(path)),
      count: group.paths.length,
    }));
}
