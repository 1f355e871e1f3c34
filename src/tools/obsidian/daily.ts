import { z } from 'zod';
import { readDaily } from '../../engine/operations/read/read-daily.ts';
import { dailyNote } from '../../engine/operations/write/daily-note.ts';
import { defineTool } from '../define/define-tool.ts';
import { given, optionalChoice, optionalText, Text } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';
import { contractData } from './contract.ts';
import { contentShape, shownContent } from './shown-content.ts';

const which = {
  date: optionalText('YYYY-MM-DD, yesterday or tomorrow; else today'),
  period: optionalChoice(['day', 'week', 'month', 'quarter', 'year'], 'Default day'),
};

export const dailyReadTool = defineTool({
  name: 'obsidian_daily_read',
  title: 'Read daily note',
  description: 'Read the daily note, or tell where it would be',
  effect: 'read',
  input: z.object(which),
  output: z.object({
    path: z.string(),
    exists: z.boolean(),
    ...contentShape,
    version: z.string().optional(),
  }),
  record: ['date', 'period'],
  run: async (vault, asked) => {
    const { path, text, version } = await readDaily(vault, given(asked));
    if (text === undefined || version === undefined) return { path, exists: false, content: '' };
    const content = shownContent(vault, { path, text, version });
    return { path, exists: true, ...content, version };
  },
  ...contractData,
});

const addInput = z.object({ content: Text.describe('Markdown'), ...which });
const addShape = {
  /** Whether the note was created. */
  created: z.boolean(),
};

export const dailyAppendTool = defineTool({
  name: 'obsidian_daily_append',
  title: 'Append to daily note',
  description: 'Append content to the daily note, which is created if needed',
  effect: 'write',
  input: addInput,
  output: writingSchema({ appended: z.literal(true), ...addShape }),
  record: ['date', 'period'],
  run: async (vault, asked) => {
    const report = await vault.change(dailyNote, given(asked));
    return writingAnswer(report, { appended: true as const, created: report.created });
  },
  ...contractData,
});

export const dailyPrependTool = defineTool({
  name: 'obsidian_daily_prepend',
  title: 'Prepend to daily note',
  description: 'Prepend content to the daily note, which is created if needed',
  effect: 'write',
  input: addInput,
  output: writingSchema({ prepended: z.literal(true), ...addShape }),
  record: ['date', 'period'],
  run: async (vault, asked) => {
    const report = await vault.change(dailyNote, { ...given(asked), prepend: true });
    return writingAnswer(report, { prepended: true as const, created: report.created });
  },
  ...contractData,
});
