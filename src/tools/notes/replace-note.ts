import { z } from 'zod';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { replaceInNote } from '../../engine/operations/write/replace-in-note.ts';
import { severalPlaces } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  filled,
  flag,
  given,
  IfVersion,
  NewTags,
  noteInput,
  noteOf,
  Text,
} from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const linesMax = 100;

export function replaceNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'replace_note',
    title: 'Replace note',
    description:
      'Replace exact text in the body; it must occur once unless replace_all. Properties: set_frontmatter.',
    effect: 'write',
    existing: 'name',
    ...noteInput(
      {
        old_text: filled('As in the note'),
        new_text: Text.describe('Empty removes it'),
        replace_all: flag('Every occurrence'),
      },
      { new_tags: NewTags, version: IfVersion },
    ),
    output: writingSchema({ replaced: z.number(), lines: z.array(z.number()).readonly() }),
    record: ['name', 'path', 'replace_all', 'new_tags'],
    run: async (
      vault,
      { name, path, old_text, new_text, replace_all = false, new_tags = [], ...rest },
    ) => {
      const request = {
        ...given(rest),
        name: noteOf({ name, path }),
        find: old_text,
        put: new_text,
        all: replace_all,
      };
      const report = await changeNote(vault, replaceInNote, request, {
        tags: { policy, newTags: new_tags },
        advice: { ambiguous: severalPlaces('To replace them all set replace_all.') },
      });
      const { replaced, lines } = report;
      return writingAnswer(report, { replaced, lines: firstOf(lines, linesMax) });
    },
  });
}
