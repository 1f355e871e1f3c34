import { groupedNumber } from '../../base/grouped-number.ts';
/** The lines as one text, each with a newline at its end. */
export function lines(parts: readonly string[]): string {
  return parts.map((line) => `${line}\n`).join('');
}

/** A command as part of a sentence. */
export function quotedCommand(command: string): string {
  return command.includes('"') ? `\`${command}\`` : `"${command}"`;
}

/** A sentence that says how many there are and how to see the rest; none when all are shown. */
function more(page: { readonly total: number; readonly items: readonly unknown[] }): string[] {
  const left = page.total - page.items.length;
  return left > 0 ? [`${page.total} in all; use --limit and --offset to see the rest.`] : [];
}

/** The remarks on a list: that there is `nothing`, or how to see the rest. */
export function listRemarks(
  nothing: string,
): (page: Parameters<typeof more>[0]) => readonly string[] {
  return (page) => (page.total === 0 ? [nothing] : more(page));
}

/** A number with its noun, in the plural unless it is 1: `1 note`, `2 notes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${groupedNumber(count)} ${count === 1 ? one : many}`;
}

/** How many bases follow a rename; nothing when there are none. */
export function basesText(bases: number | undefined): string[] {
  return bases === undefined ? [] : [`${counted(bases, 'base')} updated`];
}

/** A text of several lines that is safe to print: only control characters are replaced. */
export function visible(text: string): string {
  return text.replace(/\r?\n|\t|[^\r\n\t]+|\r/g, (part) =>
    part === '\t' || part.endsWith('\n') ? part : plain(part),
  );
}

/** A line that is safe to print: control characters, which could steer the terminal, become `·`. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '·');
}
