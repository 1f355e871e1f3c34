import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { readSection } from '../../engine/operations/read/read-section.ts';
import { replaceSection } from '../../engine/operations/write/update-body.ts';
import { defineTool } from '../define/define-tool.ts';
import { defineChange } from './define-change.ts';
import { IfVersion, NoteName, Section, Text } from './schemas.ts';

export const sectionTool = defineTool({
  name: 'section',
  title: 'Read a section',
  description: 'Prints what is under a heading, the headings below it included.',
  effect: 'read',
  input: z.object({ name: NoteName, section: Section }),
  output: z.object({
    path: z.string(),
    heading: z.string(),
    level: z.number(),
    line: z.number(),
    text: z.string(),
    version: z.string(),
  }),
  record: ['name', 'section'],
  positional: ['name', 'section'],
  run: (vault, request) => readSection(vault, request),
  text: ({ text }, paint) => paint.content(text),
});

export const replaceSectionTool = defineChange({
  name: 'replace-section',
  title: 'Replace a section',
  description: 'Replaces what is under a heading; the heading stays.',
  effect: 'write',
  input: z.object({ name: NoteName, section: Section, text: Text, version: IfVersion }),
  result: z.object({ path: z.string(), line: z.number() }),
  record: ['name', 'section'],
  positional: ['name', 'section', 'text'],
  content: { argument: 'text', bytesMax: limits.noteBytesMax },
  operation: replaceSection,
});
