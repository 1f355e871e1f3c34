import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import type { TextRange } from '../../base/text-range.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { shortVersion } from '../../base/version.ts';
import { findNote } from '../../engine/notes/find-note.ts';
import { openNamed } from '../../engine/operations/read/open-named.ts';
import {
  type ReadAttachment,
  readAttachment,
  readEmbeddedPictures,
} from '../../engine/operations/read/read-attachment.ts';
import { pageNamed, readDocument } from '../../engine/operations/read/read-document.ts';
import { documentKind } from '../../engine/ports/documents.ts';
import type { BoundVault, NoteText } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { count, flag, given, noteOf, noteOrNotesInput } from '../define/note-input.ts';
import { charsWithin } from '../wording/fit-answer.ts';
import { attachmentSentence, mediaOf } from '../wording/shown-media.ts';
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

/** A picture or a sound beside the text; see `MediaContent`. */
const Media = z.object({
  type: z.enum(['image', 'audio']),
  data: z.string(),
  mimeType: z.string(),
});

export const readNoteTool = defineTool({
  name: 'read_note',
  title: 'Read note',
  description:
    'Read a note as on disk, or several (names); or an image, sound or PDF (#page=3). Long ones: go on with offset. One section: read_section.',
  effect: 'read',
  existing: 'name',
  ...noteOrNotesInput(
    {
      offset: count('Lines to skip'),
      limit: count('Lines to read, of each', { min: 1 }),
      images: flag('Also those it embeds'),
    },
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
      /** What is said about the pictures, and the pictures that are shown. */
      images: z.string().optional(),
      media: z.array(Media).readonly().optional(),
    }),
    /** An attachment: a sentence about it, and what is shown of it. */
    z.object({ path: z.string(), text: z.string(), media: z.array(Media).readonly() }),
    z.object({ notes: z.array(OneOfMany).readonly() }),
  ]),
  record: ['name', 'path', 'names', 'offset', 'skip', 'limit', 'images'],
  run: async (vault, { offset = 0, skip = 0, limit, names, images = false, ...which }) => {
    if (names !== undefined) return readMany(vault, names, { offset, skip, limit, images });
    const { name = '' } = which;
    const part = { offset, skip, limit };
    const page = pageAsked(which);
    if (page === undefined && name.includes('#'))
      return withImages(vault, images, await readNamed(vault, name, part));
    const path = await findNote(vault, page?.file ?? noteOf(which));
    if (documentKind(path) === 'drawing') return drawingAnswer(vault, path);
    const attachment = await readAttachment(vault, path);
    if (attachment?.kind === 'pdf')
      return pdfAnswer(vault, attachment, { page: page?.number, offset, limit });
    if (attachment !== undefined) return attachmentAnswer(vault, attachment);
    return withImages(vault, images, wholeOf(vault, await vault.readText(path), part));
  },
  text: (answer) => {
    if ('notes' in answer) return JSON.stringify(answer);
    if (!('version' in answer)) return answer.text;
    const { text, closing, images } = answer;
    const ending = [closing, images].filter((line) => line !== undefined).join('\n');
    return images === undefined || closing !== undefined || text.endsWith('\n')
      ? text + ending
      : `${text}\n${ending}`;
  },
  media: (answer) => ('notes' in answer ? [] : (answer.media ?? [])),
  meta: (answer) => {
    if ('notes' in answer) return {};
    return 'version' in answer ? noteMeta(answer) : { 'vaultdoor/path': answer.path };
  },
});

function attachmentAnswer(vault: BoundVault, attachment: ReadAttachment) {
  const { base64 } = vault.vault.parts;
  const text = `[${attachmentSentence(attachment)}]`;
  return { path: attachment.path, text, media: mediaOf(base64, [attachment]) };
}

/** A page of a PDF, as `report.pdf#page=3` names it; undefined for any other name. */
function pageAsked({
  name,
  path,
}: {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
}) {
  const named = pageNamed(path ?? name ?? '');
  if (named === undefined) return undefined;
  return { ...named, file: path === undefined ? named.file : { path: named.file } };
}

/** The text of a PDF, or of one page; where it cannot be read, what the file is and why. */
async function pdfAnswer(
  vault: BoundVault,
  pdf: ReadAttachment,
  { page, offset, limit }: Pick<Part, 'offset' | 'limit'> & { readonly page: number | undefined },
) {
  try {
    const { count, pages, note } = await readDocument(vault, pdf.path, { page, charsMax });
    const lines = pages.flatMap(({ number, text }) =>
      (text === '' ? '(no text; it may be a scan)' : text)
        .split('\n')
        .map((line) => ({ number, line })),
    );
    const last = Math.min(lines.length, offset + (limit ?? lines.length));
    const asked = lines.slice(offset, last);
    const said = new Map(asked.map(({ number }) => [number, [] as string[]]));
    for (const { number, line } of asked) said.get(number)?.push(line);
    const shown = Array.from(said, ([number, texts]) => {
      // Where not all pages were read, the note below says how many were.
      return `[Page ${number}${note === undefined ? ` of ${count}` : ''}]\n${texts.join('\n')}`;
    });
    const next = (pages.at(-1)?.number ?? count) + 1;
    const more: string[] = [];
    if (asked.length === 0) more.push(`[There are only ${lines.length} lines to read here.]`);
    if (last < lines.length) {
      more.push(`[Lines ${offset + 1}-${last} of ${lines.length}: go on with offset=${last}.]`);
    } else if (page === undefined && next <= count) {
      more.push(`[Go on with name="${pdf.path}#page=${next}".]`);
    }
    if (note !== undefined) more.push(`[${note}]`);
    return { path: pdf.path, text: [...shown, ...more].join('\n\n'), media: [] };
  } catch (error) {
    if (!(error instanceof VaultError) || !unreadablePdf.has(error.code)) throw error;
    return attachmentAnswer(vault, { ...pdf, why: error.message.replace(/\.$/, '') });
  }
}

/** The text on a drawing. Fails as `readDocument` does. */
async function drawingAnswer(vault: BoundVault, path: VaultPath) {
  const { pages } = await readDocument(vault, path, { charsMax });
  const written = pages.map(({ text }) => text).join('');
  const text =
    written === '' ? '[There is no text on the drawing.]' : `[On the drawing]\n${written}`;
  return { path, text, media: [] };
}

/** How much text of a document one answer has. */
const charsMax = limits.answerCharsMax - 2_000;

/** Failures to read a PDF that are about the file, or about this installation. */
const unreadablePdf: ReadonlySet<string> = new Set([
  'invalid_input',
  'timeout',
  'too_large',
  'unavailable',
]);

/** A part of a note as the answer has it, and which lines these are. */
interface ShownPart {
  readonly path: VaultPath;
  readonly version: string;
  readonly text: string;
  readonly closing: string | undefined;
  readonly lines: { readonly first: number; readonly last: number };
}

/** The answer about a part of a note, with the pictures in it if they are wanted. */
async function withImages(vault: BoundVault, isWanted: boolean, shown: ShownPart) {
  const { lines, ...answer } = shown;
  if (!isWanted) return answer;
  const { pictures, more } = await readEmbeddedPictures(vault, shown.path, lines);
  const sentences = pictures.map(attachmentSentence);
  if (more > 0) sentences.push(`${more} more: read each by its path.`);
  const images = sentences.length === 0 ? 'none in these lines.' : sentences.join('\n');
  return {
    ...answer,
    images: `[Images: ${images}]`,
    media: mediaOf(vault.vault.parts.base64, pictures),
  };
}

/** The lines of a note that are asked for, with its path and version. */
function wholeOf(vault: BoundVault, note: Read, part: Part): ShownPart {
  const { lines: total, ...shown } = showLines(vault, note, part);
  const { text, first, last } = shown;
  const version = shortVersion(note.version);
  const closing = closingOf(shown, total);
  return { path: note.path, version, text, closing, lines: { first, last } };
}

/** The note or the section that a name with `#` means. */
async function readNamed(vault: BoundVault, name: string, part: Part): Promise<ShownPart> {
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
): ShownPart {
  const shown = showSection(vault, note, content, part);
  const { text, first, last } = shown;
  const version = shortVersion(note.version);
  const closing = sectionClosing(shown);
  return { path: note.path, version, text, closing, lines: { first, last } };
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
  {
    offset,
    skip,
    limit,
    images,
  }: Omit<Part, 'room'> & { readonly skip: number; readonly images: boolean },
) {
  if (offset > 0 || skip > 0 || images) {
    throw new VaultError('invalid_input', 'Give offset, skip and images with name, for one note.');
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
    const {
      closing,
      lines: _lines,
      ...one
    } = section === undefined
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
