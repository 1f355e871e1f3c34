import { extensionOf } from '../../../base/vault-path.ts';
import { scanNote } from '../../../markdown/scan/scan-note.ts';

/** A base that stands in a note: the text of a code block, or a link that embeds a `.base` file. */
export type NoteBase =
  | { readonly kind: 'block'; readonly text: string }
  | {
      readonly kind: 'embed';
      /** The path as the link writes it. */
      readonly path: string;
      /** The view that the link names; undefined for the first one. */
      readonly view: string | undefined;
    };

/** The bases that stand in a note, in their order. */
export function noteBases(text: string): readonly NoteBase[] {
  const { code, links } = scanNote(text);
  const blocks = code.flatMap((range) => {
    const block = blockText(text, range);
    return block === undefined ? [] : [[range.start, { kind: 'block', text: block }] as const];
  });
  const embeds = links.flatMap(({ embed, path, subpath, range }) => {
    if (!embed || extensionOf(path) !== 'base') return [];
    const view = subpath === '' || subpath === '#' ? undefined : subpath.slice(1);
    return [[range.start, { kind: 'embed', path, view }] as const];
  });
  return [...blocks, ...embeds].sort(([a], [b]) => a - b).map(([, base]) => base);
}

const fence = /^( {0,3})(`{3,}|~{3,})[ \t]*base[ \t]*(?:\r?\n|$)/;

/** What a code block holds if it is a base. The marks of a quote or a list around it are taken off. */
function blockText(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): string | undefined {
  const block = text.slice(start, end);
  const open = fence.exec(block);
  if (open === null) return undefined;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const quotes = before.split('>').length - 1;
  const indent = before.slice(before.lastIndexOf('>') + 1).length - (quotes > 0 ? 1 : 0);
  const around = new RegExp(`^(?:[ \\t]*> ?){0,${quotes}} {0,${Math.max(0, indent)}}`);
  const lines = block.slice(open[0].length).split('\n');
  const body = lines.map((line) => line.replace(around, '')).join('\n');
  const close = new RegExp(`(?:^|\\n) {0,3}${open[2]?.charAt(0) === '~' ? '~' : '`'}{3,}\\s*$`);
  return body.replace(close, '\n');
}
