import { vaultPath } from '../../base/vault-path.ts';
import type { Disk } from '../ports/ports.ts';
import type { GivenType } from '../text/convert-property.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** The type names of `.obsidian/types.json`; others belong to plugins and are ignored. */
const typesByWord: ReadonlyMap<unknown, GivenType> = new Map([
  ['text', 'text'],
  ['multitext', 'list'],
  ['tags', 'list'],
  ['aliases', 'list'],
  ['number', 'number'],
  ['checkbox', 'checkbox'],
  ['date', 'date'],
  ['datetime', 'datetime'],
]);

/**
 * The types that the vault sets for properties, by the property's name in lower case. What is wrong
 * with the file is added to `problems`.
 */
export async function readPropertyTypes(
  disk: Disk,
  problems: string[],
): Promise<ReadonlyMap<string, GivenType>> {
  const { types } = await readSettingsFile(disk, vaultPath('.obsidian/types.json'), problems);
  const found = new Map<string, GivenType>();
  if (typeof types !== 'object' || types === null) return found;
  for (const [key, word] of Object.entries(types)) {
    const type = typesByWord.get(word);
    if (type !== undefined) found.set(key.toLowerCase(), type);
  }
  return found;
}
