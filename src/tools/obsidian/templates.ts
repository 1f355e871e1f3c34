import { z } from 'zod';
import { listTemplates, readTemplate } from '../../engine/operations/read/read-template.ts';
import { applyTemplate } from '../../engine/operations/write/apply-template.ts';
import { changeNote, type DescriptionRule } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { filled, given, noteInput, noteOf, optionalText } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { listPage, Offset, pageShape } from './list-page.ts';
import { contentWithin } from './shown-content.ts';

const Template = filled('Template name or path');

export const templatesTool = defineTool({
  name: 'obsidian_templates',
  title: 'List templates',
  description: 'List the templates in the template folder of the vault',
  effect: 'read',
  input: z.object({ offset: Offset }),
  output: z.object({
    /** Absent when the vault has no template folder. */
    folder: z.string().optional(),
    ...pageShape('templates', z.object({ name: z.string(), path: z.string() })),
  }),
  record: ['offset'],
  run: async (vault, { offset = 0 }) => {
    const { folder, templates } = await listTemplates(vault);
    const page = { total: templates.length, items: templates.slice(offset), offset };
    return listPage('templates', page, given({ folder }));
  },
});

export const templateReadTool = defineTool({
  name: 'obsidian_template_read',
  title: 'Read template',
  description: 'Read a template with its date, time and title filled in',
  effect: 'read',
  input: z.object({ template: Template, title: optionalText('For {{title}}') }),
  output: z.object({
    path: z.string(),
    content: z.string(),
    truncated: z.string().optional(),
  }),
  record: ['template'],
  run: async (vault, { template, title }) => {
    const { path, text } = await readTemplate(vault, { template, ...given({ title }) });
    return { path, ...contentWithin(path, text) };
  },
});

export function templateInsertTool(description: DescriptionRule): AnyTool {
  return defineTool({
    name: 'obsidian_template_insert',
    title: 'Insert template',
    description: 'Insert a template into a note: its properties, and its text at the end',
    effect: 'write',
    existing: 'name',
    ...noteInput({ template: Template }),
    output: writingSchema({ inserted: z.literal(true) }),
    record: ['name', 'path', 'template'],
    run: async (vault, { template, ...which }) => {
      const request = { template, name: noteOf(which) };
      const report = await changeNote(vault, applyTemplate, request, { description });
      return writingAnswer(report, { inserted: true as const });
    },
    ...contractData,
  });
}
