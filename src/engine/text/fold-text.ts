/**
 * Folds a text as full text search stores it: compatibility forms unified, lower case, no accents,
 * and runs of Chinese, Japanese and Korean cut into overlapping pairs, because these scripts have
 * no spaces between words. A run ends with its last character alone, so that a single character is
 * found wherever it stands, as the beginning of a word in the index.
 */
export function foldText(text: string): string {
  // Most text is ASCII, which needs lower case only; the rest is folded in full.
  return text.toLowerCase().replace(beyondAscii, foldRun);
}

/**
 * Splits a query phrase into words, folded as `foldText` does, in the order that the index has
 * them.
 */
export function foldPhrase(text: string): string[] {
  const folded = foldLetters(text);
  const asked = folded.replace(cjkRun, (run, at: number) =>
    // The index stores a run's last character alone as well. At the end of the phrase it is left
    // out, because the run may go on there.
    isLast(folded, at + run.length) ? ` ${pairsOf(run).join(' ')} ` : storedPairs(run),
  );
  return asked.match(word) ?? [];
}

/**
 * Folds a text for comparing its letters: lower case, no accents, one Unicode form. Words stay
 * whole, and line ends stay where they are.
 */
export function foldLetters(text: string): string {
  return text.toLowerCase().replace(beyondAscii, foldCharacters);
}

/**
 * Whether a query word is a single CJK character, which the index has only as the beginning of a
 * word.
 */
export function isLoneCjk(word: string): boolean {
  return cjk.test(word) && Array.from(word).length === 1;
}

const beyondAscii = /[\u0080-\uffff]+/g;
/** What the full text table takes for one word. */
const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
/** One character of a word. Global, so that `isLast` can begin at an offset. */
const wordCharacter = /[\p{L}\p{N}\p{M}\p{Co}]/gu;
const cjkClass =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc\\u3005\\u3006]';
const cjk = new RegExp(cjkClass, 'u');
const cjkRun = new RegExp(`${cjkClass}+`, 'gu');

/**
 * Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs and the tatweel of Arabic.
 * Marks of other scripts (Devanagari, Thai, the dakuten of kana) are letters there, and stay.
 */
const accents = new RegExp(
  [
    '[\\u0300-\\u036f', // Latin, Greek, Cyrillic
    '\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7', // Hebrew
    '\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670', // Arabic
    '\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f]+', // more of the first
  ].join(''),
  'g',
);

/**
 * Letters that people write for one another and that Unicode does not decompose: at the ends of
 * Arabic and Greek words, and Latin letters that few keyboards have.
 */
const plainLetters: Readonly<Record<string, string>> = {
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};
const variants = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Folded runs of one or two characters, which in most languages are nearly all: é, “, ß, an emoji. */
const shortRuns = new Map<string, string>();
const shortRunsMax = 4_096;

/** A run of characters beyond ASCII as `foldText` folds it. */
function foldRun(run: string): string {
  const known = run.length <= 2 ? shortRuns.get(run) : undefined;
  if (known !== undefined) return known;
  const letters = foldCharacters(run);
  const folded = cjk.test(letters) ? letters.replace(cjkRun, storedPairs) : letters;
  if (run.length <= 2 && shortRuns.size < shortRunsMax) shortRuns.set(run, folded);
  return folded;
}

/** Lower-cased text without accents and in one Unicode form. */
function foldCharacters(text: string): string {
  return (
    text
      .normalize('NFKD')
      .toLowerCase()
      // In Russian й is a letter of its own and stays; ё, by contrast, becomes е.
      .replaceAll('и\u0306', 'й')
      .replace(accents, '')
      .normalize('NFC')
      .replace(variants, (letter) => plainLetters[letter] ?? letter)
  );
}

/** Whether no word follows after this offset. */
function isLast(text: string, from: number): boolean {
  wordCharacter.lastIndex = from;
  return !wordCharacter.test(text);
}

/** The overlapping pairs of a run; a single character is its own pair. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return [run];
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** A run as the index stores it: its pairs, then its last character alone. */
function storedPairs(run: string): string {
  const pairs = pairsOf(run);
  const last = Array.from(run).at(-1) ?? '';
  return ` ${pairs.join(' ')} ${pairs[0] === last ? '' : last} `;
}
