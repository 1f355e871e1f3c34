/** Lines of text, each with its line end; nothing for no lines. */
export function lines(parts: readonly string[]): string {
  return parts.map((line) => `${line}\n`).join('');
}

/** A line that says how many there are and how to see the rest; empty when all are shown. */
export function more(page: {
  readonly total: number;
  readonly items: readonly unknown[];
}): string[] {
  const left = page.total - page.items.length;
  return left > 0 ? [`… ${page.total} in all; use --limit and --offset to see the rest.`] : [];
}

/** A number with its noun, the noun in the plural where it belongs. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** Text of several lines for a terminal: as it is, but for characters that would steer it. */
export function visible(text: string): string {
  return text.replace(/\r?\n|\t|[^\r\n\t]+|\r/g, (part) =>
    part === '\t' || part.endsWith('\n') ? part : plain(part),
  );
}

/** Text for a terminal: control characters in names and notes must not reach it. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '·');
}
