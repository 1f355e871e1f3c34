/** Short words that are written together with the Arabic word after them: "and", "in", "the". */
const beginnings = ['', 'ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و', 'ب', 'ل'];
const longBeginnings = /^(وال|بال|كال|فال|ال|لل)(?=.{2})/;
/** Endings of number, gender and possession, in folded form. */
const endings = /(ها|ان|ات|ون|ين|يه|هم|نا|ه|ي)$/;

/** The stem of a folded Arabic word: without the article and common endings. */
export function stemArabic(word: string): string {
  const bare = word.replace(longBeginnings, '');
  const stem = bare.replace(endings, '');
  return stem.length < 3 ? bare : stem;
}

/** The ways in which words with this stem may begin. */
export function arabicBeginnings(stem: string): string[] {
  return beginnings.map((beginning) => beginning + stem);
}
