import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { deleteNoteAt } from '../../engine/operations/move/delete-file.ts';
import { readNoteAt } from '../../engine/operations/read/read-note.ts';
import { appendOrCreate } from '../../engine/operations/write/append-or-create.ts';
import type { PropertyValue } from '../../markdown/facts/facts.ts';
import { changeNote } from '../define/change-note.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { count, optionalText } from '../define/note-input.ts';
import { charsWithin } from '../wording/fit-answer.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { limited, showLines, showSection } from '../wording/shown-text.ts';
import { withReport } from '../wording/writing-answer.ts';
import { NotePath, warningsShape } from './schemas.ts';

const missing = { content: '', exists: false };

export const noteReadTool = defineTool({
  name: 'note_read',
  title: 'Read note',
  description:
    'Read a note by its exact path, properties included: all of it, or a section. A long one comes in parts: go on with offset. A note that does not exist is no error: exists is false, and closest has similar paths.',
  effect: 'read',
  existing: 'path',
  absent: missing,
  input: z.object({
    path: NotePath,
    section: optionalText('Heading, or "A > B"'),
    offset: count('Lines to skip'),
    skip: count('Characters to skip in the first line read'),
    limit: count('Lines to read, also more than one answer usually has', { min: 1 }),
  }),
  output: z.object({
    content: z.string(),
    exists: z.boolean(),
    truncated: z.string().optional().describe('What is left out, and how to read it'),
    next_offset: z.int().optional(),
    closest: z.array(z.string()).readonly().optional(),
  }),
  record: ['path', 'section', 'offset', 'skip', 'limit'],
  run: async (vault, { path, section: heading, offset = 0, skip = 0, limit }) => {
    if (heading !== undefined && (offset > 0 || skip > 0)) {
      throw new VaultError(
        'invalid_input',
        'offset and skip count from the beginning of the note: leave out section.',
      );
    }
    const found = await readNoteAt(vault, { path, section: heading });
    const { note } = found;
    if (note === undefined) {
      const { closest } = found;
      return closest.length === 0 ? missing : { ...missing, closest };
    }
    const room = (text: string, start: number) => charsFrom(text, start, limit);
    if (found.section === undefined) {
      const { lines, ...shown } = showLines(vault, note, { offset, skip, limit, room });
      return { content: shown.text, exists: true, ...rest(shown, lines) };
    }
    const shown = showSection(vault, note, found.section.content, { limit, room });
    return { content: shown.text, exists: true, ...rest(shown, shown.end) };
  },
});

/**
 * How many characters of a text fit. Without `limit`, an answer is as long as those of other tools;
 * who names the lines gets them.
 */
function charsFrom(text: string, start: number, limit: number | undefined): number {
  return limit === undefined
    ? charsWithin(text, start, limits.answerCharsMax - aroundContent)
    : limits.wholeNoteBytesMax;
}

/** How many characters an answer has beside the content. */
const aroundContent = 400;

/** How to read on; nothing when all lines up to `end` are there. */
function rest({ first, last, cut, shortened }: ShownText, end: number) {
  if (cut !== undefined) {
    return {
      truncated: `Line ${last} is cut after ${cut.shown} of its ${cut.of} characters: go on with offset=${last - 1}, skip=${cut.shown}.`,
      next_offset: last - 1,
    };
  }
  if (last >= end) return {};
  const next = `go on with offset=${last}, limit=${end - last}`;
  const truncated = `Lines ${first}-${last}, up to ${end}${shortened ? ` (${limited})` : ''}: ${next}.`;
  return { truncated, next_offset: last };
}

export function noteUpsertTool(refusesUndescribed: boolean): AnyTool {
  return defineTool({
    name: 'note_upsert',
    title: 'Create note or append',
    description:
      'Create a note, with its folders, or append to the one at that path: a line break and the content at its very end. frontmatter is for a new note only.',
    effect: 'write',
    input: z.object({
      path: NotePath,
      content: z.string().describe('Markdown'),
      frontmatter: z
        .preprocess(objectOf, z.record(z.string(), z.unknown()).optional())
        .describe('Properties of a new note; ignored when it exists'),
    }),
    output: z.object({ created: z.boolean(), ...warningsShape }),
    record: ['path'],
    run: async (vault, { path, content, frontmatter = {} }) => {
      // Arguments come as JSON, so every value is a `PropertyValue`.
      const properties = frontmatter as Readonly<Record<string, PropertyValue>>;
      const request = { path, content, properties };
      const report = await changeNote(vault, appendOrCreate, request, {
        advice: { already_exists: usePathThere },
        description: { isRefused: refusesUndescribed, how: describeNew },
      });
      return withReport(report, { created: report.created });
    },
  });
}

const describeNew =
  'Give it in "frontmatter" of note_upsert when the note is made; no tool here adds it later.';

const usePathThere = 'Use that path to append to what is there: upper and lower case count.';

/** Some clients send an object as JSON text, and `null` or `""` for an argument without a value. */
function objectOf(value: unknown): unknown {
  if (value === null || value === '') return undefined;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const noteDeleteTool = defineTool({
  name: 'note_delete',
  title: 'Delete note',
  description:
    'Move a note to the trash by its exact path; links to it stay. Only when the user asks for it. deleted is false when there was none.',
  effect: 'destroy',
  existing: 'path',
  absent: { deleted: false },
  input: z.object({ path: NotePath }),
  output: z.object({ deleted: z.boolean(), ...warningsShape }),
  record: ['path'],
  run: async (vault, { path }) => {
    const report = await vault.change(deleteNoteAt, { path });
    return withReport(report, { deleted: report.deleted });
  },
});
