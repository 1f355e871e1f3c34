import type { VaultFolder } from '../../base/vault-path.ts';
import { foldName, isInside } from '../../base/vault-path.ts';

/**
 * What a query may see. Every index query takes one; what it does not admit is absent from
 * answers, counts and candidates alike. Plain data, so that it can cross to the store's thread.
 */
export interface View {
  /** Folders that are seen; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  /** Globs that are not: `*` within a name, `**` across names, `?` one character. */
  readonly hide: readonly string[];
  /** Only what lies in this folder, as the question asks; everything when absent. */
  readonly within?: VaultFolder;
  /** Obsidian's excluded files: path prefixes, or `/regular expressions/`. */
  readonly exclude: readonly string[];
}

/** Sees everything. */
export const wholeVault: View = { folders: [''], hide: [], exclude: [] };

/** Whether the view admits every path, so that a query needs no condition. */
export function seesAll(view: View): boolean {
  const { folders, hide, exclude, within = '' } = view;
  return folders.includes('') && hide.length === 0 && exclude.length === 0 && within === '';
}

/** The test whether a path is seen. Costs a few string comparisons a call. */
export function makeSees(view: View): (path: string) => boolean {
  const hidden = view.hide.map(globPattern);
  const excluded = view.exclude.map(excludeTest);
  const everywhere = view.folders.includes('');
  const within = view.within ?? '';
  return (path) =>
    isInside(path, within) &&
    (everywhere || view.folders.some((folder) => path === folder || isInside(path, folder))) &&
    (hidden.length === 0 || !matchesAny(hidden, foldName(path))) &&
    !excluded.some((test) => test(path));
}

function matchesAny(patterns: readonly RegExp[], path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}

/**
 * A glob as a regular expression over folded paths. One without `/` matches a name at any depth,
 * one that begins with `/` only at the root, and a match on a folder hides what is in it.
 */
function globPattern(glob: string): RegExp {
  const folded = foldName(glob.replace(/^(\.\/)+/, ''));
  const trimmed = folded.replace(/^\/+|\/+$/g, '');
  const source = trimmed
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (wildcard) => wildcards[wildcard] ?? '');
  return new RegExp(`${/^\/|\/./.test(folded) ? '^' : '(?:^|/)'}${source}(?:/|$)`, 'u');
}

const wildcards: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

function excludeTest(filter: string): (path: string) => boolean {
  if (filter.length > 2 && filter.startsWith('/') && filter.endsWith('/')) {
    try {
      const pattern = new RegExp(filter.slice(1, -1));
      return (path) => pattern.test(path);
    } catch {
      return () => false; // The app ignores a filter that is no regular expression.
    }
  }
  return (path) => path.startsWith(filter);
}
