import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { createNamedNote } from '../../engine/operations/write/create-note.ts';
import type { TagPolicy } from '../../engine/tags/tag-policy.ts';
import { convertTags } from '../../engine/text/convert-property.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { NewTags, noteInput, noteOf, optionalText } from '../define/note-input.ts';
import { firstOf } from '../wording/fit-answer.ts';
import { writingAnswer, writingSchema } from '../wording/writing-answer.ts';

type Properties = Readonly<Record<string, PropertyValue>>;

export function createNoteTool(policy: TagPolicy): AnyTool {
  return defineTool({
    name: 'create_note',
    title: 'Create note',
    description:
      'Create a note; never overwrites. To change one that exists use append_note, replace_note or update_note. Use only tags the vault has.',
    effect: 'write',
    ...noteInput({
      content: optionalText('Markdown'),
      frontmatter: z
        .unknown()
        .transform(propertiesOf)
        .optional()
        .describe('Properties, a JSON object as text: {"tags":["a"]}')
        .meta({ type: 'string' }), // An object is accepted too.
      new_tags: NewTags,
    }),
    output: writingSchema({
      created: z.literal(true),
      same_name: z.array(z.string()).readonly().optional(),
    }),
    record: ['name', 'path', 'new_tags'],
    run: async (vault, { name, path, content, frontmatter, new_tags: newTags = [] }) => {
      const request = {
        name: noteOf({ name, path }),
        content: content ?? '',
        properties: frontmatter ?? {},
      };
      const report = await changeNote(vault, createNamedNote, request, {
        tags: { policy, newTags },
        advice: { already_exists: adviceToChange },
      });
      const { others } = report;
      return writingAnswer(report, {
        created: true as const,
        ...(others.length === 0 ? {} : { same_name: firstOf(others) }),
      });
    },
  });
}

const adviceToChange =
  'To change the note that is there use append_note, replace_note or update_note instead.';

/**
 * Reads properties from an object or its JSON text. `tags` may be a text, as in set_frontmatter.
 */
function propertiesOf(given: unknown): Properties | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const value = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(value)) {
    throw new VaultError(
      'invalid_input',
      'The argument "frontmatter" must be a JSON object, for example {"tags": ["recipe"], "rating": 5}.',
    );
  }
  if (!isShallow(value, limits.nestingMax)) {
    throw new VaultError(
      'invalid_input',
      `The argument "frontmatter" nests more than ${limits.nestingMax} levels deep; make it flatter.`,
    );
  }
  const entries = Object.entries(value).map(([key, entry]) =>
    key.toLowerCase() === 'tags' ? [key, convertTags(entry)] : [key, entry],
  );
  return Object.fromEntries(entries) as Properties;
}

/** Whether a value is an object. All values in arguments are JSON. */
function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value nests at most this many levels deep. */
function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1));
}

/** A JSON text as a value; undefined when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
