import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { createInBase } from '../../engine/operations/query/create-in-base.ts';
import { applyTemplate } from '../../engine/operations/write/apply-template.ts';
import { createNote } from '../../engine/operations/write/create-note.ts';
import { dailyNote } from '../../engine/operations/write/daily-note.ts';
import { upsertNote } from '../../engine/operations/write/upsert-note.ts';
import { writeAttachment } from '../../engine/operations/write/write-attachment.ts';
import { given } from '../define/note-input.ts';
import { defineChange } from './define-change.ts';
import {
  IfVersion,
  Inline,
  listOf,
  NewPath,
  NoteName,
  Properties,
  Section,
  Text,
} from './schemas.ts';
import { plain } from './text.ts';

/** What is known of a note that was made through a base; see `CreatedInBase`. */
const createdInBaseShape = {
  base: z.string().exactOptional(),
  view: z.string().exactOptional(),
  set: z.record(z.string(), z.unknown()).exactOptional(),
  unmet: listOf(z.string()).exactOptional(),
  row: z.boolean().exactOptional(),
};
type InBase = z.output<z.ZodObject<typeof createdInBaseShape>>;

export const createTool = defineChange({
  name: 'create',
  title: 'Create a note',
  description:
    'Creates a note, canvas or base, and the folders it needs. The name is used exactly as given, and an existing file is only replaced with --overwrite.',
  effect: 'write',
  input: z.object({
    path: NewPath,
    content: Text.exactOptional(),
    properties: Properties,
    overwrite: z.boolean().exactOptional().describe('Replace a file that exists.'),
    counted: z
      .boolean()
      .exactOptional()
      .describe('If the name is taken, make "name 1", "name 2" and so on.'),
    base: NoteName.exactOptional().describe(
      'Create it through this base: in the folder and with the properties that its filters imply.',
    ),
    view: z.string().min(1).exactOptional().describe('The view of the base; else the first one.'),
  }),
  result: z.object({ path: z.string(), others: listOf(z.string()), ...createdInBaseShape }),
  record: ['path', 'overwrite', 'counted', 'base', 'view'],
  positional: ['path', 'content'],
  content: { argument: 'content', bytesMax: limits.noteBytesMax },
  examples: [
    `vaultdoor create Inbox/Idea 'Grow beans earlier.'`,
    `vaultdoor create Recipes/Soup --properties '{"servings":2}'`,
    'vaultdoor create Persuasion --base Reading',
  ],
  operation: async (draft, { base, view, ...request }) => {
    if (base === undefined) {
      if (view === undefined) return createNote(draft, request);
      throw new VaultError('invalid_input', 'A view belongs to a base; give --base as well.');
    }
    const { path: name, overwrite, ...rest } = request;
    if (overwrite === true) {
      throw new VaultError('invalid_input', 'A base creates new notes; leave out --overwrite.');
    }
    return createInBase(draft, { base, name, ...given({ view }), ...rest });
  },
  notes: ({ others, ...made }) => [
    ...others.map((path) => `has the same name: ${path}`),
    ...inBaseText(made),
  ],
});

/** What the filters of the base gave the note, and what it lacks to be a row. */
function inBaseText({ set = {}, unmet = [], row, view }: InBase): string[] {
  if (row === undefined) return [];
  const isIn = row ? 'is a row of' : 'is not a row of';
  return [
    ...Object.entries(set).map(([key, value]) => plain(`${key}: ${JSON.stringify(value)}`)),
    `${isIn} the view "${plain(view ?? '')}"`,
    ...unmet.map((filter) => plain(`the filter also asks: ${filter}`)),
  ];
}

export const upsertTool = defineChange({
  name: 'upsert',
  title: 'Create or update a note',
  description: 'Creates a note with this text, or changes the note if it exists.',
  effect: 'write',
  input: z.object({
    path: NewPath,
    text: Text,
    mode: z
      .enum(['replace', 'append', 'body'])
      .exactOptional()
      .describe(
        'What to do with a note that exists: replace all of it, append the text, or replace its body and keep its properties.',
      ),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), did: z.enum(['created', 'changed', 'unchanged']) }),
  record: ['path', 'mode'],
  positional: ['path', 'text'],
  content: { argument: 'text', bytesMax: limits.noteBytesMax },
  examples: [`vaultdoor upsert Inbox/Log '- first snow' --mode append`],
  operation: upsertNote,
});

export const attachTool = defineChange({
  name: 'attach',
  title: 'Add an attachment',
  description:
    "Copies a picture, sound, film or PDF into the vault's folder for attachments; a name that is taken gets a number. Prints the link that embeds it.",
  effect: 'write',
  input: z.object({
    file: z.string().min(1).describe('The file to copy.'),
    data: z.string().describe('Its bytes as base64.'),
    to: NoteName.exactOptional().describe('Embed it at the end of this note.'),
    as: NewPath.exactOptional().describe('Its name or path in the vault, if it is another.'),
    replace: z.boolean().exactOptional().describe('Replace the attachment of this name.'),
    version: IfVersion,
  }),
  result: z.object({ path: z.string(), embed: z.string(), replaced: z.boolean() }),
  record: ['to', 'as', 'replace'],
  positional: ['file'],
  content: { argument: 'data', bytesMax: limits.attachmentBytesMax, file: 'file' },
  examples: ['vaultdoor attach ~/Pictures/harvest.jpg --to Home'],
  operation: async (draft, { file, data, to, as, replace, version }) =>
    writeAttachment(draft, {
      name: as ?? file.replace(/^.*[/\\]/, ''),
      bytes: draft.vault.vault.parts.base64.decode(data) ?? new Uint8Array(),
      ...(to === undefined ? {} : { note: to }),
      ...(replace === undefined ? {} : { replace }),
      ...(version === undefined ? {} : { version }),
    }),
  notes: ({ embed }) => [`embed it with ${embed}`],
});

const PathAndCreated = z.object({ path: z.string(), created: z.boolean() });

export const dailyTool = defineChange({
  name: 'daily',
  title: 'Daily note',
  description:
    "Creates the daily note if it does not exist, and adds text to it. Folder, format and template are set in the vault's settings.",
  effect: 'write',
  input: z.object({
    content: Text.exactOptional(),
    date: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The day: YYYY-MM-DD, yesterday or tomorrow (default: today).'),
    period: z
      .enum(['day', 'week', 'month', 'quarter', 'year'])
      .exactOptional()
      .describe(
        'Take the note of this period instead (settings of the Periodic Notes plugin; default: day).',
      ),
    prepend: z.boolean().exactOptional().describe('Add the text at the beginning.'),
    section: Section.exactOptional().describe('Add the text to this section.'),
    inline: Inline,
    version: IfVersion,
  }),
  result: PathAndCreated,
  record: ['date', 'period', 'prepend', 'section', 'inline'],
  positional: ['content'],
  content: { argument: 'content', bytesMax: limits.noteBytesMax },
  examples: [
    'vaultdoor daily',
    `vaultdoor daily '- first snow'`,
    `vaultdoor daily --date tomorrow '- buy salt'`,
  ],
  operation: dailyNote,
  notes: ({ path }, { change }) => (change === undefined ? [`the daily note is ${path}`] : []),
});

export const templateTool = defineChange({
  name: 'template',
  title: 'Use a template',
  description: 'Creates a note from a template, or inserts the template into a note.',
  effect: 'write',
  input: z.object({
    template: z.string().min(1).describe('The template: its path, or its name.'),
    path: NewPath.exactOptional().describe('The note to create.'),
    name: NoteName.exactOptional().describe('The note to insert the template into.'),
    title: z.string().min(1).exactOptional().describe('The text for {{title}}.'),
    properties: Properties,
    version: IfVersion,
  }),
  result: PathAndCreated,
  record: ['template', 'path', 'name'],
  positional: ['template', 'path'],
  examples: [`vaultdoor template Meeting 'Meetings/2026-12-01 Dyke walk'`],
  operation: applyTemplate,
});
