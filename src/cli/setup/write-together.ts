import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { plain } from '../../tools/cli/text.ts';
import { type PlannedFile, writePlan } from '../install/apply-plan.ts';
import type { LeftBackup } from '../install/backups.ts';
import { readConfigFile } from '../install/config-file.ts';

/** A file that was written, and where its old text is kept. */
export interface WrittenFile {
  readonly planned: PlannedFile;
  readonly backup?: string;
  /** The backups that are left after entries were removed. */
  readonly left?: readonly LeftBackup[];
}

/** Writes all files or none: when one fails, those before it get their old text back. */
export async function writeTogether(
  files: readonly PlannedFile[],
): Promise<readonly WrittenFile[]> {
  const written: WrittenFile[] = [];
  for (const planned of files) {
    try {
      written.push({ planned, ...(await writePlan(planned)) });
    } catch (error) {
      const { code, message, details } = toVaultError(error);
      const kept = await takeBack(written);
      const rest = kept.length === 0 ? ' Nothing was written.' : ` ${keptText(kept)}`;
      throw new VaultError(code, `${message}${rest}`, { cause: error, details });
    }
  }
  return written;
}

/**
 * Gives files their old text back, and removes those that did not exist. A file that another program
 * has changed since is left as it is. Answers the paths of those that could not be taken back.
 */
export async function takeBack(written: readonly WrittenFile[]): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const { planned } of written) {
    const { file, plan } = planned;
    try {
      const now = await readConfigFile(file.path);
      const isOurs = plan.removesFile ? now.text === undefined : now.text === plan.text;
      if (!isOurs) throw new VaultError('conflict', `"${file.path}" was changed since.`);
      // With the entries that had been added, their backups go, too.
      const entries = plan.entries
        .filter(({ did }) => did !== 'removed')
        .map((entry) => ({ ...entry, did: 'removed' as const }));
      const back = { text: file.text ?? '', entries };
      await writePlan({
        file: now,
        plan: file.text === undefined ? { ...back, removesFile: true } : back,
      });
    } catch {
      kept.push(file.path);
    }
  }
  return kept;
}

/** What is said behind a file that was written about its old text. */
export function keptAsText(backup: string | undefined): string {
  if (backup === undefined) return '';
  // Only the first backup is never overwritten.
  const until = /-\d+$/.test(backup) ? ' until the next change' : '';
  return ` (the old file is kept as ${plain(backup)}${until})`;
}

/** The sentence about files that could not be taken back. */
export function keptText(paths: readonly string[]): string {
  const names = paths.map((path) => `"${path}"`).join(', ');
  return `This could not be taken back, look at it: ${names}.`;
}
