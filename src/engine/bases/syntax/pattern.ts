import { RE2JS } from 're2js';
import type { TextRange } from '../../../base/text-range.ts';
import { ExpressionError } from './expression-error.ts';

/** One match in a text: its place, and the text of each group (absent when it took no part). */
interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly (string | undefined)[];
}

/**
 * A regular expression `/source/flags`. It is matched in time that grows with the text only, so a
 * base cannot hold up a query with it; back references and look-around are therefore refused.
 */
export class Pattern {
  readonly source: string;
  readonly flags: string;
  readonly #compiled: RE2JS;

  /** Throws an `ExpressionError` (`parse`) when the source or the flags are not valid. */
  constructor(source: string, flags: string, range: TextRange) {
    this.source = source;
    this.flags = flags;
    if (!/^[gimsuy]*$/.test(flags) || new Set(flags).size < flags.length) {
      throw new ExpressionError('parse', `Unknown flags "${flags}"; use g, i, m, s or u.`, range);
    }
    try {
      this.#compiled = RE2JS.compile(RE2JS.translateRegExp(source), compiledFlags(flags));
    } catch {
      const hint = /\\[1-9]|\(\?[=!<]/.test(source)
        ? 'Look-around and back references are not supported.'
        : 'Look for an unclosed bracket, or write \\ before a character that stands for itself.';
      throw new ExpressionError('parse', `Not a valid regular expression. ${hint}`, range);
    }
  }

  get isGlobal(): boolean {
    return this.flags.includes('g');
  }

  test(text: string): boolean {
    return this.#compiled.matcher(text).find();
  }

  /** The matches from left to right, none of which overlap. */
  *matches(text: string): Generator<PatternMatch, undefined> {
    const matcher = this.#compiled.matcher(text);
    const count = matcher.groupCount();
    while (matcher.find()) {
      const groups = Array.from({ length: count }, (_, at) => matcher.group(at + 1) ?? undefined);
      yield { start: matcher.start(), end: matcher.end(), groups };
    }
  }

  toString(): string {
    return `/${this.source}/${this.flags}`;
  }
}

function compiledFlags(flags: string): number {
  return (
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0)
  );
}
