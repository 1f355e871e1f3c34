import type { VaultPath } from '../../../base/vault-path.ts';
import { pathKey } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { checkAllowed } from '../../decide/decide.ts';
import { dailyPath } from '../../new-notes/dated-path.ts';
import type { Period } from '../../settings/period-settings.ts';
import { readPeriodSettings } from '../../settings/period-settings.ts';
import { parseDate } from '../../text/parse-date.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** A daily note: its path, and its text when the note exists. */
interface DailyText {
  readonly path: VaultPath;
  readonly text?: string;
  readonly version?: Version;
}

/**
 * Reads the daily note of a day, or the note of a longer period, as it is on disk now. A note that
 * does not exist is not a failure.
 * Fails with `forbidden` when the caller may not see where daily notes are, whether or not this one
 * exists, because even its path would tell too much, and with `invalid_input` for an invalid date
 * and when the vault has no notes of that period.
 */
export async function readDaily(
  vault: BoundVault,
  request: { readonly date?: string; readonly period?: Period },
): Promise<DailyText> {
  const { disk, clock } = vault.vault.parts;
  const timeMs = parseDate(request.date ?? 'today', clock.nowMs());
  const wanted = dailyPath(await readPeriodSettings(disk, request.period ?? 'day'), timeMs);
  checkAllowed(vault.caller, { unseen: vault.sees(wanted) ? undefined : 'daily' });
  const path = await spelledOnDisk(vault, wanted);
  if (path === undefined) return { path: wanted };
  const { text, version } = await vault.readText(path);
  return { path, text, version };
}

/**
 * Returns the path of the file at a path, which may differ from it in case and Unicode form;
 * undefined when there is no such file.
 */
async function spelledOnDisk(vault: BoundVault, path: VaultPath): Promise<VaultPath | undefined> {
  if ((await vault.stat(path)) !== undefined) return path;
  const rows = await vault.ask('names', (store) => store.filesByKey(vault.view(), pathKey(path)));
  return rows[0]?.path;
}
