import { limits } from '../../base/limits.ts';
import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileKind, isParsed } from '../../engine/ports/file-kind.ts';
import type { HitReason, TextMatchRequest } from '../../engine/ports/text-matcher.ts';
import { hitReason } from '../../engine/search/hit-reason.ts';
import { queryTest } from '../../engine/search/match-query.ts';
import { SearchedFile } from '../../engine/search/searched-file.ts';
import { decodeText } from '../../engine/text/scan-file.ts';
import type { ScanSource } from './scan-files.ts';

/** What a matcher is asked, as far as it crosses threads. */
export type FileMatchRequest = Omit<TextMatchRequest, 'timeMs' | 'signal'>;

/** What came of the next files, each of them in order. */
export type OnLooked<T> = (next: readonly T[]) => Promise<void>;

/**
 * Reads files for a search, synchronously, and says every now and then what came of them: whoever
 * asked may end the thread at any moment, and has what it said until then.
 */
export interface FileMatcher {
  /** Whether each file fulfils the query. */
  match(request: FileMatchRequest, onLooked: OnLooked<boolean>): Promise<void>;
  /** Why each file fulfils it. */
  reasons(request: FileMatchRequest, onLooked: OnLooked<HitReason>): Promise<void>;
}

export function openFileMatcher(source: Pick<ScanSource, 'read'>): FileMatcher {
  return {
    match: ({ query, alternatives, paths }, onLooked) => {
      const test = queryTest(query, alternatives);
      return lookAt(source, paths, onLooked, {
        look: (path, text) => test(new SearchedFile(path, text)),
        otherwise: false,
      });
    },
    reasons: ({ query, alternatives, paths }, onLooked) =>
      lookAt<HitReason>(source, paths, onLooked, {
        look: (path, text) => hitReason({ path, text }, query, alternatives),
        otherwise: { lines: [] },
      }),
  };
}

interface Look<T> {
  readonly look: (path: VaultPath, text: string) => T;
  /** What is said of a file that is gone, or that cannot be read. */
  readonly otherwise: T;
}

async function lookAt<T>(
  source: Pick<ScanSource, 'read'>,
  paths: readonly VaultPath[],
  onLooked: OnLooked<T>,
  { look, otherwise }: Look<T>,
): Promise<void> {
  let looked: T[] = [];
  let sinceMs = performance.now();
  for (const path of paths) {
    const text = readText(source, path);
    looked.push(text === undefined ? otherwise : unlessTooDeep(() => look(path, text), otherwise));
    if (performance.now() - sinceMs < limits.textMatchTurnMs) continue;
    await onLooked(looked);
    looked = [];
    sinceMs = performance.now();
  }
  if (looked.length > 0) await onLooked(looked);
}

/** The text of a file that is read for searches; nothing of others, which have names alone. */
function readText(source: Pick<ScanSource, 'read'>, path: VaultPath): string | undefined {
  if (!isParsed(fileKind(path))) return '';
  try {
    const { bytes } = source.read(path, { bytesMax: limits.noteBytesMax });
    return bytes === undefined ? undefined : decodeText(bytes);
  } catch (error) {
    if (error instanceof VaultError) return rethrowIfAway(error);
    throw error;
  }
}

/** An expression may need more room on the stack than there is: then it does not match. */
function unlessTooDeep<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}
