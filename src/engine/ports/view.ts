import type { VaultFolder, VaultPath } from '../../base/vault-path.ts';
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
  /** Notes that have one of these are not seen. */
  readonly marks?: Marks;
  /**
   * Paths that are not seen although the rest of the view admits them: notes with one of `marks`, and
   * symlinks to files that the view does not admit. The index fills this in.
   */
  readonly unseen?: readonly string[];
}

/** Tags and properties with which an owner marks notes as private; see `marksIn`. */
export interface Marks {
  /** Without `#`; they stand for the tags nested under them, too. */
  readonly tags: readonly string[];
  /** As `key=value`. */
  readonly properties: readonly string[];
}

/** The part of the index that knows what `View.unseen` has to have. */
export interface UnseenStore {
  unseen(view: View): Promise<readonly string[]>;
}

/** The view that sees everything. */
export const wholeVault: View = { folders: [''], hide: [], exclude: [] };

/**
 * Where a symlink leads that leads to a file outside the vault of which no vault path is known
 * (`FileStat.leadsTo`). No path of a vault looks like this, and only who may see the whole vault
 * sees it.
 */
export const elsewhere = '/' as VaultPath;

/** Stands for a path that a caller may not know. No path of a vault looks like this. */
export const hiddenPath = '//' as VaultPath;

/** Whether a view sees every path, so that a query needs no condition. */
export function seesAll(view: View): boolean {
  const { folders, hide, exclude, within = '', marks } = view;
  return (
    folders.includes('') &&
    hide.length === 0 &&
    exclude.length === 0 &&
    within === '' &&
    marks === undefined
  );
}

/** Makes the test whether a path is seen. One call of the test costs a few string comparisons. */
export function makeSees(view: View): (path: string) => boolean {
  const hidden = view.hide.map(globPattern);
  const excluded = view.exclude.map(excludeTest);
  const everywhere = view.folders.includes('');
  const within = view.within ?? '';
  const unseen = new Set(view.unseen);
  return (path) =>
    path === elsewhere
      ? everywhere && hidden.length === 0
      : isInside(path, within) &&
        !unseen.has(path) &&
        (everywhere || view.folders.some((folder) => path === folder || isInside(path, folder))) &&
        (hidden.length === 0 || !matchesAny(hidden, foldName(path))) &&
        !excluded.some((test) => test(path));
}

/**
 * Makes the test whether a folder is seen: one that is seen itself and in which some file could be
 * seen, or one that leads to such a folder. A folder whose every possible file is hidden is not.
 */
export function makeSeesFolder(view: View): (folder: VaultFolder) => boolean {
  const sees = makeSees(view);
  const names = possibleNames(view.hide);
  const mayHold = (folder: VaultFolder): boolean =>
    sees(folder) && (names.length === 0 || names.some((name) => sees(`${folder}/${name}`)));
  return (folder) =>
    mayHold(folder) || view.folders.some((seen) => isInside(seen, folder) && mayHold(seen));
}

/** No name of a file is longer, so more `?` in a glob than this match nothing. */
const nameCharsMax = 255;

/**
 * Names of each length that a glob can tell apart, made of a letter that stands in no glob: where
 * such a name is hidden, only wildcards match it, and so every name of its length is hidden. Longer
 * names than the last one are matched by a `*`, and so hidden when the last one is.
 */
function possibleNames(hide: readonly string[]): readonly string[] {
  if (hide.length === 0) return [];
  let letter = 0xe000; // The first of 6,400 for private use.
  while (hide.some((glob) => glob.includes(String.fromCodePoint(letter)))) letter += 1;
  const marks = Math.max(...hide.map((glob) => glob.split('?').length - 1));
  const lengths = Math.min(marks, nameCharsMax) + 1;
  return Array.from({ length: lengths }, (_, at) => String.fromCodePoint(letter).repeat(at + 1));
}

function matchesAny(patterns: readonly RegExp[], path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}

/**
 * A glob as a regular expression for folded paths. A glob without `/` matches a name at any depth;
 * one that begins with `/` only at the root. When it matches a folder, everything in it is hidden.
 * A glob for everything in a folder (`a/**`, `a/*`) matches the folder too.
 */
function globPattern(glob: string): RegExp {
  const folded = foldName(glob.replace(/^(\.\/)+/, ''));
  const trimmed = folded.replace(/^\/+|\/+$/g, '');
  // With a wildcard in the folder's name (`a*/**`) it could match the names of files, too.
  const folder = /^(?:.*\/)?[^/*?]+(?=(?:\/\*{2,})*\/\*+$)/.exec(trimmed)?.[0];
  const source = (folder ?? trimmed)
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (wildcard) => wildcards[wildcard] ?? '');
  return new RegExp(`${/^\/|\/./.test(folded) ? '^' : '(?:^|/)'}${source}(?:/|$)`, 'u');
}

/** What a glob says that other programs understand and we do not; undefined when there is nothing. */
export function globProblem(glob: string): string | undefined {
  if (glob.startsWith('!')) return 'begins with "!", which is not supported';
  const bracket = ['[', '{'].find((each) => glob.includes(each));
  if (bracket === undefined) return undefined;
  return `has "${bracket}", which stands for itself: only *, ** and ? stand for other characters`;
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
