import { limits } from '../../base/limits.ts';

/**
 * Characters that nobody sees, or that change how the text around them is shown: controls (without
 * those that are white space), bidi and zero-width characters, fillers, halves of pairs, characters
 * without a meaning.
 */
const unseen = /(?!\s)\p{Cc}|[\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** More accents on one letter than any language needs would be drawn over the lines around it. */
const piledMarks = /(\p{M}{4})\p{M}+/gu;

/** A name that a stranger chose, made fit to be shown in one line: '' when nothing is left. */
export function cleanName(text: string): string {
  const line = text.replace(unseen, '').replace(/\s+/g, ' ').replace(piledMarks, '$1').trim();
  // A character has at most two units, so this many units have enough characters.
  const chars = Array.from(line.slice(0, 2 * limits.clientNameCharsMax));
  return chars.slice(0, limits.clientNameCharsMax).join('').trimEnd();
}
