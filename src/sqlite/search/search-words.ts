import type { WordAlternatives } from '../../engine/ports/index-store.ts';
import type { TextQuery } from '../../engine/ports/search-query.ts';
import { isUnspaced } from '../../engine/search/query-words.ts';
import { wordForms } from '../../engine/search/word-forms.ts';
import { foldPhrase, isLoneCjk } from '../../engine/text/fold-text.ts';
import type { KnownWord, Words } from './search-vocabulary.ts';

/** At most this many forms of a word are searched for, the most frequent ones. */
const formsMax = 8;
/** At most this many words of the vocabulary are tested for being a form. */
const formsLookedMax = 2_000;
/** At most this many words that begin with the query's word are searched for or reported. */
const beginningsMax = 16;
/**
 * If the words that begin with it are in more files than this, only `beginningsMax` of them are used.
 */
const prefixDocsMax = 20_000;
/** At most this many words with that beginning are read. */
const beginningsLookedMax = 1_000;
/** A word in more files than this is searched for without its forms, or without longer words. */
const formsDocsMax = 16_000;
const beginningsDocsMax = 4_000;
/** At most this many words are tried in place of a misspelled one. */
const typosMax = 5;
/** How much two words count that are written as one. */
const joinedWeight = 0.25;
/** Longer words are not split. */
const splitCharsMax = 30;
/** At most this many alternative words of each kind are reported to the caller. */
const reportedMax = 8;

/** An alternative that is searched for in place of a word of the query. */
interface OtherWords {
  readonly as: WordAlternatives['as'];
  /** The FTS5 phrase. */
  readonly match: string;
  readonly words: readonly string[];
  /** How much it counts, where the word itself counts 1. */
  readonly weight: number;
  /** How many files have it, at most. */
  readonly docs: number;
}

/** A word of the query, or several next to each other, with all alternatives. */
export interface WordGroup {
  /** The folded words. */
  readonly words: readonly string[];
  /** The FTS5 phrase for the words themselves. */
  readonly exact: string;
  /** How many files have them, at most, where that is known. */
  readonly docs?: number;
  readonly others: readonly OtherWords[];
}

/**
 * The FTS5 phrase for words next to each other, quoted, so that none is taken for an operator. With
 * `goesOn`, the last word may be the beginning of a longer one; so may a single CJK character, see
 * `isLoneCjk`.
 */
export function phraseOf(words: readonly string[], { goesOn = false } = {}): string {
  const phrase = words.map((word) => word.replaceAll('\0', ' ')).join(' ');
  return `"${phrase.replaceAll('"', '""')}"${goesOn || isLoneCjk(words.at(-1) ?? '') ? ' *' : ''}`;
}

/** The FTS5 expression for the words of a group or any of their alternatives. */
export function matchOfGroup(group: WordGroup): string {
  return group.others.length === 0 ? group.exact : `(${phrasesOfGroup(group).join(' OR ')})`;
}

/** The FTS5 phrases of a group, of which a file has to have one. */
export function phrasesOfGroup({ exact, others }: WordGroup): readonly string[] {
  return [exact, ...others.map(({ match }) => match)];
}

/** A group of the words of a text, without alternatives; undefined when it has no words. */
export function plainGroup(text: string): WordGroup | undefined {
  const words = foldPhrase(text);
  return words.length === 0 ? undefined : { words, exact: phraseOf(words), others: [] };
}

/**
 * A group of the words of a text with their forms and, if the last word may go on, the words that
 * begin with it. A quoted text gets no alternatives. Undefined when it has no words.
 */
export function widenedGroup(
  { text, quoted, mayGoOn }: TextQuery,
  vocabulary: Words,
): WordGroup | undefined {
  const group = plainGroup(text);
  const [word = ''] = group?.words ?? [];
  if (group === undefined) return undefined;
  const docs = docsOfWords(group.words, vocabulary);
  if (quoted || docs > formsDocsMax) return { ...group, docs };
  if (group.words.length > 1)
    return { ...group, docs, others: joinedWord(group.words, vocabulary) };
  const forms = formsOf(word, vocabulary);
  const others = forms.map((form) => other('form', form, 0.5));
  if (mayGoOn === true && docs <= beginningsDocsMax) {
    others.push(...beginningsOf(word, new Set(forms.map((form) => form.word)), vocabulary));
  }
  return { ...group, docs, others };
}

/** How many files have these words, at most. A single CJK character is the beginning of words. */
export function docsOfWords(words: readonly string[], vocabulary: Words): number {
  const docs = (word: string): number => {
    if (!isLoneCjk(word)) return vocabulary.docs(word);
    const longer = vocabulary.beginning(word, beginningsLookedMax, () => true);
    return longer.reduce((sum, one) => sum + one.docs, 0);
  };
  return Math.min(...words.map(docs));
}

/**
 * Two words written as one ("popout" for "pop-out"), if a file has them so; empty for more words, and
 * for scripts without spaces, whose pieces overlap.
 */
export function joinedWord(words: readonly string[], vocabulary: Words): readonly OtherWords[] {
  if (words.length !== 2 || words.some(isUnspaced)) return [];
  const word = words.join('');
  const docs = vocabulary.docs(word);
  return docs === 0 ? [] : [other('form', { word, docs }, joinedWeight)];
}

/**
 * A word written as two ("blade runner" for "bladerunner"), in each way in which `count` finds files.
 */
export function splitWord(word: string, count: (match: string) => number): readonly OtherWords[] {
  if (word.length > splitCharsMax || isUnspaced(word)) return [];
  const ways: OtherWords[] = [];
  for (let at = 2; at <= word.length - 2; at++) {
    const words = [word.slice(0, at), word.slice(at)];
    const match = phraseOf(words);
    const docs = count(match);
    if (docs > 0) ways.push({ as: 'typo', match, words: [words.join(' ')], weight: 0.5, docs });
  }
  return ways;
}

/**
 * The group with words of similar spelling added, each with the forms and the longer words that it would
 * be searched for with; undefined when there are no such words.
 */
export function correctedGroup(
  { mayGoOn }: TextQuery,
  group: WordGroup,
  vocabulary: Words,
): WordGroup | undefined {
  const [word = ''] = group.words;
  if (group.words.length !== 1) return undefined;
  const { mistakes, words } = vocabulary.nearest(word);
  const known = words
    .map((near) => ({ word: near, docs: vocabulary.docs(near) }))
    .filter(({ docs }) => docs > 0);
  const weight = 0.5 / mistakes;
  const typos = mostFrequent(known, typosMax).flatMap((near) => {
    const asked: TextQuery = { kind: 'text', text: near.word, quoted: false };
    const query = mayGoOn === true ? { ...asked, mayGoOn } : asked;
    const others = widenedGroup(query, vocabulary)?.others ?? [];
    return [
      other('typo', near, weight),
      ...others.map((each) => ({ ...each, weight: each.weight * weight })),
    ];
  });
  return typos.length === 0 ? undefined : { ...group, others: [...group.others, ...typos] };
}

/** The alternatives that were searched for, to report them to the caller. */
export function alternativesOf(groups: Iterable<WordGroup>): WordAlternatives[] {
  const reported = new Map<string, WordAlternatives>();
  for (const { words: row, others } of groups) {
    const word = row.join(' ');
    for (const as of ['form', 'beginning', 'typo'] as const) {
      const words = others
        .filter((one) => one.as === as)
        .flatMap((one) => one.words)
        .slice(0, reportedMax);
      if (words.length > 0) reported.set(`${as} ${word}`, { word, as, words });
    }
  }
  return Array.from(reported.values());
}

function other(as: OtherWords['as'], { word, docs }: KnownWord, weight: number): OtherWords {
  return { as, match: phraseOf([word]), words: [word], weight, docs };
}

/** The forms of a word (plural, tense …) that occur in the vault. */
function formsOf(word: string, vocabulary: Words): KnownWord[] {
  const forms = wordForms(word, vocabulary.languages());
  if (forms === undefined) return [];
  const known = forms.beginnings.flatMap((beginning) =>
    vocabulary.beginning(beginning, formsLookedMax, forms.isForm),
  );
  return mostFrequent(known, formsMax);
}

/** The words that begin with a word: one prefix phrase for all of them, unless there are too many. */
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
  if (docs > prefixDocsMax) return words.map((one) => other('beginning', one, 0.5));
  const match = phraseOf([word], { goesOn: true });
  return [{ as: 'beginning', match, words: words.map((one) => one.word), weight: 0.5, docs }];
}

function mostFrequent(words: readonly KnownWord[], max: number): KnownWord[] {
  return Array.from(new Map(words.map((one) => [one.word, one])).values())
    .sort((a, b) => b.docs - a.docs || (a.word < b.word ? -1 : 1))
    .slice(0, max);
}
