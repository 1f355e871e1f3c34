import { bodyStart } from '../properties/frontmatter-block.ts';

/**
 * Counts the words and characters of a note without its properties, as the app's status bar does: a
 * Chinese character or a kana is a word; letters of other scripts (Korean too), digits, hyphens and
 * apostrophes in a row are one word; a number with its points and commas is one word. Of Markdown's
 * own characters only hyphens can be words. Characters are UTF-16 code units, including white
 * space.
 */
export function countWords(text: string): { readonly words: number; readonly characters: number } {
  const body = text.slice(bodyStart(text));
  let words = 0;
  for (const _ of body.matchAll(word)) words++;
  return { words, characters: body.length };
}

/** Scripts without spaces between words. */
const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc`;
const word = new RegExp(
  String.raw`(?:[0-9]+(?:[,.][0-9]+)*|(?![${unspaced}])[-'\u2019\p{L}\p{M}\p{N}])+|[${unspaced}]`,
  'gu',
);
