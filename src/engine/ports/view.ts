import type { VaultFolder } from '../../base/vault-path.ts';
import { foldName, isInside } from '../../base/vault-path.ts';

/**
 * Which files a query may see. Every query of the index takes one; other files are absent from
 * answers, counts and candidates. Plain data, so that it can be sent to the index thread.
 */
export interface View {
  /** The folders that are seen; `['']` is the whole vault. */
  readonly folders: readonly VaultFolder[];
  /** Globs of paths that are not seen: `*` within a name, `**` across names, `?` one character. */
  readonly hide: readonly string[];
  /** Restricts the query to one folder; no restriction when absent. */
  readonly within?: VaultFolder;
  /** Obsidian's excluded files: path prefixes, or `/regular expressions/`. */
  readonly exclude: readonly string[];
}

/** The view that sees everything. */
export const wholeVault: View = { folders: [''], hide: [], exclude: [] };

/** Whether a view sees every path, so that a query needs no condition. */
export function seesAll(view: View): boolean {
  const { folders, hide, exclude, within = '' } = view;
  return folders.includes('') && hide.length === 0 && exclude.length === 0 && within === '';
}

/** Makes the test whether a path is seen. One call of the test costs a few string comparisons. */
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
 * A glob as a regular expression for folded paths. A glob without `/` matches a name at any depth;
 * one that begins with `/` only at the root. When it matches a folder, everything in it is hidden.
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
