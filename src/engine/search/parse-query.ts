import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { PropertyQuery, Query, ValueQuery } from '../ports/search-query.ts';
import type { Leaf } from './query-leaves.ts';
import { leaves } from './query-leaves.ts';
import { queryRegex } from './query-regex.ts';
import type { Token } from './query-tokens.ts';
import { operatorPlaces, QueryTokens } from './query-tokens.ts';
import { checkOperator } from './unknown-operator.ts';

/**
 * Parses a query in Obsidian's language into a tree. Accepts nearly any text: a quote or group that
 * is not closed ends with the query, punctuation outside of words is ignored as the index ignores
 * it, and an unknown operator is a word. Fails with `invalid_input` only where a guess would search
 * for something else: for an invalid regular expression, for a misspelled operator
 * (`checkOperator`), and for more nesting than `limits.queryDepthMax`.
 */
export function parseQuery(text: string): Query {
  // The last word may be unfinished; parentheses that close after it do not matter.
  const end = text.replace(/[\s)]+$/, '').length;
  const tokens = new QueryTokens(text, { start: 0, end: text.length });
  return allOf(new QueryParser(tokens, { leaf: 'words', lastEnd: end }).readAll()) as Query;
}

/** A part of a query for notes, or of a query for a property's value. */
type Part = Query | ValueQuery;

/** Where a word may be a misspelled operator: not in names, tags and values of properties. */
const mayHaveOperators: ReadonlySet<Leaf> = new Set<Leaf>(['words', 'written']);

/** Where in the query the parser is. */
interface Place {
  /** What a word means here; see `Leaf`. */
  readonly leaf: Leaf;
  /**
   * Where the last word of the query ends, which may be unfinished; -1 where every word is
   * complete.
   */
  readonly lastEnd: number;
}

class QueryParser {
  readonly #tokens: QueryTokens;
  readonly #place: Place;
  readonly #depth: number;

  constructor(tokens: QueryTokens, place: Place, depth = 0) {
    this.#tokens = tokens;
    this.#place = place;
    this.#depth = depth;
  }

  /** Reads everything; a closing parenthesis without an opening one is ignored. */
  readAll(): Part[] {
    const parts: Part[] = [];
    do {
      const part = this.#readAny();
      if (part !== undefined) parts.push(part);
    } while (this.#tokens.take(')') !== undefined);
    return parts;
  }

  /** Reads alternatives up to a closing parenthesis or the end; undefined when there are none. */
  #readAny(): Part | undefined {
    const alternatives: Part[] = [];
    do {
      const parts = this.#readParts();
      if (parts.length > 0) alternatives.push(allOf(parts));
    } while (this.#tokens.take('or') !== undefined);
    return anyOf(alternatives);
  }

  /** Reads parts that must all match, up to `OR`, a closing parenthesis or the end. */
  #readParts(): Part[] {
    const parts: Part[] = [];
    for (;;) {
      const token = this.#tokens.peek(this.#place.leaf);
      if (token === undefined || token.kind === ')' || token.kind === 'or') return parts;
      const part = this.#readOne();
      if (part !== undefined) parts.push(part);
    }
  }

  /**
   * Reads one word, group or operator, with a `-` before it if any; undefined when it means
   * nothing.
   */
  #readOne(): Part | undefined {
    const token = this.#tokens.next(this.#place.leaf);
    switch (token?.kind) {
      case 'not': {
        // An excluded word is complete: words that only begin with it are not excluded.
        const part = this.#inside({ ...this.#place, lastEnd: -1 }, token.start).#readOne();
        return part === undefined ? undefined : ({ kind: 'not', part } as Part);
      }
      case '(':
        return this.#readGroup(token.start);
      case 'operator':
        return this.#readOperator(token);
      case 'property':
        return this.#readProperty(token);
      case 'regex':
        checkRegex(token.text, token.start);
        return leaves[this.#place.leaf].regex(token.text);
      case 'quoted':
        return leaves[this.#place.leaf].quoted(token.text);
      case 'word':
        if (mayHaveOperators.has(this.#place.leaf)) {
          checkOperator(token.text, this.#tokens.charAt(token.end));
        }
        return leaves[this.#place.leaf].word(token.text, {
          mayGoOn: token.end === this.#place.lastEnd,
        });
      default:
        return undefined; // `AND`, and dashes that exclude nothing.
    }
  }

  #readGroup(start: number): Part | undefined {
    const part = this.#inside(this.#place, start).#readAny();
    this.#tokens.take(')');
    return part;
  }

  /** Reads an operator and the one part after it; undefined when nothing follows it. */
  #readOperator({ text, start }: Token): Part | undefined {
    const { lastEnd } = this.#place;
    const operand = (place: Place): Part | undefined => {
      const next = this.#tokens.peek(place.leaf);
      if (next === undefined || next.kind === ')' || next.kind === 'or') return undefined;
      return this.#inside(place, start).#readOne();
    };
    if (text === 'tag') return operand({ leaf: 'tag', lastEnd: -1 });
    if (text === 'match-case' || text === 'ignore-case') {
      const sensitive = text === 'match-case';
      const part = operand({ leaf: sensitive ? 'written' : 'words', lastEnd });
      return part && ({ kind: 'case', sensitive, part } as Query);
    }
    const place = operatorPlaces[text] ?? 'content';
    const isName = place === 'file' || place === 'path';
    const leaf = isName ? 'name' : this.#place.leaf === 'written' ? 'written' : 'words';
    const part = operand({ leaf, lastEnd: isName ? -1 : lastEnd });
    return part && ({ kind: 'in', place, part } as Query);
  }

  /** Reads `[key]` or `[key:value]`; the token says where the value is. */
  #readProperty({ text, start, valueAt, end }: Token): PropertyQuery | undefined {
    const key = leaves.name.key(text, (source) => checkRegex(source, start));
    if (valueAt === undefined) return { kind: 'property', key };
    const tokens = this.#tokens.within({ start: valueAt, end: end - 1 });
    const place: Place = { leaf: 'value', lastEnd: -1 };
    const parts = new QueryParser(tokens, place, this.#depth + 1).readAll() as ValueQuery[];
    if (parts.length === 0) return { kind: 'property', key };
    return { kind: 'property', key, value: allOf(parts) as ValueQuery };
  }

  /** A parser of the same tokens, one level deeper. `start` is for the failure message. */
  #inside(place: Place, start: number): QueryParser {
    if (this.#depth < limits.queryDepthMax) {
      return new QueryParser(this.#tokens, place, this.#depth + 1);
    }
    throw new VaultError(
      'invalid_input',
      `The query nests deeper than ${limits.queryDepthMax} groups at character ${start + 1}; make it simpler.`,
    );
  }
}

function checkRegex(source: string, start: number): void {
  try {
    queryRegex(source, { sensitive: false });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(': ').at(-1) ?? '') : '';
    throw new VaultError(
      'invalid_input',
      `The regular expression at character ${start + 1} of the query is not valid (${reason}); correct it, or put the text in quotes.`,
    );
  }
}

function allOf(parts: readonly Part[]): Part {
  return joined('all', parts);
}

function anyOf(parts: readonly Part[]): Part | undefined {
  return parts.length === 0 ? undefined : joined('any', parts);
}

/**
 * Joins parts into one. A single part stays itself, and parts of the same kind are merged into it.
 */
function joined(kind: 'all' | 'any', parts: readonly Part[]): Part {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const flat = parts.flatMap((part): readonly Part[] => (part.kind === kind ? part.parts : [part]));
  return { kind, parts: flat } as Part;
}
