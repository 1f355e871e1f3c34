import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import { type VaultPath, vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import { decodeText } from '../text/scan-file.ts';

const settingsBytesMax = 1024 * 1024;

/**
 * Reads one of Obsidian's settings files as JSON. Answers undefined when there is no such file, and
 * also when it is not JSON; then it adds a sentence to `problems`.
 */
async function readSettingsValue(
  disk: Disk,
  path: VaultPath,
  problems: string[],
): Promise<unknown> {
  try {
    const { bytes } = await disk.read(path, { bytesMax: settingsBytesMax });
    return JSON.parse(decodeText(bytes).replace(/^\ufeff/, '')) as unknown;
  } catch (error) {
    rethrowIfAway(error);
    if (!(error instanceof VaultError && error.code === 'not_found')) {
      problems.push(`${path} cannot be read as JSON; Obsidian's defaults are used.`);
    }
    return undefined;
  }
}

/**
 * Reads one of Obsidian's settings files as a JSON object. Answers an empty object when there is no
 * such file, and also when the file is not a JSON object; then it adds a sentence to `problems`.
 */
export async function readSettingsFile(
  disk: Disk,
  path: VaultPath,
  problems: string[],
): Promise<Readonly<Record<string, unknown>>> {
  const value = await readSettingsValue(disk, path, problems);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  if (value !== undefined) {
    problems.push(`${path} is not a JSON object; Obsidian's defaults are used.`);
  }
  return {};
}

/**
 * Whether a community plugin is on: it is in the vault's list of plugins or, where no list can be
 * read, it has settings.
 */
export async function isPluginOn(disk: Disk, plugin: string, problems: string[]): Promise<boolean> {
  const path = vaultPath('.obsidian/community-plugins.json');
  const plugins = await readSettingsValue(disk, path, problems);
  if (Array.isArray(plugins)) return plugins.includes(plugin);
  const settings = vaultPath(`.obsidian/plugins/${plugin}/data.json`);
  return (await readSettingsValue(disk, settings, [])) !== undefined;
}
