import { VaultError } from '../../base/vault-error.ts';
import { plainPaint } from '../../tools/wording/plain-voice.ts';
import { listBackups } from './backups.ts';
import { readConfig } from './read-config.ts';

/** A backup of a client's file, and when the file was as the backup has it. */
export interface UsableBackup {
  readonly path: string;
  readonly timeMs: number;
}

/** The latest backup of a file that is a configuration; undefined when there is none. */
export async function latestBackup(
  file: string,
  section: string,
): Promise<UsableBackup | undefined> {
  const isUsable = (text: string): boolean => {
    try {
      readConfig({ file, text }, section);
      return text.trim() !== '';
    } catch {
      return false;
    }
  };
  const all = (await listBackups(file)).filter(({ text }) => isUsable(text));
  const latest = all.toSorted((a, b) => b.timeMs - a.timeMs)[0];
  return latest && { path: latest.path, timeMs: latest.timeMs };
}

/** Where the latest backup of a file is, as a sentence with a space before it; empty without one. */
export async function backupText(file: string, section: string): Promise<string> {
  const backup = await latestBackup(file, section);
  if (backup === undefined) return '';
  return ` Its latest backup, from ${plainPaint.when(backup.timeMs)}, is "${backup.path}".`;
}

/** A failure about the file of a client, with the place of its latest backup if it has one. */
export async function withBackup(error: unknown, file: string, section: string): Promise<unknown> {
  if (!(error instanceof VaultError) || error.code !== 'invalid_input') return error;
  const text = await backupText(file, section);
  const { code, message, details } = error;
  return new VaultError(code, message + text, { cause: error, details });
}
