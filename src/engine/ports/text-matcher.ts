import type { VaultPath } from '../../base/vault-path.ts';
import type { WordAlternatives } from './index-store.ts';
import type { Query } from './search-query.ts';
import type { View } from './view.ts';

/**
 * Reads the texts of files for a search, where the index cannot decide which files match, or to
 * show why they do.
 */
export interface TextMatcher {
  /**
   * Those of the given files, in their order, whose text on disk matches the query, and how many
   * files were looked at. A regular expression can run for ever: when `timeMs` is over, answers
   * what was found so far. A file that is gone does not match.
   */
  match(request: TextMatchRequest): Promise<{
    readonly found: readonly VaultPath[];
    readonly looked: number;
  }>;
  /**
   * Why each of the given files was found, in their order; when the time is over, only for the
   * first ones.
   */
  reasons(request: TextMatchRequest): Promise<readonly HitReason[]>;
  close(): Promise<void>;
}

/** Which files to read, and what for. */
export interface TextMatchRequest {
  readonly query: Query;
  /** The words that the index also searched for (`SearchPage.alternatives`). */
  readonly alternatives: readonly WordAlternatives[];
  readonly paths: readonly VaultPath[];
  /** Texts that are not what the file itself has: those of PDFs (`DocumentStore.documentTexts`). */
  readonly texts?: readonly { readonly path: VaultPath; readonly text: string }[];
  /** How much `reasons` shows of a file; 3 lines of 200 characters when absent. */
  readonly show?: HitBounds;
  /** A file that has become a symlink to one that this view does not admit counts as gone. */
  readonly view: View;
  readonly timeMs: number;
  readonly signal: AbortSignal;
}

/** How many lines of a file are shown at most, and how many characters of a line. */
export interface HitBounds {
  readonly lines: number;
  readonly chars: number;
  /** Whether to say which pieces of the lines match. */
  readonly marks?: true;
}

/** A piece of a line, from one character (code unit) up to another. */
export type MatchRange = readonly [start: number, end: number];

/** A line that shows why a file was found. */
export interface HitLine {
  /** From 1; in a PDF, of its page. */
  readonly line: number;
  /** The page of a PDF, from 1. */
  readonly page?: number;
  readonly text: string;
  /** The pieces of `text` that match, in order; absent unless they were asked for. */
  readonly marks?: readonly MatchRange[];
  /**
   * The heading above the line, or the line itself if it is one; absent above the first heading.
   */
  readonly heading?: string;
}

/** Why a file was found: by some of its lines or, if none of them shows it, by its name or path. */
export interface HitReason {
  readonly lines: readonly HitLine[];
  /** How many lines have something of the query; absent when `lines` shows all of them. */
  readonly matches?: number;
  /** Set when there may be more than `matches`: a long text is not searched to its end. */
  readonly orMore?: true;
  readonly matched?: 'name' | 'path';
}
