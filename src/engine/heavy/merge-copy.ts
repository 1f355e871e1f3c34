import { limits } from '../../base/limits.ts';
import type { CopyChoice, CopyToMerge, MergedCopy, SidesChosen } from '../ports/copy-to-merge.ts';
import { lineHunks, splitLines } from '../text/line-hunks.ts';
import { type MergePart, mergeLines } from '../text/merge-texts.ts';
import { textOf } from './merge-contents.ts';

/**
 * Merges a conflict copy into its original by lines: with their common version, what only one side
 * changed is taken from that side; without it, every difference is a choice. Line ends, byte order
 * mark and a missing final line end stay as the original has them. Undefined when a content is not
 * text, or larger than a note. The answer has no `text` while a choice is open.
 */
export function mergeCopy(files: CopyToMerge, chosen: SidesChosen): MergedCopy | undefined {
  const original = plainText(files.original);
  const copy = plainText(files.copy);
  const base = files.base === undefined ? undefined : plainText(files.base);
  if (original === undefined || copy === undefined) return undefined;
  const style = styleOf(original === '' ? copy : original);
  const ours = inStyle(original, style);
  const theirs = inStyle(copy, style);
  const known =
    base === undefined
      ? differences(ours, theirs)
      : mergeLines(inStyle(base, style), ours, theirs).map((part) => asked(part, files.doubts));
  const parts = withoutCommonEnds(joinedOverBlanks(known));
  const merged: string[] = [];
  const choices: CopyChoice[] = [];
  const counts = { same: 0, ours: 0, theirs: 0, clash: 0 };
  let isOpen = false;
  let line = 1;
  for (const part of parts) {
    const number = ++counts[part.take];
    if (part.take === 'clash') {
      if (choices.length < limits.conflictChoicesMax) choices.push(choiceOf(part, number, line));
      const side = chosen.each.get(number) ?? chosen.all;
      isOpen ||= side === undefined;
      if (side !== 'copy') for (const each of part.ours) merged.push(each);
      if (side !== 'original') for (const each of part.theirs) merged.push(each);
    } else {
      for (const each of part[part.take === 'theirs' ? 'theirs' : 'ours']) merged.push(each);
    }
    line += part.ours.length;
  }
  return {
    fromCopy: counts.theirs,
    choices,
    total: counts.clash,
    ...(isOpen ? {} : { text: written(merged.join(''), style) }),
  };
}

/**
 * A number for each line of a text that is not blank, without its line end, in the order of the
 * numbers. Undefined for what is not text, or larger than a note.
 */
export function lineHashes(content: { readonly bytes: Uint8Array }): Uint32Array | undefined {
  const text = plainText(content.bytes)?.replace(/^\ufeff/, '');
  if (text === undefined) return undefined;
  const hashes: number[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const line = text.slice(start, end).trimEnd();
    if (line !== '') hashes.push(hashOf(line));
    start = end + 1;
  }
  return Uint32Array.from(hashes).sort();
}

/** FNV-1a, over the units of UTF-16. */
function hashOf(line: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < line.length; at++) {
    hash = Math.imul(hash ^ line.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** Decodes a content; undefined when it is not text. */
function plainText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : textOf(bytes);
}

/** What a text has beside its lines. */
interface TextStyle {
  readonly mark: string;
  /** Absent when the text has none, or several kinds. */
  readonly lineEnd?: '\n' | '\r\n';
  readonly endsLine: boolean;
}

function styleOf(text: string): TextStyle {
  const lineEnd = lineEndOf(text);
  return {
    mark: text.startsWith('\ufeff') ? '\ufeff' : '',
    ...(lineEnd === undefined ? {} : { lineEnd }),
    endsLine: text === '' || text.endsWith('\n'),
  };
}

/** The one kind of line end that a text has; undefined when it has none, or several. */
function lineEndOf(text: string): '\n' | '\r\n' | undefined {
  let found: '\n' | '\r\n' | undefined;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    const end = text[at - 1] === '\r' ? '\r\n' : '\n';
    if (found !== undefined && found !== end) return undefined;
    found = end;
  }
  return found;
}

/** The lines of a text as the original would have them, the last with a line end. */
function inStyle(text: string, { lineEnd }: TextStyle): readonly string[] {
  let body = text.replace(/^\ufeff/, '');
  const own = lineEndOf(body);
  if (lineEnd !== undefined && own !== undefined && own !== lineEnd) {
    body = body.replaceAll(own, lineEnd);
  }
  if (body !== '' && !body.endsWith('\n')) body += lineEnd ?? own ?? '\n';
  return splitLines(body);
}

function written(text: string, { mark, endsLine }: TextStyle): string {
  return mark + (endsLine ? text : text.replace(/\r?\n$/, ''));
}

/** A part, as a clash if a side that may never have had some of the lines has fewer of them. */
function asked(part: MergePart, doubts: CopyToMerge['doubts']): MergePart {
  const { take, ours, theirs } = part;
  const isDeleted =
    (doubts === 'copy' && take === 'theirs' && filledIn(theirs) < filledIn(ours)) ||
    (doubts === 'original' && take === 'ours' && filledIn(ours) < filledIn(theirs));
  return isDeleted ? { take: 'clash', ours, theirs } : part;
}

function filledIn(lines: readonly string[]): number {
  return lines.filter((line) => !isBlank(line)).length;
}

/** Two texts of which no common version is known: what differs is a clash. */
function differences(ours: readonly string[], theirs: readonly string[]): MergePart[] {
  const parts: MergePart[] = [];
  let done = 0;
  const same = (end: number): void => {
    const lines = ours.slice(done, end);
    if (lines.length > 0) parts.push({ take: 'same', ours: lines, theirs: lines });
  };
  for (const { before, after } of lineHunks(ours, theirs)) {
    same(before.start);
    done = before.end;
    parts.push({
      take: 'clash',
      ours: ours.slice(before.start, before.end),
      theirs: theirs.slice(after.start, after.end),
    });
  }
  same(ours.length);
  return parts;
}

/**
 * Joins clashes with only blank lines between them: with both sides taken, the paragraphs of one
 * side then stay together.
 */
function joinedOverBlanks(parts: readonly MergePart[]): readonly MergePart[] {
  const joined: MergePart[] = [];
  let open: { readonly ours: string[]; readonly theirs: string[] } | undefined;
  for (const [at, part] of parts.entries()) {
    const isBridge =
      part.take === 'same' && part.ours.every(isBlank) && parts[at + 1]?.take === 'clash';
    if (part.take === 'clash' && open === undefined) {
      open = { ours: [...part.ours], theirs: [...part.theirs] };
      joined.push({ take: 'clash', ...open });
    } else if (open !== undefined && (part.take === 'clash' || isBridge)) {
      for (const line of part.ours) open.ours.push(line);
      for (const line of part.theirs) open.theirs.push(line);
    } else {
      open = undefined;
      joined.push(part);
    }
  }
  return joined;
}

/** Takes equal lines at both ends out of each clash, as far as a line that is not blank. */
function withoutCommonEnds(parts: readonly MergePart[]): readonly MergePart[] {
  return parts.flatMap((part): readonly MergePart[] => {
    if (part.take !== 'clash') return [part];
    const { ours, theirs } = part;
    const shorter = Math.min(ours.length, theirs.length);
    let head = 0;
    while (head < shorter && ours[head] === theirs[head]) head++;
    let tail = 0;
    while (tail < shorter - head && ours.at(-1 - tail) === theirs.at(-1 - tail)) tail++;
    while (head > 0 && isBlank(ours[head - 1] ?? '')) head--;
    while (tail > 0 && isBlank(ours.at(-tail) ?? '')) tail--;
    const same = (lines: readonly string[]): readonly MergePart[] =>
      lines.length === 0 ? [] : [{ take: 'same', ours: lines, theirs: lines }];
    return [
      ...same(ours.slice(0, head)),
      {
        take: 'clash',
        ours: ours.slice(head, ours.length - tail),
        theirs: theirs.slice(head, theirs.length - tail),
      },
      ...same(ours.slice(ours.length - tail)),
    ];
  });
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function choiceOf({ ours, theirs }: MergePart, number: number, line: number): CopyChoice {
  return { number, line, original: shown(ours), copy: shown(theirs) };
}

/** Lines without their ends, cut where they are many. */
function shown(lines: readonly string[]): string {
  const kept: string[] = [];
  let room: number = limits.conflictChoiceCharsMax;
  for (const line of lines) {
    const text = line.replace(/\r?\n$/, '');
    if (text.length > room) {
      kept.push(`${text.slice(0, Math.max(0, room))}…`);
      if (lines.length > kept.length) kept.push(`… ${lines.length - kept.length} more lines`);
      break;
    }
    room -= text.length + 1;
    kept.push(text);
  }
  return kept.join('\n');
}
