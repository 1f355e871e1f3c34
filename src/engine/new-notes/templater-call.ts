/** Stands for `tp.file.title` as an argument: its value is only known where a note is made. */
export const noteTitle = Symbol('tp.file.title');

/** An argument of a call. Only plain values can be read; `undefined` counts as left out. */
export type TemplaterArgument = string | number | boolean | undefined | typeof noteTitle;

/** The call of one function of Templater, or the reading of one value, which has no `args`. */
export interface TemplaterCall {
  /** Its name, such as `tp.date.now`. */
  readonly name: string;
  readonly args?: readonly TemplaterArgument[];
}

/**
 * Reads the source of a Templater command when it is only a name, or a name with plain arguments:
 * texts, numbers, `true`, `false` and `tp.file.title`. Answers undefined for any other JavaScript.
 * Looks at each character once.
 */
export function parseTemplaterCall(source: string): TemplaterCall | undefined {
  const reader = new Reader(source);
  const name = reader.name();
  if (name === undefined) return undefined;
  if (!reader.takes('(')) return reader.isAtEnd() ? { name } : undefined;
  const args: TemplaterArgument[] = [];
  if (!reader.takes(')')) {
    do {
      const argument = reader.argument();
      if (argument === undefined) return undefined;
      args.push(argument.value);
    } while (reader.takes(','));
    if (!reader.takes(')')) return undefined;
  }
  return reader.isAtEnd() ? { name, args } : undefined;
}

/** The beginning of a command's source that is a name, to say which command is meant. */
export function commandName(source: string): string | undefined {
  const called = source.slice(0, 200).replace(/^\s*await\s+/, '');
  return new Reader(called).name();
}

const words: ReadonlyMap<string, TemplaterArgument> = new Map<string, TemplaterArgument>([
  ['true', true],
  ['false', false],
  ['undefined', undefined],
  ['tp.file.title', noteTitle],
]);

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ...['\\', '"', "'", '`'].map((sign): [string, string] => [sign, sign]),
]);

/** Reads the parts of a call one after the other, and passes over spaces before each. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isAtEnd(): boolean {
    this.#skipSpaces();
    return this.#at >= this.#source.length;
  }

  /** Passes over a sign, if it is the next one. */
  takes(sign: string): boolean {
    this.#skipSpaces();
    if (this.#source[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** A name with dots, such as `tp.file.title`. */
  name(): string | undefined {
    this.#skipSpaces();
    return this.#match(/[A-Za-z_$][\w$.]*/y);
  }

  /** The next argument; undefined when it is not a plain value. */
  argument(): { readonly value: TemplaterArgument } | undefined {
    this.#skipSpaces();
    const sign = this.#source[this.#at] ?? '';
    if (sign === '"' || sign === "'" || sign === '`') return this.#text(sign);
    const number = this.#match(/[-+]?\d+(?:\.\d+)?/y);
    if (number !== undefined) return { value: Number(number) };
    const word = this.name();
    return word !== undefined && words.has(word) ? { value: words.get(word) } : undefined;
  }

  #text(quote: string): { readonly value: string } | undefined {
    let value = '';
    for (let at = this.#at + 1; at < this.#source.length; at++) {
      const sign = this.#source.charAt(at);
      if (sign === quote) {
        this.#at = at + 1;
        return { value };
      }
      // In backquotes, `${` begins an expression.
      if (quote === '`' && sign === '$' && this.#source[at + 1] === '{') return undefined;
      if (quote !== '`' && sign === '\n') return undefined;
      if (sign !== '\\') {
        value += sign;
        continue;
      }
      at += 1;
      const escaped = escapes.get(this.#source.charAt(at));
      if (escaped === undefined) return undefined;
      value += escaped;
    }
    return undefined;
  }

  #skipSpaces(): void {
    this.#match(/\s+/y);
  }

  /** What a sticky expression matches here. */
  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}
