import markdownIt, { type StateCore, type Token } from 'markdown-it';
import { consoleNoteLimits } from '../../base/console-note-limits.ts';
import { blockIdIn } from '../../markdown/blocks/block-ids.ts';
import { taskAt } from '../../markdown/blocks/list-scanner.ts';
import { calloutOf } from '../../markdown/blocks/quote-block.ts';
import { blockRules } from './block-rules.ts';
import { inlineRules } from './inline-rules.ts';

const parser = makeParser();

/**
 * Parses the body of a note into tokens of markdown-it, with what Obsidian adds to Markdown. HTML in
 * it stays text, and destinations of links stay as they are written: `drawTokens` decides about both.
 * A text on which the parser fails is one token `plain`.
 */
export function parseNote(text: string): readonly Token[] {
  try {
    return parser.parse(text, {});
  } catch {
    return [plainToken(text)];
  }
}

function makeParser() {
  const made = markdownIt({ html: false, linkify: false, breaks: true });
  made.validateLink = () => true;
  made.normalizeLink = (address) => address;
  made.normalizeLinkText = (address) => address;
  for (const [name, rule] of inlineRules) made.inline.ruler.before('link', name, rule);
  for (const [name, rule, alt] of blockRules) {
    made.block.ruler.before('fence', name, rule, { alt: [...alt] });
  }
  made.core.ruler.before('inline', 'note_marks', (state) => {
    state.tokens = withMarks(state);
  });
  return made;
}

/**
 * Reads what stands at the start or the end of a paragraph's text before that is parsed: the types of
 * callouts, the marks of tasks, and block ids, which are not shown.
 */
function withMarks({ tokens, Token: Made }: StateCore): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const parent = kept.at(-1);
    if (token.type !== 'inline' || parent === undefined) {
      kept.push(token);
      continue;
    }
    const outer = kept.at(-2);
    const isParagraph = parent.type === 'paragraph_open';
    if (isParagraph && outer?.type === 'list_item_open') readTask(outer, token);
    if (isParagraph && outer?.type === 'blockquote_open') {
      const title = readCallout(outer, token);
      if (title !== undefined) {
        kept.pop();
        kept.push(new Made('callout_title_open', '', 1));
        if (title !== '') kept.push(inlineToken(Made, title));
        kept.push(new Made('callout_title_close', '', -1));
        if (token.content !== '') kept.push(parent);
      }
    }
    if (isParagraph || parent.type === 'heading_open') cutBlockId(token);
    if (isParagraph && token.content === '') {
      // Nothing but an id, a title or a task without text: no paragraph is left.
      if (kept.at(-1) === parent) kept.pop();
      at++;
      continue;
    }
    const isLong = token.content.length > consoleNoteLimits.inlineCharsMax;
    kept.push(isLong ? plainToken(token.content, Made) : token);
  }
  return kept;
}

function readTask(item: Token, text: Token): void {
  // The function wants a character after the blank, and an empty task has none.
  const content = `${text.content} `;
  const at = taskAt(content, 0, content.length);
  if (at === -1) return;
  item.meta = { task: content.charAt(at) };
  text.content = text.content.slice(at + 2).trimStart();
}

/** Takes the first line of a callout off its text, and returns its title; undefined for a quote. */
function readCallout(quote: Token, text: Token): string | undefined {
  const { content } = text;
  const lineEnd = content.includes('\n') ? content.indexOf('\n') : content.length;
  const callout = calloutOf(content, 0, lineEnd);
  if (callout === undefined) return undefined;
  quote.meta = { callout };
  text.content = content.slice(lineEnd + 1);
  return callout.title;
}

function cutBlockId(text: Token): void {
  const found = blockIdIn(text.content, 0, text.content.length);
  if (found !== undefined) text.content = text.content.slice(0, found.range.start - 1).trimEnd();
}

function inlineToken(Made: StateCore['Token'], content: string): Token {
  const token = new Made('inline', '', 0);
  token.content = content;
  token.children = [];
  return token;
}

/** Text that is too long to look for anything in it, or that could not be parsed. */
function plainToken(content: string, Made?: StateCore['Token']): Token {
  const token =
    Made === undefined ? ({ type: 'plain', nesting: 0 } as Token) : new Made('plain', '', 0);
  token.content = content;
  return token;
}
