import type { SearchAnswer } from '../../engine/operations/search/search-notes.ts';
import type { HitLine } from '../../engine/ports/text-matcher.ts';

type RemarkedFields = Pick<
  SearchAnswer,
  'incomplete' | 'corrected' | 'partial' | 'whole' | 'meaning'
>;

/** Where a hit is: in a PDF, on which page, as a link would say it. */
export function hitPlace(path: string, [best]: readonly HitLine[]): string {
  return best?.page === undefined ? path : `${path}#page=${best.page}`;
}

/** Where a line of a hit stands. */
export function linePlace({ line, page }: Pick<HitLine, 'line' | 'page'>): string {
  return page === undefined ? `${line}` : `page ${page}`;
}

/** Sentences about how an answer differs from what was asked for; see `SearchAnswer`. */
export function searchRemarks(answer: RemarkedFields): {
  readonly incomplete?: string;
  readonly hint?: string;
} {
  const { incomplete } = answer;
  const hints = [
    ...(answer.corrected ?? []).map(correction),
    ...(answer.partial ? [onlyParts] : []),
    ...(answer.whole === undefined ? [] : [wholeOnes(answer.whole)]),
    ...meaningRemark(answer),
  ];
  return {
    ...(incomplete === undefined ? {} : { incomplete: reasons[incomplete] }),
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  };
}

/** The sentence about a search by meaning, if there is one to say. */
export function meaningRemark({ meaning }: Pick<SearchAnswer, 'meaning'>): readonly string[] {
  return meaning === undefined ? [] : [byMeaning[meaning]];
}

const reasons: Readonly<Record<NonNullable<SearchAnswer['incomplete']>, string>> = {
  indexing: 'The vault is still being indexed, so more may be found in a moment: ask again.',
  documents:
    'Some PDFs or drawings have not been read yet, so one of them may have it: a running server reads them, ask again in a moment.',
  time: 'Not all notes could be looked through in time, so more may match: narrow the query, e.g. by words, tag: or path:.',
};

const onlyParts = 'No note matches the whole query; these match parts of it, best first.';

const byMeaning: Readonly<Record<NonNullable<SearchAnswer['meaning']>, string>> = {
  words: 'The embedding model does not answer, or has changed, so only words were searched for.',
  partly: 'Not all notes are embedded yet, so meaning finds only some of them.',
};

function wholeOnes(whole: number): string {
  const some = whole === 1 ? 'One note matches' : `${whole} notes match`;
  return `${some} the whole query, the others only parts of it; best first.`;
}

function correction({ word, to }: { readonly word: string; readonly to: readonly string[] }) {
  return `No note has "${word}"; searched for ${to.map((each) => `"${each}"`).join(', ')} instead.`;
}
