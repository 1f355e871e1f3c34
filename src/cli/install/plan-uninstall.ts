import { jsonEntry, parseJsonRanges } from '../../markdown/text/json-ranges.ts';
import { removeJson, setJson } from './edit-json.ts';
import { plainJson } from './plain-json.ts';
import type { ConfigPlan } from './plan-install.ts';
import { readConfig } from './read-config.ts';
import type { Server } from './server-entry.ts';

interface UninstallRequest {
  readonly section: string;
  /** Remove only the entry of this name, also one that Vaultdoor did not make. */
  readonly entryName?: string | undefined;
  /** Remove only the entries of these vaults; of all vaults when the list is empty. */
  readonly vaults: readonly string[];
  readonly isSameVault: (a: string, b: string) => boolean;
  /** Texts that the file had before Vaultdoor changed it. */
  readonly backups: readonly string[];
  /** Whether a backup also counts that has servers which are gone: setup may have taken them out. */
  readonly putsBack?: boolean;
}

/**
 * Plans to remove our entries, or the one that is named. If a backup plus these entries is exactly
 * the present text, the plan is to restore that backup, because that also removes a section that was
 * made only for the entries. A file that Vaultdoor made, and in which nothing else is, is removed.
 */
export function planUninstall(
  source: { file: string; text: string },
  { section, entryName, vaults, isSameVault, backups, putsBack = false }: UninstallRequest,
): ConfigPlan {
  const { servers } = readConfig(source, section);
  const isMeant = ({ isOurs, vault = '' }: Server): boolean =>
    isOurs && (vaults.length === 0 || vaults.some((path) => isSameVault(path, vault)));
  const removed = servers.filter(
    entryName === undefined ? isMeant : ({ name }) => name === entryName,
  );
  const text = removed.reduce((rest, { name }) => removeJson(rest, [section, name]), source.text);
  const entries = removed.map(({ name, vault }) => ({
    name,
    ...(vault === undefined ? {} : { vault }),
    did: 'removed' as const,
  }));
  if (removed.length === 0) return { text, entries };
  const values = removed.map(({ name }) => [name, valueAt(source.text, [section, name])] as const);
  const before = backups.find((backup) =>
    isBackupPlus(backup, values, { section, ...source, putsBack }),
  );
  // The oldest backup tells what the file was before it was changed for the first time.
  const states = [backups[0] ?? source.text, source.text];
  const isMade =
    removed.length === servers.length &&
    states.every((state) => isMadeByUs({ section, file: source.file, text: state }));
  if (isMade) return { text: '', entries, removesFile: true };
  return { text: before ?? text, entries };
}

/** Whether a text is what a file has that Vaultdoor has made: our entries and nothing else. */
function isMadeByUs(source: { section: string; file: string; text: string }): boolean {
  try {
    const { servers } = readConfig(source, source.section);
    const values = servers.map(
      ({ name }) => [name, valueAt(source.text, [source.section, name])] as const,
    );
    const areOurs = servers.length > 0 && servers.every(({ isOurs }) => isOurs);
    return areOurs && isBackupPlus('', values, source);
  } catch {
    return false; // It is not a configuration that can be read.
  }
}

/**
 * Whether adding the entries to a backup makes exactly the text. With `putsBack`, what the backup has
 * and the text has not is taken out first, as setup does it with other servers for the same vault.
 */
function isBackupPlus(
  backup: string,
  values: readonly (readonly [string, unknown])[],
  {
    section,
    file,
    text,
    putsBack = false,
  }: { section: string; file: string; text: string; putsBack?: boolean },
): boolean {
  try {
    const { servers, text: start } = readConfig({ file, text: backup }, section);
    if (servers.some(({ name }) => values.some(([other]) => other === name))) return false;
    const present = putsBack ? readConfig({ file, text }, section).servers : servers;
    const gone = servers.filter(({ name }) => !present.some((server) => server.name === name));
    const added = values.reduce(
      (rest, [name, value]) => setJson(rest, [section, name], value),
      start,
    );
    return gone.reduce((rest, { name }) => removeJson(rest, [section, name]), added) === text;
  } catch {
    return false; // The backup is not a configuration that can be read.
  }
}

/** The value at a path of keys in the text of a configuration; undefined when there is none. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const { json } = plainJson(text);
  const result = parseJsonRanges(json);
  const node = path.reduce(jsonEntry, 'root' in result ? result.root : undefined);
  return node && JSON.parse(json.slice(node.range.start, node.range.end));
}
