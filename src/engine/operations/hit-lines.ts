import { VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { HitLine } from '../hit-line.ts';
import { withHeadings } from '../hit-line.ts';
import type { MatchingLine } from '../matching-lines.ts';
import { unlessAway } from '../unless-away.ts';
import type { BoundVault } from '../vault.ts';

/**
 * The lines that `find` picks from a file as it is now, with their headings; none when it vanished
 * meanwhile.
 */
export async function hitLines(
  vault: BoundVault,
  path: VaultPath,
  find: (text: string) => readonly MatchingLine[],
): Promise<readonly HitLine[]> {
  const found = await ofText(vault, path, (text) => withHeadings({ path, text }, find(text)));
  return found ?? [];
}

/**
 * What is made of the text of a file as it is now; undefined when it vanished meanwhile. To be asked
 * for one file after the other: many large ones at once would hold the thread and the memory.
 */
export async function ofText<T>(
  vault: BoundVault,
  path: VaultPath,
  make: (text: string) => T,
): Promise<T | undefined> {
  if (vault.caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  try {
    const { text } = await vault.readText(path);
    return make(text);
  } catch (error) {
    if (error instanceof VaultError) return unlessAway(error);
    throw error;
  }
}
