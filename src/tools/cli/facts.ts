import { z } from 'zod';
import { noteFacts } from '../../engine/operations/read/note-facts.ts';
import { defineTool } from '../define/define-tool.ts';
import { listOf, NoteName } from './schemas.ts';

export const factsTool = defineTool({
  name: 'facts',
  title: 'Everything known about a note',
  description:
    "Prints everything known about a note, with positions. The form is that of Obsidian's metadata cache: docs/facts.md.",
  effect: 'read',
  input: z.object({ name: NoteName }),
  output: z.object({
    path: z.string(),
    kind: z.enum(['note', 'canvas', 'base', 'attachment']),
    version: z.string(),
    facts: z.looseObject({}),
    allTags: listOf(z.string()),
    propertyTags: listOf(z.string()).nullable(),
    targets: z.record(z.string(), z.string().nullable()),
    more: z.looseObject({}),
  }),
  record: ['name'],
  positional: ['name'],
  run: async (vault, request) => {
    const { facts, more, ...answer } = await noteFacts(vault, request);
    return { ...answer, facts: { ...facts }, more: { ...more } };
  },
  text: (answer) => `${JSON.stringify(answer, undefined, 2)}\n`,
});
