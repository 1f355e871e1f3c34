import { tagEnd } from '../../markdown/facts/tag-scanner.ts';
import type { Query, RegexQuery, TextQuery, ValueQuery } from '../ports/search-query.ts';
import { foldPhrase } from '../text/fold-text.ts';

/**
 * What a single word means where it stands: words of a note, a text exactly as written, a part of a
 * name, a tag, or a property's value.
 */
export type Leaf = 'words' | 'written' | 'name' | 'tag' | 'value';

/**
 * Turns a word, a quoted text or a regular expression into a part of a query; undefined where the
 * text means nothing.
 */
interface Leaves<Part> {
  /** `mayGoOn` as in `TextQuery`. */
  word(text: string, options: { readonly mayGoOn: boolean }): Part | undefined;
  quoted(text: string): Part | undefined;
  regex(source: string): Part;
}

const regex = (source: string): RegexQuery => ({ kind: 'regex', source });
const bare = (text: string): TextQuery => ({ kind: 'text', text, quoted: false });
const phrase = (text: string): TextQuery => ({ kind: 'text', text, quoted: true });

const words: Leaves<Query> = {
  word: (text, { mayGoOn }) => {
    if (text.startsWith('#') && isTag(text)) return { kind: 'tag', tag: text.slice(1) };
    if (hasWords(text)) return mayGoOn ? { ...bare(text), mayGoOn } : bare(text);
    return pictures.test(text) ? regex(escaped(text)) : undefined;
  },
  // The index has only words. A quoted text without words is searched for in the files, as written.
  quoted: (text) =>
    text === '' || hasWords(text)
      ? phrase(text)
      : text.trim() === ''
        ? undefined
        : regex(escaped(text)),
  regex,
};

const written: Leaves<Query> = {
  word: (text, { mayGoOn }) => (mayGoOn ? { ...bare(text), mayGoOn } : bare(text)),
  quoted: phrase,
  regex,
};

const name: Leaves<Query> & {
  /** The name of a property, which may be quoted, or a regular expression. */
  key(text: string, check: (source: string) => void): TextQuery | RegexQuery;
} = {
  word: bare,
  quoted: phrase,
  regex,
  key: (text, check) => {
    const source = /^\/(.+)\/$/s.exec(text)?.[1];
    if (source !== undefined) {
      check(source);
      return regex(source);
    }
    const quoted = /^"(.*)"$/s.exec(text)?.[1];
    return quoted === undefined ? bare(text) : phrase(quoted.replace(/\\(["\\])/g, '$1'));
  },
};

const tag: Leaves<Query> = {
  word: (text) => {
    const asked = text.replace(/^#+/, '').replace(/\/+$/, '');
    return asked === '' ? undefined : { kind: 'tag', tag: asked };
  },
  quoted: (text) => tag.word(text.trim(), { mayGoOn: false }),
  regex: (source) => ({ kind: 'regex', source, of: 'tag' }),
};

const value: Leaves<ValueQuery> = {
  word: (text) => {
    const [, sign, than] = /^(<=?|>=?)(.+)$/s.exec(text) ?? [];
    if (than !== undefined) return { kind: 'compare', sign: sign as '<', than };
    if (text === 'null') return { kind: 'null' };
    return hasWords(text) ? bare(text) : undefined;
  },
  quoted: (text) => words.quoted(text) as ValueQuery | undefined,
  regex,
};

/** How words, quoted texts and expressions are read for each meaning. */
export const leaves = { words, written, name, tag, value };

/** Emoji are not words, but they are searched for as written. */
const pictures = /\p{Extended_Pictographic}/u;

function hasWords(text: string): boolean {
  return foldPhrase(text).length > 0;
}

function isTag(text: string): boolean {
  return tagEnd(text, 0, text.length) === text.length && !text.endsWith('/');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
