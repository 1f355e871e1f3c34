import { isDeepStrictEqual } from 'node:util';
import { record } from '../../base/json.ts';
import { type JsonNode, jsonEntry, parseJsonRanges } from '../../markdown/text/json-ranges.ts';
import { otherChange } from './backups.ts';
import { removeJson, setJson } from './edit-json.ts';
import { plainJson } from './plain-json.ts';
import type { ConfigPlan, PlannedEntry } from './plan-install.ts';
import { readConfig } from './read-config.ts';
import type { Server } from './server-entry.ts';

/** Entries of a configuration by their names, with their values. */
export type EntryValues = readonly (readonly [name: string, value: unknown])[];

interface UninstallRequest {
  readonly section: string;
  /** Remove only the entry of this name, also one that Vaultdoor did not make. */
  readonly entryName?: string | undefined;
  /** Remove only the entries of these vaults; of all vaults when the list is empty. */
  readonly vaults: readonly string[];
  readonly isSameVault: (a: string, b: string) => boolean;
  /** Texts that the file had before Vaultdoor changed it, the oldest first. */
  readonly backups: readonly string[];
  /** Entries of other servers that setup has taken out, and that come back. */
  readonly takenOut?: EntryValues;
}

/**
 * Plans to remove our entries, or the one that is named, and to put back what setup has taken out. If a
 * backup plus these entries is exactly the present text, the plan is to restore that backup. A section
 * that was made only for our entries is removed, and so is a file that Vaultdoor made, and in which
 * nothing else is.
 */
export function planUninstall(
  source: { file: string; text: string },
  { section, entryName, vaults, isSameVault, backups, takenOut = [] }: UninstallRequest,
): ConfigPlan {
  const { servers } = readConfig(source, section);
  const isMeant = ({ isOurs, vault = '' }: Server): boolean =>
    isOurs && (vaults.length === 0 || vaults.some((path) => isSameVault(path, vault)));
  const removed = servers.filter(
    entryName === undefined ? isMeant : ({ name }) => name === entryName,
  );
  const staying = servers.filter((server) => !removed.includes(server));
  // A name that is taken again stays with its present entry.
  const back = takenOut.filter(([name]) => !staying.some((server) => server.name === name));
  if (removed.length === 0 && back.length === 0) return { text: source.text, entries: [] };
  const entries: readonly PlannedEntry[] = [
    ...removed.map(({ name, vault, flags }) => ({
      name,
      ...(vault === undefined ? {} : { vault }),
      did: 'removed' as const,
      ...(flags.length === 0 ? {} : { gone: flags }),
    })),
    ...back.map(([name]) => ({ name, did: 'put back' as const })),
  ];
  const values = removed.map(({ name }) => [name, valueAt(source.text, [section, name])] as const);
  const before = backups.find((backup) =>
    isBackupPlus(backup, values, { section, ...source, takenOut: back }),
  );
  // The oldest backup tells what the file was before it was changed for the first time.
  const states = [backups[0] ?? source.text, source.text];
  const isMade =
    back.length === 0 &&
    removed.length === servers.length &&
    states.every((state) => isMadeByUs({ section, file: source.file, text: state }));
  if (isMade) return { text: '', entries, removesFile: true, section };
  if (before !== undefined) return { text: before, entries, section };
  const { text: start } = readConfig(source, section);
  const without = removed.reduce((rest, { name }) => removeJson(rest, [section, name]), start);
  const text = back.reduce((rest, [name, value]) => setJson(rest, [section, name], value), without);
  const isLeftOver =
    isBare(text, section) && wasWithoutSection(removed, { section, file: source.file, backups });
  return { text: isLeftOver ? removeJson(text, [section]) : text, entries, section };
}

/**
 * Whether the section, now empty, was made for our entries: the latest backup without an entry of ours
 * has none. Without a backup, setup has made the file, if the entries are as setup writes them.
 */
function wasWithoutSection(
  removed: readonly Server[],
  { section, file, backups }: { section: string; file: string; backups: readonly string[] },
): boolean {
  if (backups.length === 0) return removed.every(({ envVault }) => envVault !== undefined);
  const before = backups.findLast((text) => {
    try {
      return readConfig({ file, text }, section).servers.every(({ isOurs }) => !isOurs);
    } catch {
      return false; // It is not a configuration that can be read.
    }
  });
  return before !== undefined && (before.trim() === '' || valueAt(before, [section]) === undefined);
}

/**
 * Why a backup is still needed after our entries were removed and the file has this text, as part of a
 * sentence. Undefined when it is not: all that it has is in the file, but for our entries.
 * `isBeforeUs` says that it is from before Vaultdoor's first change: entries of ours in it were made by
 * hand.
 */
export function whyBackupNeeded(
  { text: backup, isBeforeUs }: { readonly text: string; readonly isBeforeUs: boolean },
  {
    file,
    section,
    text = '{}',
  }: { readonly file: string; readonly section: string; readonly text?: string | undefined },
): string | undefined {
  if (backup === text) return undefined;
  try {
    const { servers, text: old } = readConfig({ file, text: backup }, section);
    const ours = servers.filter(({ isOurs }) => isOurs).map(({ name }) => `"${name}"`);
    const now = readConfig({ file, text }, section).text;
    if (isBeforeUs && ours.length > 0 && !isMadeByUs({ section, file, text: backup })) {
      return `it has ${ours.join(', ')} as it was before Vaultdoor changed the file for the first time`;
    }
    const { [section]: oldServers, ...oldRest } = record(valueAt(old, []));
    const { [section]: nowServers, ...nowRest } = record(valueAt(now, []));
    const hasServers = servers
      .filter(({ isOurs }) => !isOurs)
      .every(({ name }) => isDeepStrictEqual(record(oldServers)[name], record(nowServers)[name]));
    const hasComments = plainJson(old).comments.every(({ start, end }) =>
      now.includes(old.slice(start, end)),
    );
    return hasServers && hasComments && isDeepStrictEqual(oldRest, nowRest)
      ? undefined
      : otherChange;
  } catch {
    return otherChange; // It is not a configuration that can be read.
  }
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
 * Whether adding the entries to a backup, and taking out what setup has taken out, makes exactly the
 * text.
 */
function isBackupPlus(
  backup: string,
  values: EntryValues,
  {
    section,
    file,
    text,
    takenOut = [],
  }: { section: string; file: string; text: string; takenOut?: EntryValues },
): boolean {
  try {
    const { servers, text: start } = readConfig({ file, text: backup }, section);
    if (servers.some(({ name }) => values.some(([other]) => other === name))) return false;
    const hasTaken = takenOut.every(([name, value]) =>
      isDeepStrictEqual(valueAt(start, [section, name]), value),
    );
    if (!hasTaken) return false;
    const added = values.reduce(
      (rest, [name, value]) => setJson(rest, [section, name], value),
      start,
    );
    return takenOut.reduce((rest, [name]) => removeJson(rest, [section, name]), added) === text;
  } catch {
    return false; // The backup is not a configuration that can be read.
  }
}

/** Whether the section is there with nothing in it, not even a comment. */
function isBare(text: string, section: string): boolean {
  const node = nodeAt(text, [section]);
  return node !== undefined && /^\{\s*\}$/.test(text.slice(node.range.start, node.range.end));
}

/** The value at a path of keys in the text of a configuration; undefined when there is none. */
export function valueAt(text: string, path: readonly string[]): unknown {
  const node = nodeAt(text, path);
  return node && JSON.parse(plainJson(text).json.slice(node.range.start, node.range.end));
}

function nodeAt(text: string, path: readonly string[]): JsonNode | undefined {
  const result = parseJsonRanges(plainJson(text).json);
  return path.reduce(jsonEntry, 'root' in result ? result.root : undefined);
}
