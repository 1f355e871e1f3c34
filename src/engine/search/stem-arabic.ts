/** What stands before an Arabic word and is written together with it: "and", "in", "the". */
const beginnings = ['', 'ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و', 'ب', 'ل'];
const longBeginnings = /^(وال|بال|كال|فال|ال|لل)(?=.{2})/;
/** Endings of number, gender and owner, as folding leaves them. */
const endings = /(ها|ان|ات|ون|ين|يه|هم|نا|ه|ي)$/;

/** The stem of an Arabic word that is folded: without the article and common endings. */
export function stemArabic(word: string): string {
  const bare = word.replace(longBeginnings, '');
  const stem = bare.replace(endings, '');
  return stem.length < 3 ? bare : stem;
}

/** How words with this stem may begin. */
export function arabicBeginnings(stem: string): string[] {
  return beginnings.map((beginning) => beginning + stem);
}
