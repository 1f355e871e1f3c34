import { PatternValue } from '../values/value.ts';
import {
  type FunctionCall,
  type MethodTable,
  numberArgument,
  textArgument,
  textArguments,
  wrongType,
} from './function-call.ts';
import { boundedList, boundedText, checkTextLength } from './value-limits.ts';

/** The functions of texts. Tags and links have them, too: on the text as it is written. */
export const textFunctions: MethodTable<string> = new Map<
  string,
  (text: string, call: FunctionCall) => ReturnType<FunctionCall['value']>
>([
  ['contains', (text, call) => textContains(text, textArgument(call, 0, 'value'))],
  [
    'containsAll',
    (text, call) => textArguments(call, 'values').every((part) => textContains(text, part)),
  ],
  [
    'containsAny',
    (text, call) => textArguments(call, 'values').some((part) => textContains(text, part)),
  ],
  ['startsWith', (text, call) => given(textArgument(call, 0, 'query'), (q) => text.startsWith(q))],
  ['endsWith', (text, call) => given(textArgument(call, 0, 'query'), (q) => text.endsWith(q))],
  ['lower', (text) => text.toLowerCase()],
  ['title', (text) => titleCase(text)],
  ['trim', (text) => text.trim()],
  ['reverse', (text) => Array.from(text).reverse().join('')],
  ['repeat', repeat],
  ['slice', slice],
  ['replace', replace],
  ['split', split],
]);

/**
 * Whether a text has another one in it. Hypothesis: case is ignored. Release 1.9.1 of the app says
 * so, a later page of its help says that it behaves as in JavaScript.
 */
function textContains(text: string, part: string | null): boolean {
  return part !== null && text.toLowerCase().includes(part.toLowerCase());
}

function given<T>(value: string | null, answer: (value: string) => T): T | null {
  return value === null ? null : answer(value);
}

function titleCase(text: string): string {
  return text.replace(
    /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’]*/gu,
    (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
  );
}

function repeat(text: string, call: FunctionCall): string | null {
  const times = numberArgument(call, 0, 'count');
  if (call.count === 0)
    throw wrongType(call, { parameter: 'count', expected: 'Number', given: null });
  if (times === null) return null;
  const count = Number.isFinite(times) ? Math.max(0, Math.floor(times)) : 0;
  if (times === Number.POSITIVE_INFINITY) checkTextLength(times, call.range);
  checkTextLength(text.length * count, call.range);
  call.charge((text.length * count) >> 6);
  return text.repeat(count);
}

function slice(text: string, call: FunctionCall): string {
  const start = numberArgument(call, 0, 'start') ?? 0;
  return text.slice(start, numberArgument(call, 1, 'end') ?? undefined);
}

function replace(text: string, call: FunctionCall): string | null {
  const pattern = call.value(0);
  const put = textArgument(call, 1, 'replacement');
  if (pattern === null || put === null) return null;
  call.charge(text.length >> 4);
  if (!(pattern instanceof PatternValue)) {
    const find = textArgument(call, 0, 'pattern') ?? '';
    const pieces = find === '' ? [text] : text.split(find);
    checkTextLength(text.length + (pieces.length - 1) * put.length, call.range);
    return pieces.join(put);
  }
  let done = '';
  let at = 0;
  for (const match of pattern.pattern.matches(text)) {
    const found = text.slice(match.start, match.end);
    done += text.slice(at, match.start) + filledIn(put, [found, ...match.groups]);
    checkTextLength(done.length, call.range);
    call.charge(1);
    at = match.end;
    if (!pattern.pattern.isGlobal) break;
  }
  return boundedText(done + text.slice(at), call.range);
}

/** Puts the groups of a match in place of `$1`, and the match in place of `$&`. */
function filledIn(put: string, groups: readonly (string | undefined)[]): string {
  return put.replace(/\$(\$|&|\d{1,2})/g, (all: string, which: string) => {
    if (which === '$') return '$';
    const at = which === '&' ? 0 : Number(which);
    return at < groups.length ? (groups[at] ?? '') : all;
  });
}

function split(text: string, call: FunctionCall): readonly string[] | null {
  const separator = call.value(0);
  const most = numberArgument(call, 1, 'n');
  if (call.count === 0) {
    throw wrongType(call, { parameter: 'separator', expected: 'String', given: null });
  }
  if (separator === null) return null;
  call.charge(text.length >> 4);
  const pieces: string[] = [];
  if (separator instanceof PatternValue) {
    let at = 0;
    for (const { start, end } of separator.pattern.matches(text)) {
      if (end === 0 || (start === end && start >= text.length)) continue;
      pieces.push(text.slice(at, start));
      call.charge(1);
      at = end;
    }
    pieces.push(text.slice(at));
  } else {
    const by = textArgument(call, 0, 'separator');
    if (by === null)
      throw wrongType(call, { parameter: 'separator', expected: 'String', given: by });
    for (const piece of by === '' ? Array.from(text) : text.split(by)) pieces.push(piece);
  }
  boundedList(pieces, call.range);
  return most === null ? pieces : pieces.slice(0, Math.max(0, most));
}
