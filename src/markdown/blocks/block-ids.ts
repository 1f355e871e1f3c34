import type { TextRange } from '../../base/text-range.ts';
import type { BlockType } from '../facts/facts.ts';
import { Code, isDigit, isLetter, isSpace } from '../text/characters.ts';

/**
 * The `^id` at the end of a piece of text: the id without its caret, and whether nothing stands
 * before it.
 */
interface FoundId {
  readonly id: string;
  readonly range: TextRange;
  readonly alone: boolean;
}

/** Finds the `^id` at the end of a piece of text; undefined when there is none. */
export function blockIdIn(text: string, start: number, end: number): FoundId | undefined {
  let stop = end;
  while (stop > start && isSpace(text.charCodeAt(stop - 1))) stop--;
  let caret = stop - 1;
  while (caret >= start && isIdCharacter(text.charCodeAt(caret))) caret--;
  if (caret < start || caret === stop - 1 || text.charCodeAt(caret) !== Code.caret)
    return undefined;
  if (caret > start && !isSpace(text.charCodeAt(caret - 1))) return undefined;
  let alone = true;
  for (let i = start; i < caret && alone; i++) alone = isSpace(text.charCodeAt(i));
  return { id: text.slice(caret + 1, stop), range: { start: caret + 1, end: stop }, alone };
}

function isIdCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === Code.dash;
}

/** Whether an id in a paragraph of its own names the block before it, if that has this type. */
export function takesIdBelow(type: BlockType): boolean {
  return type !== 'paragraph' && type !== 'heading' && type !== 'yaml';
}
