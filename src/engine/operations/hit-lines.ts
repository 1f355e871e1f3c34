import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { HitLine } from '../hit-line.ts';
import { withHeadings } from '../hit-line.ts';
import type { MatchingLine } from '../matching-lines.ts';
import { unlessAway } from '../unless-away.ts';
import type { BoundVault } from '../vault.ts';

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
    return withHeadings({ path, text }, find(text));
  } catch (error) {
    if (error instanceof VaultError) return unlessAway(error) ?? [];
    throw error;
  }
}
