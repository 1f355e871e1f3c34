import { limits } from '../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileKind, isParsed } from '../../engine/ports/file-kind.ts';
import type { HitReason, TextMatchRequest } from '../../engine/ports/text-matcher.ts';
import { makeSees, type View } from '../../engine/ports/view.ts';
import { hitReason } from '../../engine/search/hit-reason.ts';
import { queryTest } from '../../engine/search/match-query.ts';
import { SearchedFile } from '../../engine/search/searched-file.ts';
import { marksIn } from '../../engine/text/marks.ts';
import { decodeText } from '../../engine/text/scan-file.ts';
import type { ScanSource } from './scan-files.ts';

/** The part of a `TextMatchRequest` that is sent to the worker. */
export type FileMatchRequest = Omit<TextMatchRequest, 'timeMs' | 'signal'>;

/** Called with the results for the next files, in the order of the request. */
export type OnLooked<T> = (next: readonly T[]) => Promise<void>;

/**
 * Reads files for a search, synchronously, and reports results every `limits.textMatchTurnMs`. The
 * caller may terminate the thread at any moment and keeps the results that were reported until then.
 */
export interface FileMatcher {
  /** For each file, whether it matches the query. */
  match(request: FileMatchRequest, onLooked: OnLooked<boolean>): Promise<void>;
  /** For each file, the lines that show why it matches. */
  reasons(request: FileMatchRequest, onLooked: OnLooked<HitReason>): Promise<void>;
}

/** A matcher that reads files from this source. */
export function openFileMatcher(source: Pick<ScanSource, 'read'>): FileMatcher {
  return {
    match: (request, onLooked) => {
      const test = queryTest(request.query, request.alternatives);
      return lookAt(source, request, onLooked, {
        look: (path, text) => test(new SearchedFile(path, text)),
        otherwise: false,
      });
    },
    reasons: (request, onLooked) =>
      lookAt<HitReason>(source, request, onLooked, {
        look: (path, text) => hitReason({ path, text }, request.query, request),
        otherwise: { lines: [] },
      }),
  };
}

/** What is done with each file. */
interface Look<T> {
  readonly look: (path: VaultPath, text: string) => T;
  /** The result for a file that is gone or cannot be read. */
  readonly otherwise: T;
}

/** Reads the files one by one and reports the results from time to time. */
async function lookAt<T>(
  source: Pick<ScanSource, 'read'>,
  { paths, view, texts = [] }: FileMatchRequest,
  onLooked: OnLooked<T>,
  { look, otherwise }: Look<T>,
): Promise<void> {
  const sees = makeSees(view);
  const given = new Map(texts.map(({ path, text }) => [path, text]));
  let looked: T[] = [];
  let sinceMs = performance.now();
  for (const path of paths) {
    const text = given.get(path) ?? readText(source, path, { sees, marks: view.marks });
    looked.push(text === undefined ? otherwise : unlessTooDeep(() => look(path, text), otherwise));
    if (performance.now() - sinceMs < limits.textMatchTurnMs) continue;
    await onLooked(looked);
    looked = [];
    sinceMs = performance.now();
  }
  if (looked.length > 0) await onLooked(looked);
}

/**
 * The text of a file; empty for kinds of files that are searched by name only. Undefined when the
 * file is gone, cannot be read, has a mark, or is a symlink to one that is not seen.
 */
function readText(
  source: Pick<ScanSource, 'read'>,
  path: VaultPath,
  { sees, marks }: { readonly sees: (path: string) => boolean; readonly marks: View['marks'] },
): string | undefined {
  if (!isParsed(fileKind(path))) return '';
  try {
    const { bytes, stat } = source.read(path, { bytesMax: limits.noteBytesMax });
    const isSeen = stat.leadsTo === undefined || sees(stat.leadsTo);
    if (bytes === undefined || !isSeen) return undefined;
    const text = decodeText(bytes);
    // The index, which named the file, may not know its newest content.
    const isMarked = marks !== undefined && marksIn(text, fileKind(path), marks).length > 0;
    return isMarked ? undefined : text;
  } catch (error) {
    if (error instanceof VaultError) return rethrowIfAway(error);
    throw error;
  }
}

/** A regular expression that overflows the stack counts as not matching. */
function unlessTooDeep<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}
