/** What a statement may be given. Lists become arrays of PostgreSQL. */
type SqlValue =
  | string
  | number
  | null
  | Uint8Array
  | readonly string[]
  | readonly (number | null)[];

/**
 * SQL with values in it, made by `sql` alone, so that no value can become SQL. It is sent either with
 * its values as parameters, or, in a script of several statements, with quoted values.
 */
export class Sql {
  /** One more than there are values: the text before, between and after them. */
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];

  constructor(parts: readonly string[], values: readonly SqlValue[]) {
    this.parts = parts;
    this.values = values;
  }
}

/** SQL with values, or with other SQL, in its places. */
export function sql(texts: TemplateStringsArray, ...places: readonly (SqlValue | Sql)[]): Sql {
  const parts = [texts[0] ?? ''];
  const values: SqlValue[] = [];
  const add = (text: string) => parts.push(`${parts.pop() ?? ''}${text}`);
  for (const [at, place] of places.entries()) {
    if (place instanceof Sql) {
      add(place.parts[0] ?? '');
      parts.push(...place.parts.slice(1));
      values.push(...place.values);
    } else {
      values.push(place);
      parts.push('');
    }
    add(texts[at + 1] ?? '');
  }
  return new Sql(parts, values);
}

/** SQL without values, such as a list of columns. Only for texts that are written in our source. */
export function sqlText(text: string): Sql {
  return new Sql([text], []);
}

/** Pieces of SQL with a text between them. */
export function joinSql(pieces: readonly Sql[], between: string): Sql {
  const [first = sqlText(''), ...others] = pieces;
  return others.reduce((sum, piece) => sql`${sum}${sqlText(between)}${piece}`, first);
}

/** The text with `$1`, `$2` … in the places of the values. */
export function parameterText({ parts }: Sql): string {
  return parts.map((part, at) => (at === 0 ? part : `$${at}${part}`)).join('');
}

/** The text with quoted values. */
export function literalText({ parts, values }: Sql, quote: (text: string) => string): string {
  const literal = (value: SqlValue | undefined): string => {
    if (value === null || value === undefined) return 'NULL';
    if (typeof value === 'number') return numberText(value);
    if (typeof value === 'string') return quote(value);
    if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'::bytea`;
    return value.length === 0 ? `'{}'` : `ARRAY[${value.map(literal).join(', ')}]`;
  };
  return parts.map((part, at) => (at === 0 ? part : `${literal(values[at - 1])}${part}`)).join('');
}

/** In brackets: after a minus in the SQL, that of a negative number would begin a comment. */
function numberText(value: number): string {
  return Number.isFinite(value) ? `(${value})` : `'${value}'::float8`;
}
