import { z } from 'zod';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { setOrRemoveProperty } from '../../engine/operations/write/set-note-property.ts';
import { brokenProperties } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  filled,
  given,
  IfVersion,
  NewTags,
  noteInput,
  noteOf,
  PropertyValue,
} from '../define/note-input.ts';
import { roomBeside } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

export function setFrontmatterTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'set_frontmatter',
    title: 'Set frontmatter',
    description:
      'Set or remove one property; a list replaces the old one. Several notes or properties: set_properties.',
    effect: 'write',
    existing: 'name',
    ...noteInput(
      {
        key: filled('Property', 1_000),
        value: PropertyValue.describe('null removes it'),
        new_tags: NewTags,
      },
      { version: IfVersion },
    ),
    output: writingSchema({ key: z.string(), value: z.unknown() }),
    record: ['name', 'path', 'key', 'new_tags'],
    run: async (vault, { name, path, new_tags: newTags = [], ...rest }) => {
      const request = { ...given(rest), name: noteOf({ name, path }) };
      const report = await changeNote(vault, setOrRemoveProperty, request, {
        tags: { policy, newTags },
        advice: { invalid_input: brokenProperties },
      });
      const { key, value } = report;
      const answer = writingAnswer(report, { key });
      return JSON.stringify(value).length > roomBeside(answer)
        ? { ...answer, value: 'Stored, but too long to repeat here.' }
        : { ...answer, value };
    },
  });
}
