import { findFrontmatter } from './frontmatter-block.ts';

/**
 * Where the body of a note begins: after the properties, valid or not, else after a byte order
 * mark, else at 0. It may not be the start of a line: the properties can end with the text.
 */
export function bodyStart(text: string): number {
  return findFrontmatter(text)?.bodyStart ?? (text.charCodeAt(0) === 0xfeff ? 1 : 0);
}
