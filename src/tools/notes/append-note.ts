import { z } from 'zod';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { appendNote } from '../../engine/operations/write/append-note.ts';
import { severalHeadings } from '../define/advice.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import {
  given,
  IfVersion,
  NewTags,
  noteInput,
  noteOf,
  Section,
  Text,
} from '../define/note-input.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

const NewText = Text.describe('Markdown');

export function appendNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'append_note',
    title: 'Append note',
    description: 'Add lines at the end of a note. Under a heading: append_section.',
    effect: 'write',
    existing: 'name',
    ...noteInput({ text: NewText }, { new_tags: NewTags, version: IfVersion }),
    output: writingSchema({ appended: z.literal(true), line: z.number() }),
    record: ['name', 'path', 'new_tags'],
    run: async (vault, { name, path, new_tags: newTags = [], ...rest }) => {
      const request = { ...given(rest), name: noteOf({ name, path }) };
      const report = await changeNote(vault, appendNote, request, { tags: { policy, newTags } });
      return writingAnswer(report, { appended: true as const, line: report.line });
    },
  });
}

export function appendSectionTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'append_section',
    title: 'Append section',
    description: 'Add lines at the end of a section; for a new one: append_note.',
    effect: 'write',
    existing: 'name',
    ...noteInput({ section: Section, text: NewText }, { new_tags: NewTags, version: IfVersion }),
    output: writingSchema({ appended: z.literal(true), section: z.string(), line: z.number() }),
    record: ['name', 'path', 'section', 'new_tags'],
    run: async (vault, { name, path, new_tags: newTags = [], ...rest }) => {
      const request = { ...given(rest), name: noteOf({ name, path }) };
      const report = await changeNote(vault, appendNote, request, {
        tags: { policy, newTags },
        advice: { ambiguous: severalHeadings(adviceToInsert) },
      });
      const { section } = rest;
      return writingAnswer(report, { appended: true as const, section, line: report.line });
    },
  });
}

const adviceToInsert = 'Or use insert_note with a text that stands in the section you mean.';
