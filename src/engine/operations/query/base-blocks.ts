import { scanNote } from '../../../markdown/scan/scan-note.ts';

const fence = /^( {0,3})(`{3,}|~{3,})[ \t]*base[ \t]*(?:\r?\n|$)/;

/** The texts of the code blocks of a note that are bases, in their order. */
export function baseBlocks(text: string): readonly string[] {
  return scanNote(text).code.flatMap(({ start, end }) => {
    const block = text.slice(start, end);
    const open = fence.exec(block);
    if (open === null) return [];
    const body = block.slice(open[0].length);
    const close = new RegExp(`(?:^|\\n) {0,3}${open[2]?.charAt(0) === '~' ? '~' : '`'}{3,}\\s*$`);
    return [body.replace(close, '\n')];
  });
}
