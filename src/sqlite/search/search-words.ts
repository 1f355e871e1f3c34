import type { WordAlternatives } from '../../engine/ports/index-store.ts';
import type { TextQuery } from '../../engine/ports/search-query.ts';
import { wordForms } from '../../engine/search/word-forms.ts';
import { foldPhrase, isLoneCjk } from '../../engine/text/fold-text.ts';
import type { KnownWord, Words } from './search-vocabulary.ts';

/** Forms of a word that are looked for, the most frequent ones. */
const formsMax = 8;
/** Words that are looked at to find them. */
const formsLookedMax = 2_000;
/** Words that a beginning stands for, where they are too many to take all; and what is too many. */
const beginningsMax = 16;
const beginningDocsMax = 20_000;
const beginningsLookedMax = 1_000;
/** A word in more files than this is found well enough by itself. */
const formsDocsMax = 16_000;
const beginningsDocsMax = 4_000;
/** Words that are taken for a misspelled one. */
const typosMax = 5;
/** Words that are told of each kind. */
const toldMax = 8;

/** What else is looked for in place of a word of the query. */
interface OtherWords {
  readonly as: WordAlternatives['as'];
  /** In FTS5's language: one phrase. */
  readonly match: string;
  readonly words: readonly string[];
  /** How much it counts beside the word itself. */
  readonly weight: number;
  /** How many files have it, at most. */
  readonly docs: number;
}

/** A word of the query, or several in a row, with all that it stands for. */
export interface WordGroup {
  /** As they are looked for, folded. */
  readonly words: readonly string[];
  /** In FTS5's language: one phrase. */
  readonly exact: string;
  /** How many files have them, at most, where that is known. */
  readonly docs?: number;
  readonly others: readonly OtherWords[];
}

/** Words in a row as a phrase of FTS5, quoted, so that none is taken for a part of its language. */
export function phraseOf(words: readonly string[], { goesOn = false } = {}): string {
  const phrase = words.map((word) => word.replaceAll('\0', ' ')).join(' ');
  return `"${phrase.replaceAll('"', '""')}"${goesOn || isLoneCjk(words.at(-1) ?? '') ? ' *' : ''}`;
}

/** A group in FTS5's language, or only the words as they are. */
export function matchOfGroup({ exact, others }: WordGroup): string {
  return others.length === 0
    ? exact
    : `(${[exact, ...others.map(({ match }) => match)].join(' OR ')})`;
}

/** The words of a text; undefined when it has none. */
export function plainGroup(text: string): WordGroup | undefined {
  const words = foldPhrase(text);
  return words.length === 0 ? undefined : { words, exact: phraseOf(words), others: [] };
}

/** A text with its forms and, where it may go on, the words that begin so. Quoted ones are as they are. */
export function widenedGroup(
  { text, quoted, mayGoOn }: TextQuery,
  vocabulary: Words,
): WordGroup | undefined {
  const group = plainGroup(text);
  const [word = ''] = group?.words ?? [];
  if (group === undefined) return undefined;
  const docs = Math.min(...group.words.map((each) => vocabulary.docs(each)));
  if (quoted || group.words.length > 1 || docs > formsDocsMax) return { ...group, docs };
  const forms = formsOf(word, vocabulary);
  const others = forms.map((form) => other('form', form, 0.5));
  if (mayGoOn === true && docs <= beginningsDocsMax) {
    others.push(...beginningsOf(word, new Set(forms.map((form) => form.word)), vocabulary));
  }
  return { ...group, docs, others };
}

/** The same group with words that are spelled nearly so; undefined when there are none. */
export function correctedGroup(group: WordGroup, vocabulary: Words): WordGroup | undefined {
  const [word = ''] = group.words;
  if (group.words.length !== 1) return undefined;
  const { mistakes, words } = vocabulary.nearest(word);
  const known = words
    .map((near) => ({ word: near, docs: vocabulary.docs(near) }))
    .filter(({ docs }) => docs > 0);
  const typos = mostFrequent(known, typosMax).map((near) => other('typo', near, 0.5 / mistakes));
  return typos.length === 0 ? undefined : { ...group, others: [...group.others, ...typos] };
}

/** What was looked for beside the words of the query. */
export function alternativesOf(groups: Iterable<WordGroup>): WordAlternatives[] {
  const told = new Map<string, WordAlternatives>();
  for (const { words: row, others } of groups) {
    const word = row.join(' ');
    for (const as of ['form', 'beginning', 'typo'] as const) {
      const words = others
        .filter((one) => one.as === as)
        .flatMap((one) => one.words)
        .slice(0, toldMax);
      if (words.length > 0) told.set(`${as} ${word}`, { word, as, words });
    }
  }
  return Array.from(told.values());
}

function other(as: OtherWords['as'], { word, docs }: KnownWord, weight: number): OtherWords {
  return { as, match: phraseOf([word]), words: [word], weight, docs };
}

function formsOf(word: string, vocabulary: Words): KnownWord[] {
  const forms = wordForms(word, vocabulary.languages());
  if (forms === undefined) return [];
  const known = forms.beginnings.flatMap((beginning) =>
    vocabulary.beginning(beginning, formsLookedMax, forms.isForm),
  );
  return mostFrequent(known, formsMax);
}

/** What a word may go on to: one phrase for all of them, where they are not too many. */
function beginningsOf(word: string, forms: ReadonlySet<string>, vocabulary: Words): OtherWords[] {
  if (Array.from(word).length < 2) return [];
  const known = vocabulary.beginning(
    word,
    beginningsLookedMax,
    (one) => one !== word && !forms.has(one),
  );
  const words = mostFrequent(known, beginningsMax);
  if (words.length === 0) return [];
  const docs = known.reduce((sum, one) => sum + one.docs, 0);
  if (docs > beginningDocsMax) return words.map((one) => other('beginning', one, 0.5));
  const match = phraseOf([word], { goesOn: true });
  return [{ as: 'beginning', match, words: words.map((one) => one.word), weight: 0.5, docs }];
}

function mostFrequent(words: readonly KnownWord[], max: number): KnownWord[] {
  return Array.from(new Map(words.map((one) => [one.word, one])).values())
    .sort((a, b) => b.docs - a.docs || (a.word < b.word ? -1 : 1))
    .slice(0, max);
}
