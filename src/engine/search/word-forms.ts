import { arabicBeginnings, stemArabic } from './stem-arabic.ts';
import { stemEnglish } from './stem-english.ts';
import type { LightLanguage } from './stem-light.ts';
import { stemRussian } from './stem-russian.ts';

/** The forms of shorter words are too similar to other words. */
const wordCharsMin = 3;
/** With a shorter beginning, too many words would have to be tested. */
const beginningCharsMin = 2;

/** Where to look for the forms of a word, and how to recognise them. */
interface WordForms {
  /** Every form begins with one of these. */
  readonly beginnings: readonly string[];
  /** Whether a word with such a beginning is another form of the word. */
  readonly isForm: (word: string) => boolean;
}

/**
 * Describes the forms of a folded word by its script: Russian rules for Cyrillic, Arabic rules for
 * Arabic, and for Latin letters those of English and of the given languages. Undefined for words
 * without forms: numbers, short words and other scripts.
 */
export function wordForms(
  word: string,
  languages: readonly LightLanguage[],
): WordForms | undefined {
  if (word.length < wordCharsMin) return undefined;
  if (cyrillic.test(word)) return formsBy(word, [stemRussian]);
  if (arabic.test(word)) {
    const stem = stemArabic(word);
    return {
      beginnings: arabicBeginnings(stem),
      isForm: (other) => other !== word && stemArabic(other) === stem,
    };
  }
  if (!latin.test(word)) return undefined;
  return formsBy(word, [stemEnglish, ...languages.map(({ stem }) => stem)]);
}

function formsBy(word: string, stemmers: readonly ((word: string) => string)[]): WordForms {
  const stems = stemmers.map((stem) => stem(word));
  // A form need not begin with the stem ("happy" has "happi", "hoping" has "hope"), but with the stem
  // less a final e or i. Irregular forms that do not ("dying" of "die") are not found.
  const shared = Math.min(...stems.map((stem) => sharedChars(stem.replace(/[ei]$/, ''), word)));
  return {
    beginnings: [word.slice(0, Math.max(shared, beginningCharsMin))],
    isForm: (other) => other !== word && stemmers.some((stem, at) => stem(other) === stems[at]),
  };
}

function sharedChars(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a[count] === b[count]) count++;
  return count;
}

const cyrillic = /^\p{Script=Cyrillic}+$/u;
const arabic = /^\p{Script=Arabic}+$/u;
const latin = /^\p{Script=Latin}+$/u;
