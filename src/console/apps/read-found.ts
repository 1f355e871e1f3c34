import { appStrings } from '../words/app-strings.ts';
import type { Answer, ReadResult } from './read-result.ts';
import { numberIn, objectsIn, textIn, textsIn } from './read-result.ts';

/** Notes that a tool has found, and which tools go on from here. */
export interface Found {
  readonly notes: readonly FoundNote[];
  /** The links between the notes; only where they are those around a note. */
  readonly links?: readonly { readonly from: string; readonly to: string }[];
  readonly total?: number;
  /** What the server says about the whole answer. */
  readonly remarks: readonly string[];
  readonly nextOffset?: number;
  /** The tool that reads one of these notes. */
  readonly reader: 'read_note' | 'note_read';
}

/** One note, with the lines that show why it was found. */
export interface FoundNote {
  readonly path: string;
  readonly lines: readonly FoundLine[];
  /** What else is known of it, in words of the server. */
  readonly more: readonly string[];
  /** How many links away it is from the note that was asked for. */
  readonly depth?: number;
}

/** A line of a note. */
export interface FoundLine {
  readonly line?: number;
  readonly text: string;
}

/** What an answer of search_notes, vault_search or graph_neighbors has found; undefined for others. */
export function readFound(answer: Answer): Found | undefined {
  if (Array.isArray(answer['hits'])) return readHits(answer);
  if (Array.isArray(answer['results'])) return readLines(answer);
  return Array.isArray(answer['nodes']) ? readGraph(answer) : undefined;
}

/**
 * The text of a note, as the tool answers that has read it. read_note answers with the text alone,
 * which may look like an answer of note_read: it is never taken for one.
 */
export function noteTextIn({ value, text }: ReadResult, reader: Found['reader']): string {
  if (reader === 'read_note' || value?.['exists'] === undefined) return text;
  return textIn(value, 'content') ?? text;
}

function readHits(answer: Answer): Found {
  const nextOffset = numberIn(answer, 'next_offset');
  const total = numberIn(answer, 'total');
  return {
    notes: objectsIn(answer, 'hits').map((hit) => {
      const { matches } = hit;
      return {
        path: textIn(hit, 'path') ?? '',
        lines: textsIn(hit, 'lines').map(numberedLine),
        more: [
          ...textsIn(hit, 'aliases'),
          ...presentTexts(hit, ['section', 'matched']),
          ...(matches === undefined ? [] : [appStrings.linesMatch(String(matches))]),
        ],
      };
    }),
    ...(total === undefined ? {} : { total }),
    remarks: [...presentTexts(answer, ['incomplete', 'hint']), ...textsIn(answer, 'suggestions')],
    ...(nextOffset === undefined ? {} : { nextOffset }),
    reader: 'read_note',
  };
}

function readLines(answer: Answer): Found {
  const lines = new Map<string, FoundLine[]>();
  for (const result of objectsIn(answer, 'results')) {
    const path = textIn(result, 'path') ?? '';
    const line = numberIn(result, 'line');
    const found = { text: textIn(result, 'text') ?? '', ...(line === undefined ? {} : { line }) };
    lines.set(path, [...(lines.get(path) ?? []), found]);
  }
  return {
    notes: Array.from(lines, ([path, all]) => ({ path, lines: all, more: [] })),
    remarks: presentTexts(answer, ['note']),
    reader: 'note_read',
  };
}

function readGraph(answer: Answer): Found {
  return {
    notes: objectsIn(answer, 'nodes').map((node) => ({
      path: textIn(node, 'path') ?? '',
      lines: [],
      more: [],
      depth: numberIn(node, 'depth') ?? 0,
    })),
    links: objectsIn(answer, 'edges').map((edge) => ({
      from: textIn(edge, 'from') ?? '',
      to: textIn(edge, 'to') ?? '',
    })),
    remarks: answer['truncated'] === true ? [appStrings.truncated] : [],
    reader: 'note_read',
  };
}

/** A line as search_notes writes it: `12: text`. */
function numberedLine(line: string): FoundLine {
  const [, number, text] = /^(\d{1,15}): (.*)$/s.exec(line) ?? [];
  return number === undefined || text === undefined
    ? { text: line }
    : { line: Number(number), text };
}

function presentTexts(answer: Answer, fields: readonly string[]): readonly string[] {
  return fields.flatMap((field) => textIn(answer, field) ?? []);
}
