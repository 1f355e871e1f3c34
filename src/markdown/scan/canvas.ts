import { isObject } from '../../base/json.ts';
import type { TextRange } from '../../base/text-range.ts';
import type { Link, NoteFacts } from '../facts/facts.ts';
import { linkFacts, moveLink } from '../facts/link-facts.ts';
import { displayTextOf } from '../facts/link-text.ts';
import type { JsonNode } from '../text/json-ranges.ts';
import {
  escapeForJson,
  jsonEntry,
  jsonStringOffsets,
  parseJsonRanges,
} from '../text/json-ranges.ts';
import type { TextEdit } from '../text/text-edit.ts';
import { scanNote } from './scan-note.ts';

/**
 * Finds the links of a JSON Canvas: its file nodes, the backgrounds of its groups, and the links in
 * its text cards. All ranges are
 * in the JSON source, so a caller who replaces a part of it must write it with `escapeForJson`.
 * Never throws: a file that is not JSON has one problem and no links; an empty file is an empty
 * canvas.
 */
export function scanCanvas(text: string): NoteFacts {
  if (/^\ufeff?\s*$/.test(text)) return linkFacts([]);
  const parsed = parseJsonRanges(text);
  if ('failedAt' in parsed) {
    const range = { start: parsed.failedAt, end: parsed.failedAt };
    return linkFacts([], [{ code: 'invalid_canvas', message: 'The canvas is not JSON.', range }]);
  }
  if (parsed.root.type !== 'object') {
    const { range } = parsed.root;
    return linkFacts(
      [],
      [{ code: 'invalid_canvas', message: 'The canvas is not a JSON object.', range }],
    );
  }
  const nodes = jsonEntry(parsed.root, 'nodes');
  return linkFacts(
    nodes?.type === 'array' ? nodes.items.flatMap((node) => linksOf(text, node)) : [],
  );
}

function linksOf(text: string, node: JsonNode): Link[] {
  switch (stringOf(jsonEntry(node, 'type'))) {
    case 'file':
      return fileLink(jsonEntry(node, 'file'), jsonEntry(node, 'subpath'));
    case 'group':
      return fileLink(jsonEntry(node, 'background'));
    case 'text':
      return cardLinks(text, node);
    default:
      return [];
  }
}

/**
 * A file node, and the background of a group, name a file by its whole vault path. The link's range
 * includes the quotes.
 */
function fileLink(file: JsonNode | undefined, written?: JsonNode): Link[] {
  const path = stringOf(file);
  if (file === undefined || path === undefined || path === '') return [];
  const subpath = stringOf(written) ?? '';
  return [
    {
      form: 'canvas',
      embed: false,
      link: path + subpath,
      path,
      subpath,
      displayText: displayTextOf(path + subpath),
      range: file.range,
      pathRange: insideQuotes(file.range),
      ...(written === undefined ? {} : { subpathRange: insideQuotes(written.range) }),
    },
  ];
}

function insideQuotes({ start, end }: TextRange): TextRange {
  return { start: start + 1, end: end - 1 };
}

/** The links in a text card, which is a small note, with ranges moved to the JSON string. */
function cardLinks(text: string, node: JsonNode): Link[] {
  const card = jsonEntry(node, 'text');
  const markdown = stringOf(card);
  if (card === undefined || markdown === undefined || !markdown.includes('[')) return [];
  const { links } = scanNote(markdown);
  if (links.length === 0) return [];
  const offsets = jsonStringOffsets(text, card.range);
  return links.map((link) => moveLink(link, (offset) => offsets[offset] ?? card.range.end));
}

function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.type === 'string' ? node.value : undefined;
}

/** The text that people wrote on a canvas: text cards, and labels of groups and edges. */
export function canvasText(json: string): string {
  const canvas = parse(json);
  const parts: string[] = [];
  for (const list of [canvas?.['nodes'], canvas?.['edges']]) {
    if (!Array.isArray(list)) continue;
    for (const entry of list as unknown[]) {
      if (!isObject(entry)) continue;
      for (const value of [entry['text'], entry['label']]) {
        if (typeof value === 'string') parts.push(value);
      }
    }
  }
  return parts.join('\n');
}

/**
 * The cards of a canvas as small notes: the text of a text card, and an embed for the file of a file
 * card. None for what is no canvas.
 */
export function canvasCards(json: string): readonly string[] {
  const nodes = parse(json)?.['nodes'];
  if (!Array.isArray(nodes)) return [];
  return nodes.filter(isObject).flatMap(({ type, text, file, subpath }) => {
    if (type === 'text') return typeof text === 'string' ? [text] : [];
    if (type !== 'file' || typeof file !== 'string') return [];
    return [`![[${file}${typeof subpath === 'string' ? subpath : ''}]]`];
  });
}

/** The text of a text card, and how edits of it become edits of the canvas. */
interface TextCard {
  readonly text: string;
  readonly inCanvas: (edits: readonly TextEdit[]) => readonly TextEdit[];
}

/** The text cards of a canvas; an empty list for a file that is not a canvas. */
export function textCards(json: string): readonly TextCard[] {
  const parsed = parseJsonRanges(json);
  const nodes = 'failedAt' in parsed ? undefined : jsonEntry(parsed.root, 'nodes');
  if (nodes?.type !== 'array') return [];
  return nodes.items.flatMap((node) => {
    const card = jsonEntry(node, 'text');
    if (card?.type !== 'string' || stringOf(jsonEntry(node, 'type')) !== 'text') return [];
    return [{ text: card.value, inCanvas: (edits) => editsOfString(json, card.range, edits) }];
  });
}

function editsOfString(
  json: string,
  range: TextRange,
  edits: readonly TextEdit[],
): readonly TextEdit[] {
  if (edits.length === 0) return [];
  const offsets = jsonStringOffsets(json, range);
  const placed = (offset: number) => offsets[offset] ?? range.end - 1;
  return edits.map(({ range: { start, end }, text }) => ({
    range: { start: placed(start), end: placed(end) },
    text: escapeForJson(text),
  }));
}

function parse(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json.replace(/^\ufeff/, ''));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // A broken canvas is a problem in its facts, not an error here.
  }
}
