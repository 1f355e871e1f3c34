import { VaultError } from '../../../base/vault-error.ts';
import type { VaultPath } from '../../../base/vault-path.ts';
import { pathKey } from '../../../base/vault-path.ts';
import type { Version } from '../../../base/version.ts';
import { dailyPath } from '../../new-notes/dated-path.ts';
import { readDailySettings } from '../../settings/note-settings.ts';
import { parseDate } from '../../text/parse-date.ts';
import type { BoundVault } from '../../vault/bound-vault.ts';

/** A day's note: where it is, or would be, and its text when it is there. */
interface DailyText {
  readonly path: VaultPath;
  readonly text?: string;
  readonly version?: Version;
}

/**
 * The note of a day as it is on disk at this moment. One that is not there is no failure; where the
 * caller may not see it, there or not, even its path would tell too much: `forbidden`.
 */
export async function readDaily(
  vault: BoundVault,
  request: { readonly date?: string },
): Promise<DailyText> {
  const { disk, clock } = vault.vault.parts;
  const timeMs = parseDate(request.date ?? 'today', clock.nowMs());
  const wanted = dailyPath(await readDailySettings(disk), timeMs);
  if (!vault.sees(wanted)) throw outOfReach();
  const path = await spelledOnDisk(vault, wanted);
  if (path === undefined) return { path: wanted };
  const { text, version } = await vault.readText(path);
  return { path, text, version };
}

function outOfReach(): VaultError {
  return new VaultError(
    'forbidden',
    'The daily notes of this vault lie where this connection may not look; ask someone who may.',
  );
}

/** The file at a path, or at the same path but for case and Unicode form. */
async function spelledOnDisk(vault: BoundVault, path: VaultPath): Promise<VaultPath | undefined> {
  if ((await vault.stat(path)) !== undefined) return path;
  const rows = await vault.ask('names', (store) => store.filesByKey(vault.view(), pathKey(path)));
  return rows[0]?.path;
}
