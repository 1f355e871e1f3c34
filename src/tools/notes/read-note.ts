import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import { shortVersion } from '../../base/version.ts';
import { openNamed } from '../../engine/operations/read/open-named.ts';
import { readNote } from '../../engine/operations/read/read-note.ts';
import type { BoundVault, NoteText } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, given, noteOf, noteOrNotesInput } from '../define/note-input.ts';
import { charsWithin } from '../wording/fit-answer.ts';
import type { ShownText } from '../wording/shown-text.ts';
import { cutLineClosing, limited, showLines, showSection } from '../wording/shown-text.ts';
import { noteMeta } from './notes-voice.ts';
import { sectionClosing } from './read-section.ts';

/** One note of several; `error` says why it could not be read, in place of the rest. */
const OneOfMany = z.object({
  name: z.string().optional(),
  error: z.string().optional(),
  path: z.string().optional(),
  version: z.string().optional(),
  text: z.string().optional(),
  /** When there is more: what was shown, and how to go on. */
  more: z.string().optional(),
});

export const readNoteTool = defineTool({
  name: 'read_note',
  title: 'Read note',
  description:
    'Read a note: properties and body, as on disk; or several (names). A long one comes in parts: go on with offset. One section: read_section.',
  effect: 'read',
  existing: 'name',
  ...noteOrNotesInput(
    { offset: count('Lines to skip'), limit: count('Lines to read, of each', { min: 1 }) },
    // An answer that cuts a long line says how to go on with `skip`.
    { skip: count('Characters to skip in the first line read') },
  ),
  output: z.union([
    z.object({
      path: z.string(),
      version: z.string(),
      text: z.string(),
      /** When there is more: a last line that says what was shown, and how to go on. */
      closing: z.string().optional(),
    }),
    z.object({ notes: z.array(OneOfMany).readonly() }),
  ]),
  record: ['name', 'path', 'names', 'offset', 'skip', 'limit'],
  run: async (vault, { offset = 0, skip = 0, limit, names, ...which }) => {
    if (names !== undefined) return readMany(vault, names, { offset, skip, limit });
    const { name = '' } = which;
    if (name.includes('#')) return readNamed(vault, name, { offset, skip, limit });
    const note = await readNote(vault, { name: noteOf(which) });
    return wholeOf(vault, note, { offset, skip, limit });
  },
  text: (answer) =>
    'notes' in answer ? JSON.stringify(answer) : answer.text + (answer.closing ?? ''),
  meta: (answer) => ('notes' in answer ? {} : noteMeta(answer)),
});

/** The lines of a note that are asked for, with its path and version. */
function wholeOf(vault: BoundVault, note: Read, part: Part) {
  const { lines, ...shown } = showLines(vault, note, part);
  const version = shortVersion(note.version);
  return { path: note.path, version, text: shown.text, closing: closingOf(shown, lines) };
}

/** The note or the section that a name with `#` means. */
async function readNamed(vault: BoundVault, name: string, part: Part) {
  const { note, section } = await openNamed(vault, name);
  if (section === undefined) return wholeOf(vault, note, part);
  if (part.offset > 0 || (part.skip ?? 0) > 0) {
    throw new VaultError(
      'invalid_input',
      `Lines are counted from the beginning of the note: give name="${note.path}" with offset.`,
    );
  }
  return sectionOf(vault, note, section.content, part);
}

/** A section, with the path and version of its note. */
function sectionOf(
  vault: BoundVault,
  note: Read,
  content: TextRange,
  part: Pick<Part, 'limit' | 'room'>,
) {
  const shown = showSection(vault, note, content, part);
  const version = shortVersion(note.version);
  return { path: note.path, version, text: shown.text, closing: sectionClosing(shown) };
}

/** The last line of an answer that does not show the whole note; undefined when it does. */
function closingOf(shown: ShownText, total: number): string | undefined {
  const { first, last, shortened, cut } = shown;
  if (cut !== undefined) return cutLineClosing(shown);
  const next = `go on with offset=${last}`;
  if (last >= total) return undefined;
  return `[Lines ${first}-${last} of ${total}${shortened ? `. ${limited}: ${next}` : `: ${next}`}.]`;
}

/** Which lines are asked for, and how many characters of the text fit from `start` on. */
interface Part {
  readonly offset: number;
  readonly skip?: number;
  readonly limit: number | undefined;
  readonly room?: (text: string, start: number) => number;
}

type Read = Pick<NoteText, 'path' | 'text' | 'version'>;

/** What an answer has beside the texts of several notes, and what one note has beside its text. */
const aroundAll = 100;
const aroundOne = 400;

/**
 * Reads several notes or sections into one answer. Each gets an equal share of the room, and what
 * one leaves goes to the others. One that cannot be read is reported in its place.
 */
async function readMany(
  vault: BoundVault,
  names: readonly string[],
  { offset, skip, limit }: Omit<Part, 'room'> & { readonly skip: number },
) {
  if (offset > 0 || skip > 0) {
    throw new VaultError('invalid_input', 'Give offset and skip with name, for one note.');
  }
  if (names.length > limits.readNotesMax) {
    throw new VaultError(
      'too_large',
      `One call reads at most ${limits.readNotesMax} notes; give the others in another call.`,
    );
  }
  const notes: z.output<typeof OneOfMany>[] = [];
  let room = limits.readNotesCharsMax - aroundAll;
  for (const [at, name] of names.entries()) {
    const share = Math.floor(room / (names.length - at));
    const one = await readOne(vault, name, { limit, share });
    notes.push(one);
    room -= JSON.stringify(one).length + 1;
  }
  return { notes };
}

async function readOne(
  vault: BoundVault,
  name: string,
  { limit, share }: { readonly limit: number | undefined; readonly share: number },
): Promise<z.output<typeof OneOfMany>> {
  try {
    const { note, section } = await openNamed(vault, name);
    const around = JSON.stringify(note.path).length + aroundOne;
    const room = (text: string, start: number) =>
      charsWithin(text, start, Math.max(1, share - around));
    const part = { offset: 0, limit, room };
    const { closing, ...one } =
      section === undefined
        ? wholeOf(vault, note, part)
        : sectionOf(vault, note, section.content, part);
    // The closing line as a sentence of its own.
    return { ...one, ...given({ more: closing?.replace(/^\n?\[|\]$/g, '') }) };
  } catch (failure) {
    if (!(failure instanceof VaultError) || !ofOneNote.has(failure.code)) throw failure;
    return {
      name: name.slice(0, aroundOne / 4),
      error: failure.message.slice(0, share - aroundOne),
    };
  }
}

/** Failures that are about one note; with any other, none could be read. */
const ofOneNote: ReadonlySet<string> = new Set([
  'not_found',
  'outside_vault',
  'ambiguous',
  'invalid_input',
  'is_a_folder',
  'too_large',
  'forbidden',
]);
