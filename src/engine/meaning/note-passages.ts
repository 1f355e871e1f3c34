import { limits } from '../../base/limits.ts';
import { stemOf, type VaultPath } from '../../base/vault-path.ts';
import { findFrontmatter } from '../../markdown/properties/frontmatter-block.ts';

/** A piece of a note, as it is sent to the model. */
interface Passage {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly text: string;
}

/** A section shorter than this goes together with the next one. */
const charsMin = 200;

/**
 * Cuts a note into passages for a model: by headings, long sections by paragraphs, each below the
 * title of the note. Properties are left out, links are reduced to their text, addresses are dropped.
 */
export function notePassages(path: VaultPath, text: string): readonly Passage[] {
  const { embedPassageCharsMax: charsMax, embedPassagesMax } = limits;
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const passages: Passage[] = [];
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < bodyStart; at = text.indexOf('\n', at + 1))
    line++;
  let begun = line;
  let collected = '';
  let isCode = false;
  const end = (): void => {
    if (collected.trim() !== '')
      passages.push({ line: begun, text: `${stemOf(path)}\n${collected}` });
    collected = '';
  };
  const body = text.slice(bodyStart, bodyStart + 2 * embedPassagesMax * charsMax);
  for (const raw of body.split('\n')) {
    const isFence = /^\s*(```|~~~)/.test(raw);
    if (isFence) isCode = !isCode;
    const isHeading = !isCode && /^#{1,6}\s/.test(raw);
    for (const written of isFence ? [] : pieces(plainLine(raw), charsMax)) {
      const isFull = collected.length + written.length > charsMax;
      if (isFull || (isHeading && collected.length >= charsMin)) end();
      if (passages.length >= embedPassagesMax) return passages;
      if (written === '' && collected === '') continue;
      if (collected === '') begun = line;
      collected += `${written}\n`;
    }
    line++;
  }
  end();
  return passages.length === 0 ? [{ line: 1, text: stemOf(path) }] : passages;
}

/** The words of a line, without the signs of Markdown and the addresses of links. */
function plainLine(line: string): string {
  return line
    .slice(0, 4 * limits.embedPassageCharsMax)
    .replace(/!?\[\[([^[\]|]{0,300})\|([^[\]]{0,300})\]\]/g, '$2')
    .replace(/!?\[\[([^[\]]{0,300})\]\]/g, '$1')
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,1000}\)/g, '$1')
    .replace(/https?:\/\/\S+/g, '')
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+\.)\s+/, '')
    .replace(/[*_`=|#<>~]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A long line in pieces, cut between words where there are some. */
function pieces(line: string, charsMax: number): readonly string[] {
  if (line.length <= charsMax) return [line];
  const found: string[] = [];
  for (let from = 0; from < line.length; ) {
    const space = line.lastIndexOf(' ', from + charsMax);
    const to = from + charsMax >= line.length || space <= from ? from + charsMax : space;
    found.push(line.slice(from, to).trim());
    from = to;
  }
  return found;
}
