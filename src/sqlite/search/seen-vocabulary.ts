import type { SpellingList } from '../../engine/search/spelling-list.ts';
import type { LightLanguage } from '../../engine/search/stem-light.ts';
import type { IdSet } from './id-set.ts';
import { intersect, noIds, parseIds } from './id-set.ts';
import type { KnownWord, Vocabulary, Words } from './search-vocabulary.ts';
import { languagesIn, mayChangeLanguages } from './search-vocabulary.ts';
import { phraseOf } from './search-words.ts';
import type { TextMatches } from './text-matches.ts';

/**
 * The words of the files that a view admits, counted in these alone: which forms and corrections are
 * taken, and which words count as rare, must tell nothing of files that are not seen.
 */
export class SeenVocabulary {
  readonly #whole: Vocabulary;
  #textIds: IdSet = noIds;
  #textWrites = -1;
  #languages: readonly LightLanguage[] | undefined;
  #languageWrites = 0;

  constructor(whole: Vocabulary) {
    this.#whole = whole;
  }

  /** The words as one search may know them. */
  within(matches: TextMatches): Words {
    return {
      files: () => this.#files(matches),
      docs: (word) => matches.count(phraseOf([word])),
      beginning: (beginning, max, isWanted) =>
        this.#beginning(matches, { beginning, max, isWanted }),
      nearest: (word) => this.#nearest(matches, word),
      languages: () => this.#languagesSeen(matches),
    };
  }

  #files({ connection, seen = noIds }: TextMatches): number {
    const writes = this.#whole.written();
    if (writes !== this.#textWrites) {
      const row = connection.get<{ ids: string | null }>(
        'SELECT group_concat(id) AS ids FROM (SELECT id FROM fulltext_docsize ORDER BY id)',
      );
      this.#textIds = intersect(parseIds(row?.ids), seen);
      this.#textWrites = writes;
    }
    return this.#textIds.length;
  }

  #beginning(
    matches: TextMatches,
    asked: {
      readonly beginning: string;
      readonly max: number;
      readonly isWanted: (word: string) => boolean;
    },
  ): KnownWord[] {
    return this.#whole
      .beginning(asked.beginning, asked.max, asked.isWanted)
      .map(({ word }) => ({ word, docs: matches.count(phraseOf([word])) }))
      .filter(({ docs }) => docs > 0);
  }

  #nearest(matches: TextMatches, word: string): ReturnType<SpellingList['nearest']> {
    return this.#whole.nearest(word, (near) => matches.finds(phraseOf([near])));
  }

  #languagesSeen(matches: TextMatches): readonly LightLanguage[] {
    const writes = this.#whole.written();
    const files = this.#files(matches);
    const known = this.#languages;
    if (known && !mayChangeLanguages(writes - this.#languageWrites, files)) return known;
    this.#languageWrites = writes;
    this.#languages = languagesIn({ files, docs: (word) => matches.count(phraseOf([word])) });
    return this.#languages;
  }
}
