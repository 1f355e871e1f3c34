import { z } from 'zod';
import { addLink } from '../../engine/operations/write/add-link.ts';
import { defineTool } from '../define/define-tool.ts';
import { filled, given, optionalText } from '../define/note-input.ts';
import { withReport } from '../wording/writing-answer.ts';
import { exactly, warningsShape } from './schemas.ts';

export const linkAddTool = defineTool({
  name: 'link_add',
  title: 'Add link',
  description:
    'Add a link to another file on a line of its own at the end of a note, written as the vault writes links. Nothing happens when the note has that link: added is false, line is where it stands.',
  effect: 'write',
  input: z.object({
    from: filled('Path of the note that gets the link, e.g. "devlog/topic.md"'),
    to: filled('Path of the note or file it leads to'),
    heading: optionalText('Heading of the target to lead to'),
    alias: optionalText('Text that the link shows'),
  }),
  output: z.object({ added: z.boolean(), line: z.int().describe('From 1'), ...warningsShape }),
  record: ['from', 'to', 'heading'],
  run: async (vault, { from, to, heading, alias }) => {
    const report = await vault.change(addLink, {
      name: exactly(from),
      target: exactly(to),
      ...given({ heading, display: alias }),
    });
    return withReport(report, { added: report.added, line: report.line });
  },
});
