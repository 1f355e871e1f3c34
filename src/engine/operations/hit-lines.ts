import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import { fileKind } from '../file-kind.ts';
import { headingsAbove } from '../headings-above.ts';
import type { MatchingLine } from '../matching-lines.ts';
import { unlessAway } from '../unless-away.ts';
import type { BoundVault } from '../vault.ts';

/** A line that shows why a file was found. */
export interface HitLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** The heading that it stands under, or is; absent above the first. */
  readonly heading?: string;
}

/**
 * The lines that `find` picks from a file as it is now, with their headings; none when it vanished
 * meanwhile. To be asked for one file after the other: many large ones at once would hold the
 * thread and the memory.
 */
export async function hitLines(
  vault: BoundVault,
  path: VaultPath,
  find: (text: string) => readonly MatchingLine[],
): Promise<readonly HitLine[]> {
  if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  try {
    const { text } = await vault.readText(path);
    const found = find(text);
    const headings =
      fileKind(path) === 'note'
        ? headingsAbove(
            text,
            found.map(({ line }) => line),
          )
        : [];
    return found.map(({ line, text: shown }, at) => {
      const heading = headings[at];
      return { line: line + 1, text: shown, ...(heading === undefined ? {} : { heading }) };
    });
  } catch (error) {
    if (error instanceof VaultError) return unlessAway(error) ?? [];
    throw error;
  }
}
