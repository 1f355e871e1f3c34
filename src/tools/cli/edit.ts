import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { appendNote, prependNote } from '../../engine/operations/write/append-note.ts';
import { insertInNote } from '../../engine/operations/write/insert-in-note.ts';
import { replaceInNote } from '../../engine/operations/write/replace-in-note.ts';
import { replaceSection, updateBody } from '../../engine/operations/write/update-body.ts';
import { defineChange } from './define-change.ts';
import { IfVersion, Inline, listOf, NoteName, Section, Text } from './schemas.ts';
import { counted } from './text.ts';

const textContent = { argument: 'text', bytesMax: limits.noteBytesMax };
const PathAndLine = z.object({ path: z.string(), line: z.number() });

export const appendTool = defineChange({
  name: 'append',
  title: 'Append to a note',
  description: 'Adds text at the end of a note, or of a section of it.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    text: Text,
    section: Section.exactOptional(),
    inline: Inline,
    version: IfVersion,
  }),
  result: PathAndLine,
  record: ['name', 'section', 'inline'],
  positional: ['name', 'text'],
  content: textContent,
  examples: [
    `vaultdoor append Swifts 'Back on the third of May.'`,
    `vaultdoor append Greenhouse/Log '- first snow' --section 2026 --dry-run`,
  ],
  operation: appendNote,
});

export const prependTool = defineChange({
  name: 'prepend',
  title: 'Prepend to a note',
  description: 'Adds text at the beginning of a note, after its properties.',
  effect: 'write',
  input: z.object({ name: NoteName, text: Text, inline: Inline, version: IfVersion }),
  result: PathAndLine,
  record: ['name', 'inline'],
  positional: ['name', 'text'],
  content: textContent,
  examples: [`vaultdoor prepend Home 'Closed in January.'`],
  operation: prependNote,
});

export const updateTool = defineChange({
  name: 'update',
  title: 'Replace the body of a note',
  description: 'Replaces the body of a note; its properties stay.',
  effect: 'write',
  input: z.object({ name: NoteName, text: Text, version: IfVersion }),
  result: z.object({ path: z.string() }),
  record: ['name'],
  positional: ['name', 'text'],
  content: textContent,
  examples: [`vaultdoor update Swifts 'None this year.'`],
  operation: updateBody,
});

export const replaceTool = defineChange({
  name: 'replace',
  title: 'Replace text in a note',
  description:
    'Replaces an exact piece of text in the body of a note. Text that occurs several times is only replaced with --all.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    find: z.string().min(1).describe('The text to replace, exactly as it is in the note.'),
    put: z.string().describe('The new text; "-" reads it from stdin.'),
    all: z.boolean().exactOptional().describe('Replace it everywhere in the note.'),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), replaced: z.number(), lines: listOf(z.number()) }),
  record: ['name', 'all'],
  positional: ['name', 'find', 'put'],
  content: { ...textContent, argument: 'put' },
  examples: [
    `vaultdoor replace Sourdough '90 g starter' '100 g starter'`,
    'vaultdoor replace Sourdough lid cover --all',
  ],
  operation: replaceInNote,
  notes: ({ replaced }) => (replaced > 1 ? [`replaced in ${counted(replaced, 'place')}`] : []),
});

export const insertTool = defineChange({
  name: 'insert',
  title: 'Insert text into a note',
  description:
    'Inserts text before or after another text. That text must occur once in the body of the note.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    text: Text,
    before: z.string().min(1).exactOptional().describe('The text to insert before.'),
    after: z.string().min(1).exactOptional().describe('The text to insert after.'),
    inline: Inline,
    version: IfVersion,
  }),
  result: PathAndLine,
  record: ['name', 'inline'],
  positional: ['name', 'text'],
  content: textContent,
  examples: [`vaultdoor insert Sourdough '- 5 g malt' --after '9 g salt'`],
  operation: insertInNote,
});

export const replaceSectionTool = defineChange({
  name: 'replace-section',
  title: 'Replace a section',
  description: 'Replaces the text under a heading; the heading stays.',
  effect: 'write',
  input: z.object({ name: NoteName, section: Section, text: Text, version: IfVersion }),
  result: PathAndLine,
  record: ['name', 'section'],
  positional: ['name', 'section', 'text'],
  content: textContent,
  examples: [`vaultdoor replace-section Sourdough 'Cold rise' 'Sixteen hours.'`],
  operation: replaceSection,
});
