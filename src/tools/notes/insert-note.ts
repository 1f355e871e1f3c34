import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { insertInNote } from '../../engine/operations/write/insert-in-note.ts';
import { severalPlaces } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  given,
  IfVersion,
  NewTags,
  noteInput,
  noteOf,
  optionalText,
  Text,
} from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

export function insertNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'insert_note',
    title: 'Insert note',
    description:
      'Insert lines above (before) or below (after) a text that occurs once in the body. At the end: append_note.',
    effect: 'write',
    existing: 'name',
    ...noteInput(
      {
        text: Text.describe('Markdown'),
        before: optionalText('Text in it'),
        after: optionalText('Text in it'),
      },
      { new_tags: NewTags, version: IfVersion },
    ),
    output: writingSchema({ inserted: z.literal(true), line: z.number() }),
    record: ['name', 'path', 'new_tags'],
    run: async (vault, { name, path, new_tags: newTags = [], ...rest }) => {
      if ((rest.before === undefined) === (rest.after === undefined)) {
        throw new VaultError(
          'invalid_input',
          "Exactly one of 'before' or 'after' must be provided: a text that stands in the note. To put text first, give the first line of the note as 'before'.",
        );
      }
      const request = { ...given(rest), name: noteOf({ name, path }) };
      const report = await changeNote(vault, insertInNote, request, {
        tags: { policy, newTags },
        advice: { ambiguous: severalPlaces('It belongs to "before" or "after".') },
      });
      return writingAnswer(report, { inserted: true as const, line: report.line });
    },
  });
}
