import { z } from 'zod';
import { VaultError } from '../../base/vault-error.ts';
import type { TagPolicy } from '../../engine/decide/tag-policy.ts';
import { createInBase } from '../../engine/operations/query/create-in-base.ts';
import { createFromTemplate } from '../../engine/operations/write/apply-template.ts';
import { createNamedNote } from '../../engine/operations/write/create-note.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { givenProperties } from '../define/given-properties.ts';
import { given, NewTags, noteInput, noteOf, optionalText } from '../define/note-input.ts';
import { inBaseAnswer, inBaseShape } from '../wording/base-rows.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

export function createNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'create_note',
    title: 'Create note',
    description:
      'Create a note; never overwrites. Use only tags the vault has. To change one: append_note, replace_note.',
    effect: 'write',
    ...noteInput({
      content: optionalText('Markdown'),
      frontmatter: z
        .unknown()
        .transform((value) => givenProperties('frontmatter', value))
        .optional()
        .describe('JSON text: {"tags":["a"]}')
        .meta({ type: 'string' }), // An object is accepted too.
      template: optionalText('Template to use'),
      base: optionalText('Base to add it to'),
      view: optionalText('Its view'),
      new_tags: NewTags,
    }),
    output: writingSchema({
      created: z.literal(true),
      same_name: z.array(z.string()).readonly().optional(),
      ...inBaseShape,
    }),
    record: ['name', 'path', 'template', 'base', 'view', 'new_tags'],
    run: async (vault, args) => {
      const {
        name,
        path,
        content,
        frontmatter,
        template,
        base,
        view,
        new_tags: newTags = [],
      } = args;
      const request = {
        name: noteOf({ name, path }),
        content: content ?? '',
        properties: frontmatter ?? {},
      };
      const options = {
        tags: { policy, newTags },
        advice: { already_exists: adviceToChange },
      };
      if (base !== undefined) {
        if (template !== undefined) throw baseOrTemplate();
        const asked = { ...request, base, ...given({ view }) };
        return inBaseAnswer(await changeNote(vault, createInBase, asked, options));
      }
      const report =
        template === undefined
          ? await changeNote(vault, createNamedNote, request, options)
          : await changeNote(vault, createFromTemplate, { ...request, template }, options);
      const { others } = report;
      return writingAnswer(report, {
        created: true as const,
        ...(others.length === 0 ? {} : { same_name: firstOf(others) }),
      });
    },
  });
}

function baseOrTemplate(): VaultError {
  return new VaultError('invalid_input', 'Give a base or a template, not both.');
}

const adviceToChange =
  'To change the note that is there use append_note, replace_note or update_note instead.';
