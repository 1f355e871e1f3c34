import { z } from 'zod';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { updateBody } from '../../engine/operations/write/update-body.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { given, IfVersion, NewTags, noteInput, noteOf, Text } from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

export function updateNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'update_note',
    title: 'Update note',
    description:
      'Replace the WHOLE body; properties stay. Read it all first. To edit a part: replace_note, insert_note, append_section.',
    effect: 'write',
    existing: 'name',
    ...noteInput({ content: Text.describe('New body'), version: IfVersion }, { new_tags: NewTags }),
    output: writingSchema({ updated: z.literal(true) }),
    record: ['name', 'path', 'new_tags'],
    run: async (vault, { name, path, content: text, new_tags: newTags = [], ...rest }) => {
      const request = { ...given(rest), name: noteOf({ name, path }), text };
      const report = await changeNote(vault, updateBody, request, {
        tags: { policy, newTags },
        advice: { conflict: adviceToNarrow },
      });
      return writingAnswer(report, { updated: true as const });
    },
  });
}

const adviceToNarrow =
  'Use read_note to see the note as it is, or replace_note, insert_note or append_section to change only a part.';
