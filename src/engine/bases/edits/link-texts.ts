import { isExternal, parseWholeLink, splitLink } from '../../../markdown/facts/link-text.ts';
import type { Expression } from '../syntax/expression.ts';

/** A text in an expression that is a link. */
interface LinkText {
  readonly of: Expression;
  /** The function that it is given to; empty for a text that is a wikilink by itself. */
  readonly by: string;
  /** The path in the link, and where in the text it begins. */
  readonly path: string;
  readonly at: number;
}

const globals: ReadonlySet<string> = new Set(['link', 'file']);
const methods: ReadonlySet<string> = new Set(['hasLink', 'linksTo']);

/**
 * The links that are written directly in an expression: the first text of `link`, `file`, `hasLink`
 * or `linksTo`, and a text that is a wikilink by itself, whatever it is for.
 */
export function linkTexts(expression: Expression): readonly LinkText[] {
  if (expression.kind === 'call') {
    const { receiver, name, args } = expression;
    const takesLink = (receiver === undefined ? globals : methods).has(name);
    const [first] = args;
    return takesLink && first !== undefined && !isWikilink(first) ? linkText(first, name) : [];
  }
  return isWikilink(expression) ? linkText(expression, '') : [];
}

function isWikilink(expression: Expression): boolean {
  return (
    expression.kind === 'literal' &&
    typeof expression.value === 'string' &&
    expression.value.trimStart().startsWith('[[')
  );
}

function linkText(of: Expression, by: string): readonly LinkText[] {
  if (of.kind !== 'literal' || typeof of.value !== 'string') return [];
  const text = of.value;
  const at = text.length - text.trimStart().length;
  if (isExternal(text.trim())) return [];
  if (by === '') {
    const link = parseWholeLink(text.trim());
    return link === undefined ? [] : [{ of, by, path: link.path, at: at + link.pathRange.start }];
  }
  const [bare = ''] = text.trim().split('|');
  const { path } = splitLink(bare.trim());
  return path === '' ? [] : [{ of, by, path, at }];
}
