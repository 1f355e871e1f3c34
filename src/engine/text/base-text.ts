import type { TextRange } from '../../base/text-range.ts';
import { foldName } from '../../base/vault-path.ts';
import { canvasCards } from '../../markdown/scan/canvas.ts';
import { codeBlocks } from '../../markdown/scan/code-blocks.ts';
import type { FileKind } from '../ports/records.ts';

/**
 * The text of the bases in a file, folded, by which the index finds bases that may contain a name:
 * that of a base, or of the `base` blocks of a note or of the cards of a canvas. Undefined where
 * there are none.
 */
export function baseText(
  kind: FileKind,
  text: string,
  code?: readonly TextRange[],
): string | undefined {
  if (kind === 'base') return folded(text);
  if (kind === 'attachment' || !text.includes('base')) return undefined;
  const blocks =
    kind === 'canvas'
      ? canvasCards(text).flatMap((card) => codeBlocks(card, ['base']))
      : codeBlocks(text, ['base'], code);
  if (blocks.length === 0) return undefined;
  return folded(blocks.map((block) => block.text).join('\n'));
}

/**
 * What to look for in such texts in place of a name: its longest part that is written the same in
 * every kind of quotes. A text with a backslash may contain any name, since it may be an escape.
 */
export function baseTerm(name: string): string {
  const parts = folded(name).split(/['"\\]/);
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** A name may be broken over two lines. */
function folded(text: string): string {
  return foldName(text).replace(/\s+/g, ' ');
}
