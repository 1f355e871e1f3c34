import { limits } from '../../../base/limits.ts';
import type { TextRange } from '../../../base/text-range.ts';
import { ExpressionError } from '../syntax/expression-error.ts';
import type { Value } from '../values/value.ts';

/** Checks how long a text would be before it is made. */
export function checkTextLength(length: number, range: TextRange): void {
  if (length <= limits.baseTextCharsMax) return;
  const max = limits.baseTextCharsMax;
  throw new ExpressionError('budget', `A text has at most ${max} characters here.`, range);
}

/** The same text, unless it is too long. */
export function boundedText(text: string, range: TextRange): string {
  checkTextLength(text.length, range);
  return text;
}

/** The same list, unless it is too long. */
export function boundedList(list: readonly Value[], range: TextRange): readonly Value[] {
  if (list.length <= limits.baseListMax) return list;
  const max = limits.baseListMax;
  throw new ExpressionError('budget', `A list has at most ${max} elements here.`, range);
}
