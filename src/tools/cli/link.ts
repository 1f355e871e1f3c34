import { z } from 'zod';
import { addLink } from '../../engine/operations/write/add-link.ts';
import { defineChange } from './define-change.ts';
import { IfVersion, NoteName, Section } from './schemas.ts';

export const linkTool = defineChange({
  name: 'link',
  title: 'Add a link',
  description:
    'Adds a link to another note, unless it is there already. The link has a line of its own.',
  effect: 'write',
  input: z.object({
    name: NoteName,
    target: z.string().min(1).describe('The note or file to link to.'),
    section: Section.exactOptional().describe('The heading to put the link under.'),
    heading: z.string().min(1).exactOptional().describe('The heading of the target to link to.'),
    display: z.string().min(1).exactOptional().describe('The text that the link shows.'),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), added: z.boolean(), line: z.number() }),
  record: ['name', 'target', 'section', 'heading'],
  positional: ['name', 'target'],
  operation: addLink,
  notes: ({ path, added, line }) => (added ? [] : [`the link is there already: ${path}:${line}`]),
});
