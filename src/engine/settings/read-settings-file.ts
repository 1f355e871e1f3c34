import { rethrowIfAway, VaultError } from '../../base/vault-error.ts';
import type { VaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import { decodeText } from '../text/scan-file.ts';

const settingsBytesMax = 1024 * 1024;

/**
 * The JSON object in one of Obsidian's settings files; empty when there is no such file, and, with
 * a sentence added to `problems`, when it cannot be understood. Never fails on what is in it.
 */
export async function readSettingsFile(
  disk: Disk,
  path: VaultPath,
  problems: string[],
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { bytes } = await disk.read(path, { bytesMax: settingsBytesMax });
    const value: unknown = JSON.parse(decodeText(bytes).replace(/^\ufeff/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
    problems.push(`${path} is not a JSON object; Obsidian's defaults are used.`);
  } catch (error) {
    rethrowIfAway(error);
    if (!(error instanceof VaultError && error.code === 'not_found')) {
      problems.push(`${path} cannot be read as JSON; Obsidian's defaults are used.`);
    }
  }
  return {};
}
