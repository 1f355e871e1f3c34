/**
 * A search as a tree, in Obsidian's language: what a file must be like to be found. Made by
 * `parseQuery`; asked of the index as far as the index can tell (`IndexStore.search`), and of the
 * text itself for the rest (`needsText`, `TextMatcher`).
 */
export type Query =
  | TextQuery
  | RegexQuery
  | TagQuery
  | PropertyQuery
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  | { readonly kind: 'in'; readonly place: QueryPlace; readonly part: Query }
  | { readonly kind: 'case'; readonly sensitive: boolean; readonly part: Query };

/**
 * Words as they were written: one, or several in a row where they were quoted. The last word of a
 * query that was not quoted may be the beginning of one. Nothing but quotes (`task:""`) is in
 * everything.
 */
export interface TextQuery {
  readonly kind: 'text';
  readonly text: string;
  readonly quoted: boolean;
  /** Set on the last word of the query, where it stands outside of quotes. */
  readonly mayGoOn?: true;
}

/** A regular expression of JavaScript: `^` and `$` are ends of lines. */
export interface RegexQuery {
  readonly kind: 'regex';
  readonly source: string;
  /** Set where one of the tags has to match, without its `#`, in place of the text. */
  readonly of?: 'tag';
}

/** A tag or one nested under it; without `#`. */
export interface TagQuery {
  readonly kind: 'tag';
  readonly tag: string;
}

/** A property of this name, of any value where none is asked for. */
export interface PropertyQuery {
  readonly kind: 'property';
  readonly key: TextQuery | RegexQuery;
  readonly value?: ValueQuery;
}

export type ValueQuery =
  | TextQuery
  | RegexQuery
  /** There, with nothing as its value. */
  | { readonly kind: 'null' }
  | { readonly kind: 'compare'; readonly sign: '<' | '<=' | '>' | '>='; readonly than: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly ValueQuery[] }
  | { readonly kind: 'not'; readonly part: ValueQuery };

/**
 * Where the rest of a query has to hold: in the name of a file or its path (files of any kind), in
 * its text, or all of it in one line, block, section or task of it.
 */
export type QueryPlace =
  | 'file'
  | 'path'
  | 'content'
  | 'line'
  | 'block'
  | 'section'
  | 'task'
  | 'task-todo'
  | 'task-done';
