/**
 * A search in Obsidian's query language, as a tree of conditions that a file must fulfil. Made by
 * `parseQuery`. The index decides as much as it can (`IndexStore.search`); for the rest the texts
 * are read (`needsText`, `TextMatcher`).
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
 * One word, or several in a row if they were quoted, as written. An empty text (`task:""`) matches
 * everything.
 */
export interface TextQuery {
  readonly kind: 'text';
  readonly text: string;
  readonly quoted: boolean;
  /** Set on an unquoted last word of the query: longer words that begin with it match too. */
  readonly mayGoOn?: true;
}

/** A regular expression of JavaScript; `^` and `$` match at line ends. */
export interface RegexQuery {
  readonly kind: 'regex';
  readonly source: string;
  /** Set when a tag (without its `#`) has to match instead of the text. */
  readonly of?: 'tag';
}

/** A tag or one nested under it; without `#`. */
export interface TagQuery {
  readonly kind: 'tag';
  readonly tag: string;
}

/** A property of this name; of any value if `value` is absent. */
export interface PropertyQuery {
  readonly kind: 'property';
  readonly key: TextQuery | RegexQuery;
  readonly value?: ValueQuery;
}

/** A condition on the value of a property. */
export type ValueQuery =
  | TextQuery
  | RegexQuery
  /** The property is there and has no value. */
  | { readonly kind: 'null' }
  | { readonly kind: 'compare'; readonly sign: '<' | '<=' | '>' | '>='; readonly than: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly ValueQuery[] }
  | { readonly kind: 'not'; readonly part: ValueQuery };

/**
 * Where the inner query has to match: in the name or the path of a file (of any kind), in its text,
 * or completely within one line, block, section or task.
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
