import { isObject } from '../../base/json.ts';

/**
 * The text that people wrote on an Excalidraw drawing (a file `.excalidraw`): its text elements, and
 * the names of its frames, each on lines of its own. Undefined for a file that is no drawing.
 */
export function drawingText(json: string): string | undefined {
  const drawing = parse(json);
  if (!isObject(drawing) || !Array.isArray(drawing['elements'])) return undefined;
  const parts: string[] = [];
  for (const element of drawing['elements'] as unknown[]) {
    if (!isObject(element) || element['isDeleted'] === true) continue;
    // `text` has the line breaks that its box made; what was typed is in `originalText`.
    const text = [element['originalText'], element['text'], element['name']].find(
      (value) => typeof value === 'string',
    );
    if (text !== undefined && text !== '') parts.push(text as string);
  }
  return parts.join('\n');
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

/**
 * The text of a note as it is searched. In a drawing that the Excalidraw plugin keeps as a note, blanks
 * stand for what nobody wrote: the drawing as JSON, plain or compressed, the ids of its elements and
 * files, and the plugin's own advice. Every other note stays as it is. Lines and offsets stay the same.
 */
export function searchedNoteText(text: string): string {
  if (!isDrawingNote(text)) return text;
  let part: 'text' | 'names' | 'data' = 'text';
  return text.replaceAll(/[^\n]+/g, (line) => {
    if (part === 'data') {
      if (line.startsWith('```')) part = 'text';
      return blanks(line);
    }
    if (/^```(?:compressed-)?json\s*$/.test(line)) {
      part = 'data';
      return blanks(line);
    }
    if (/^#{1,3} /.test(line)) part = namesHeading.test(line) ? 'names' : 'text';
    if (line.startsWith('==⚠')) return blanks(line);
    return line.replace(part === 'names' ? nameId : textId, blanks);
  });
}

/** As the plugin itself decides: by a property of the note. */
function isDrawingNote(text: string): boolean {
  if (!/^\ufeff?---\r?\n/.test(text)) return false;
  const head = text.slice(0, headChars);
  const at = head.indexOf('\nexcalidraw-plugin:');
  return at !== -1 && at <= head.indexOf('\n---', 4);
}

const headChars = 4_000;
/** Below these, each line is an id, a colon, and what it stands for. */
const namesHeading = /^#{1,3} (?:Embedded Files|Element Links)\s*$/;
const nameId = /^[\w-]+:/;
const textId = /(?:^|\s)\^[\w-]{8}\s*$/;

function blanks(written: string): string {
  return ' '.repeat(written.length);
}
