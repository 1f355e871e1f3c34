import { LineIndex } from '../../../base/text-range.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';

/** A code block of a note. */
interface CodeBlock {
  /** The word after its fence, in lower case. */
  readonly language: string;
  readonly text: string;
  /** The line on which the text begins, from 1. */
  readonly line: number;
}

const fence = /^( {0,3})(`{3,}|~{3,})[ \t]*([^\s`]+)[ \t]*(?:\r?\n|$)/;
const quoteSigns = /^[ \t]*(?:>[ \t]?)+/;

/** The code blocks of a note that name their language, in their order. */
export function codeBlocks(note: string): readonly CodeBlock[] {
  const lines = new LineIndex(note);
  return scanNote(note).code.flatMap(({ start, end }) => {
    const block = unquoted(note.slice(start, end));
    const [opening, , marks = '', language = ''] = fence.exec(block) ?? [];
    if (opening === undefined) return [];
    const close = new RegExp(`(?:^|\\n)[ \\t]*${marks.startsWith('~') ? '~' : '`'}{3,}\\s*$`);
    const text = block.slice(opening.length).replace(close, '\n');
    return [{ language: language.toLowerCase(), text, line: lines.lineAt(start) + 2 }];
  });
}

/** Inside a quote, every line after the first begins with `>`; spaces in its place keep the columns. */
function unquoted(block: string): string {
  const [first = '', ...others] = block.split('\n');
  if (others.length === 0 || !others.every((line) => quoteSigns.test(line))) return block;
  const blank = (line: string) => line.replace(quoteSigns, (signs) => ' '.repeat(signs.length));
  return [first, ...others.map(blank)].join('\n');
}
