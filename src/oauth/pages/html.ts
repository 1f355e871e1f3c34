/** Text that is HTML already. Only `html` makes it, so everything else is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | undefined | readonly Value[];

/**
 * Builds HTML: strings are escaped, for text and for attributes in double quotes; lists are joined;
 * `false` and `undefined` leave nothing.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + written(values[at - 1]) + part));
}

function written(value: Value): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escaped(value);
  return typeof value === 'number' ? String(value) : value.map(written).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? '');
}
