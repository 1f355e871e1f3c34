import type { Json } from '../../base/json.ts';
import { toJson } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { LineIndex } from '../../base/text-range.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Link, NoteFacts, PropertyValue } from '../../markdown/facts/facts.ts';
import { scanBase } from '../../markdown/scan/base-file.ts';
import { canvasText, scanCanvas } from '../../markdown/scan/canvas.ts';
import { searchedNoteText } from '../../markdown/scan/drawing.ts';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { fileKind } from '../ports/file-kind.ts';
import type { NoteDetail, PackedLinks } from '../ports/note-detail.ts';
import { packLink, packTask } from '../ports/note-detail.ts';
import type { ScanWant } from '../ports/ports.ts';
import type {
  FileKind,
  FileStat,
  LinkPlace,
  NoteRecord,
  PropertyType,
  TextRecord,
} from '../ports/records.ts';
import { baseText } from './base-text.ts';
import { foldText } from './fold-text.ts';
import { taskLines } from './task-lines.ts';

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Decodes a file's bytes. A byte order mark stays, because offsets count it. Invalid UTF-8 becomes
 * U+FFFD.
 */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Texts of up to this length are remembered with their facts, the last two of them. */
const recentCharsMax = 64 * 1024;
let recent: readonly { readonly text: string; readonly facts: NoteFacts }[] = [];

/**
 * The facts of a note. A change asks for those of its new text when it places the text, for its tags
 * and for the index, so those of the last two texts are remembered. Nobody may change them.
 */
export function noteFacts(text: string): NoteFacts {
  const known = recent.find((each) => each.text === text);
  if (known !== undefined) return known.facts;
  const facts = scanNote(text);
  const last = recent.slice(-1);
  recent = text.length > recentCharsMax ? last : [...last, { text, facts }];
  return facts;
}

/**
 * The text of a file of this kind that is searched: of a canvas, what people wrote on it; of a note, see
 * `searchedNoteText`.
 */
export function searchedText(kind: FileKind, text: string): string {
  if (kind === 'canvas') return canvasText(text);
  return kind === 'note' ? searchedNoteText(text) : text;
}

/** Finds everything known about the text of a file of this kind. */
export function factsOf(kind: FileKind, text: string): NoteFacts {
  switch (kind) {
    case 'canvas':
      return scanCanvas(text);
    case 'base':
      return scanBase(text);
    default:
      return noteFacts(text);
  }
}

/** A file as the scanner read it. */
interface FileToScan {
  readonly path: VaultPath;
  readonly stat: FileStat;
  /** The text as `decodeText` returns it. */
  readonly text: string;
}

/**
 * Makes the records that the index keeps of a file. A pure function, so it runs on whichever thread
 * read the text. Facts cost one pass over the text, and full text costs another.
 */
export function scanFile(
  file: FileToScan,
  want: readonly ScanWant[],
  nowMs: number,
): { note?: NoteRecord; text?: TextRecord } {
  const result: { note?: NoteRecord; text?: TextRecord } = {};
  if (want.includes('facts')) {
    // Read so soon after it was written that a later write may have the same mtime.
    const racy = nowMs - file.stat.mtimeMs < limits.racyMs;
    const record = noteRecord(file, factsOf(fileKind(file.path), file.text));
    result.note = racy ? { ...record, racy } : record;
  }
  if (want.includes('text')) result.text = textRecord(file);
  return result;
}

/**
 * The records of a file whose text is not read, because it is not on this disk or too large: only
 * its name and stat are known.
 */
export function unreadRecord(file: { readonly path: VaultPath; readonly stat: FileStat }): {
  note: NoteRecord;
  text: TextRecord;
} {
  const { path, stat } = file;
  return {
    note: {
      path,
      stat,
      linked: [],
      linkedCounts: [],
      tags: [],
      aliases: [],
      properties: [],
      problems: [],
      detail: nothing,
    },
    text: { path, stamp: stat.stamp, body: '' },
  };
}

const nothing: Json<NoteDetail> = toJson<NoteDetail>({
  links: [],
  subpaths: [],
  keys: [],
  properties: [],
  headings: [],
  tasks: [],
});

function noteRecord({ path, stat, text }: FileToScan, facts: NoteFacts): NoteRecord {
  const lines = new LineIndex(text);
  const { packed, linked, linkedCounts } = packLinks(facts, lines);
  const properties = (facts.frontmatter?.properties ?? []).map(
    ({ key, value }) => [key, propertyType(value), value] as const,
  );
  const tasks = taskLines(text, facts, lines).map(packTask);
  const { links, subpaths, keys, displays } = packed;
  const tags = countTags(facts);
  const headings = facts.headings.map(
    ({ level, text: title, range }) => [level, title, lines.lineAt(range.start)] as const,
  );
  const detail: NoteDetail = {
    links,
    subpaths,
    keys,
    ...(displays === undefined ? {} : { displays }),
    ...(tags.length === 0 ? {} : { tags: tags.map(([tag]) => tag) }),
    properties,
    headings,
    tasks,
  };
  const bases = baseText(fileKind(path), text, facts.code);
  return {
    path,
    stat,
    linked,
    linkedCounts,
    ...(bases === undefined ? {} : { bases }),
    tags,
    aliases: facts.aliases.map((alias) => alias.text),
    properties: properties.map(([key, type]) => [key, type] as const),
    problems: facts.problems.map(({ code, message }) => ({ code, message })),
    detail: toJson(detail),
  };
}

/**
 * Packs all links as `NoteDetail` stores them, those of properties first, and counts how often each
 * path is written.
 */
function packLinks(facts: NoteFacts, lines: LineIndex) {
  const packed: PackedLinks = { links: [], subpaths: [], keys: [] };
  const linked: string[] = [];
  const linkedCounts: number[] = [];
  const known = new Map<string, number>();
  const add = (link: Link, place: LinkPlace, key?: string): void => {
    const { path, subpath, embed, range, displayText } = link;
    // The text of a property has it anyway.
    const display = key === undefined && link.displayRange !== undefined ? displayText : undefined;
    let at = known.get(path);
    if (at === undefined) {
      at = linked.push(path) - 1;
      linkedCounts.push(0);
      known.set(path, at);
    }
    linkedCounts[at] = (linkedCounts[at] ?? 0) + 1;
    const { start, end } = range;
    const line = lines.lineAt(start);
    packLink(packed, { place, embed, subpath, key, display, start, end, line }, at);
  };
  for (const link of facts.propertyLinks) add(link, 'property', link.key);
  for (const link of facts.links) add(link, placeOf(link));
  return { packed, linked, linkedCounts };
}

function placeOf({ form }: Link): LinkPlace {
  return form === 'definition' || form === 'canvas' || form === 'base' ? form : 'body';
}

/**
 * Counts each spelling of a tag, in the order of the first occurrence; those of properties come
 * first, as in the app.
 */
function countTags(facts: NoteFacts): (readonly [tag: string, count: number])[] {
  const tags: [tag: string, count: number][] = [];
  const known = new Map<string, [tag: string, count: number]>();
  const add = ({ tag }: { readonly tag: string }): void => {
    const counted = known.get(tag);
    if (counted !== undefined) {
      counted[1]++;
      return;
    }
    const first: [string, number] = [tag.slice(1), 1];
    known.set(tag, first);
    tags.push(first);
  };
  facts.propertyTags.forEach(add);
  facts.tags.forEach(add);
  return tags;
}

/** The type of a value, in the words of Obsidian's property types. */
export function propertyType(value: PropertyValue): PropertyType {
  if (value === null) return 'empty';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'checkbox';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(value)) return 'datetime';
  return 'text';
}

function textRecord({ path, stat, text }: FileToScan): TextRecord {
  const body = foldText(searchedText(fileKind(path), text));
  return { path, stamp: stat.stamp, body };
}
