import type { StateBlock } from 'markdown-it';
import {
  type MarkedBlock,
  readCommentBlock,
  readMathBlock,
} from '../../markdown/blocks/comment-math-block.ts';
import { footnoteOf } from '../../markdown/blocks/footnote-block.ts';
import { Code } from '../../markdown/text/characters.ts';
import type { LineTable } from '../../markdown/text/line-table.ts';

// The blocks that Obsidian adds to Markdown, as rules of markdown-it over the functions with which
// the server scans notes. With `silent` a rule only says whether its block begins on the line.

type BlockRule = (state: StateBlock, line: number, last: number, silent: boolean) => boolean;

const noIndents = {
  ends: new Int32Array(0),
  tabs: new Int32Array(0),
  columns: new Int32Array(0),
};

/** The lines of markdown-it as our functions read them; only `line` may be asked where it begins. */
function linesFrom(state: StateBlock, line: number): LineTable {
  const { src, bMarks, eMarks, tShift, sCount, blkIndent } = state;
  const indent = Math.min(tShift[line] ?? 0, Math.max(0, sCount[line] ?? 0), blkIndent);
  const from: number[] = [];
  from[line] = (bMarks[line] ?? 0) + indent;
  return { text: src, starts: bMarks, from, ends: eMarks, returns: false, indents: noIndents };
}

/** Whether the text of a line begins with these two characters, and the line is not code. */
function begins(state: StateBlock, line: number, marks: string): boolean {
  if ((state.sCount[line] ?? 0) - state.blkIndent > 3) return false;
  return state.src.startsWith(marks, (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));
}

/** Rules for what stands between two equal marks. */
function markedRule(
  marks: string,
  read: (lines: LineTable, line: number, last: number) => MarkedBlock | undefined,
  push: (state: StateBlock, block: MarkedBlock) => void,
): BlockRule {
  return (state, line, last, silent) => {
    if (!begins(state, line, marks)) return false;
    const block = read(linesFrom(state, line), line, last);
    if (block === undefined) return false;
    if (silent) return true;
    push(state, block);
    state.line = block.lastLine + 1;
    return true;
  };
}

/** A comment of several lines, which is left out. */
const commentBlock = markedRule('%%', readCommentBlock, () => undefined);

/** Math of several lines, which is shown as it is written. */
const mathBlock = markedRule(
  '$$',
  readMathBlock,
  (state, { contentStart, contentEnd, lastLine }) => {
    const token = state.push('math_block', '', 0);
    token.content = state.src.slice(contentStart, contentEnd).replace(/^\n/, '').trimEnd();
    token.map = [state.line, lastLine + 1];
  },
);

/** `[^1]: text`, with further lines that are indented. */
function footnoteBlock(state: StateBlock, line: number, last: number, silent: boolean): boolean {
  if (!begins(state, line, '[^')) return false;
  const footnote = footnoteOf(linesFrom(state, line), line);
  if (footnote === undefined) return false;
  if (silent) return true;
  const { bMarks, tShift, sCount, blkIndent, parentType } = state;
  const before = [bMarks[line] ?? 0, tShift[line] ?? 0, sCount[line] ?? 0] as const;
  let start = footnote.contentStart;
  const end = state.eMarks[line] ?? start;
  while (start < end && isBlank(state.src.charCodeAt(start))) start++;
  const token = state.push('footnote_open', '', 1);
  token.content = footnote.id;
  token.map = [line, line + 1];
  // The text after the label is read as if it were indented like the lines that follow.
  state.blkIndent += 4;
  [bMarks[line], tShift[line], sCount[line]] = [start, 0, state.blkIndent];
  state.parentType = 'blockquote';
  if (start < end) state.md.block.tokenize(state, line, last);
  else state.line = line + 1;
  [bMarks[line], tShift[line], sCount[line]] = before;
  state.blkIndent = blkIndent;
  state.parentType = parentType;
  state.push('footnote_close', '', -1);
  return true;
}

function isBlank(code: number): boolean {
  return code === Code.space || code === Code.tab;
}

/** The rules by name, and which blocks they may interrupt. */
export const blockRules: readonly (readonly [string, BlockRule, readonly string[]])[] = [
  ['comment_block', commentBlock, ['paragraph', 'reference', 'blockquote', 'list']],
  ['math_block', mathBlock, []],
  ['footnote_block', footnoteBlock, ['paragraph', 'reference']],
];
