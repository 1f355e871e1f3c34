/**
 * The stem that the forms of an English word share, by Snowball's English stemmer ("Porter2").
 * Takes words that are already folded (lower case, no apostrophes).
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  const special = irregular.get(word);
  if (special !== undefined) return special;
  // A "y" that is a consonant is written as "Y" until the end.
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const afterPlural = withoutPlural(marked);
  if (unchanged.has(afterPlural)) return afterPlural;
  const regions = regionsOf(marked);
  let stem = withoutTense(afterPlural, regions);
  stem = stem.replace(/(.[^aeiouy])[yY]$/, '$1i');
  stem = replaceSuffix(stem, derived, regions);
  stem = replaceSuffix(stem, derivedTwice, regions);
  stem = withoutEnding(stem, regions);
  return withoutLastLetter(stem, regions).toLowerCase();
}

/** Where the parts of a word begin in which suffixes are searched for: R1 and R2 of Porter2. */
interface Regions {
  readonly first: number;
  readonly second: number;
}

const irregular = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);

const unchanged = new Set(
  'inning outing canning herring earring proceed exceed succeed'.split(' '),
);

function regionsOf(word: string): Regions {
  const special = /^(gener|commun|arsen)/.exec(word)?.[0].length;
  const first = special ?? afterVowels(word, 0);
  return { first, second: afterVowels(word, first) };
}

/** The place after the first consonant that follows a vowel. */
function afterVowels(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/g;
  found.lastIndex = from;
  return found.exec(word) === null ? word.length : found.lastIndex;
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/(ied|ies)$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(us|ss)$/.test(word)) return word;
  return /[aeiouy].+s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutTense(word: string, { first }: Regions): string {
  const eed = /eed(ly)?$/.exec(word);
  if (eed !== null) return eed.index >= first ? word.slice(0, eed.index + 2) : word;
  const stem = word.replace(/(ed|edly|ing|ingly)$/, '');
  if (stem === word || !/[aeiouy]/.test(stem)) return word;
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return stem.length <= first && endsShort(stem) ? `${stem}e` : stem;
}

/** Whether a word ends in a short syllable, as "rap", "trap" and "ow" do. */
function endsShort(word: string): boolean {
  return /(^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/.test(word);
}

type Suffixes = readonly (readonly [suffix: RegExp, becomes: string, region?: 'second'])[];

const derived: Suffixes = [
  [/ization$/, 'ize'],
  [/ational$/, 'ate'],
  [/fulness$/, 'ful'],
  [/ousness$/, 'ous'],
  [/iveness$/, 'ive'],
  [/tional$/, 'tion'],
  [/biliti$/, 'ble'],
  [/lessli$/, 'less'],
  [/entli$/, 'ent'],
  [/ation$/, 'ate'],
  [/alism$/, 'al'],
  [/aliti$/, 'al'],
  [/ousli$/, 'ous'],
  [/iviti$/, 'ive'],
  [/fulli$/, 'ful'],
  [/enci$/, 'ence'],
  [/anci$/, 'ance'],
  [/abli$/, 'able'],
  [/izer$/, 'ize'],
  [/ator$/, 'ate'],
  [/alli$/, 'al'],
  [/bli$/, 'ble'],
  [/(?<=l)ogi$/, 'og'],
  [/(?<=[cdeghkmnrt])li$/, ''],
];

const derivedTwice: Suffixes = [
  [/ational$/, 'ate'],
  [/tional$/, 'tion'],
  [/alize$/, 'al'],
  [/icate$/, 'ic'],
  [/iciti$/, 'ic'],
  [/ative$/, '', 'second'],
  [/ical$/, 'ic'],
  [/ness$/, ''],
  [/ful$/, ''],
];

function replaceSuffix(word: string, suffixes: Suffixes, regions: Regions): string {
  for (const [suffix, becomes, region] of suffixes) {
    const found = suffix.exec(word);
    if (found === null) continue;
    // Only the longest suffix counts, even when it begins too early to be removed.
    return found.index >= regions[region ?? 'first'] ? word.slice(0, found.index) + becomes : word;
  }
  return word;
}

const endings =
  /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|(?<=[st])ion|al|er|ic)$/;

function withoutEnding(word: string, { second }: Regions): string {
  const found = endings.exec(word);
  return found !== null && found.index >= second ? word.slice(0, found.index) : word;
}

function withoutLastLetter(word: string, { first, second }: Regions): string {
  const at = word.length - 1;
  if (word.endsWith('e')) {
    const goes = at >= second || (at >= first && !endsShort(word.slice(0, -1)));
    return goes ? word.slice(0, -1) : word;
  }
  return word.endsWith('ll') && at >= second ? word.slice(0, -1) : word;
}
