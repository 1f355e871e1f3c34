import { unlink } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { diskError } from '../../node/system/disk-error.ts';
import { writeBeside } from './backups.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import { type EntryValues, valueAt } from './plan-uninstall.ts';
import { readConfig } from './read-config.ts';

/**
 * The file beside a configuration that keeps the entries of other servers which setup has taken out,
 * as the configuration had them. They may hold keys, so it has the same mode.
 */
export function takenOutFile({ path }: Pick<ConfigFile, 'path'>): string {
  return `${path}.vaultdoor-taken-out`;
}

/** The entries that setup has taken out of a configuration. Fails when their file cannot be read. */
export async function readTakenOut(file: ConfigFile, section: string): Promise<EntryValues> {
  const path = takenOutFile(file);
  const { text = '' } = await readConfigFile(path);
  const { servers } = readConfig({ file: path, text }, section);
  return servers.map(({ name }) => [name, valueAt(text, [section, name])]);
}

/** Keeps entries that are about to be taken out of a configuration, beside those that were before. */
export async function keepTakenOut(
  file: ConfigFile,
  section: string,
  entries: EntryValues,
): Promise<void> {
  const before = await readTakenOut(file, section);
  await write(file, section, [...new Map([...before, ...entries])]);
}

/**
 * Forgets the entries that the configuration has again. Answers the names of the others: the
 * configuration has another entry of that name now, or was asked for another vault.
 */
export async function forgetTakenOut(
  file: ConfigFile,
  section: string,
): Promise<readonly string[]> {
  const kept = await readTakenOut(file, section);
  const { text = '' } = await readConfigFile(file.path);
  const left = kept.filter(
    ([name, value]) => !isDeepStrictEqual(valueAt(text, [section, name]), value),
  );
  if (left.length < kept.length) await write(file, section, left);
  return left.map(([name]) => name);
}

async function write(file: ConfigFile, section: string, entries: EntryValues): Promise<void> {
  const path = takenOutFile(file);
  const kept = JSON.stringify({ [section]: Object.fromEntries(entries) }, undefined, 2);
  try {
    if (entries.length === 0) await unlink(path);
    else await writeBeside(file, path, `${kept}\n`);
  } catch (error) {
    throw diskError(path, error, 'write');
  }
}
