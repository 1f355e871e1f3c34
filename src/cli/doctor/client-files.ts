import { existsSync } from 'node:fs';
import { toVaultError } from '../../base/vault-error.ts';
import {
  type ClientId,
  clientIds,
  clients,
  type Machine,
  projectPlace,
} from '../install/client-places.ts';
import { readConfigFile } from '../install/config-file.ts';
import { latestBackup, type UsableBackup } from '../install/latest-backup.ts';
import { type LocalEntry, localEntries } from '../install/local-entries.ts';
import { othersFor } from '../install/plan-install.ts';
import { readConfig } from '../install/read-config.ts';
import { installedPlaces, isSameVault } from '../install/this-machine.ts';
import { chooseVault } from '../options/choose-vault.ts';
import { type Allowed, allowedBy, hiddenBy } from '../setup/allowed.ts';
import { otherName } from '../setup/shown-change.ts';
import { hidden, known, type Said, said } from './finding.ts';

/** An entry of ours in the file of a client. */
interface ClientEntry {
  readonly name: string;
  /** The words that start our program: Node with its flags and our script, or our program alone. */
  readonly starts: readonly string[];
  /** The vault, as an absolute path; absent when the entry names none. */
  readonly vault?: string;
  readonly may: Allowed;
  /** The options that hide notes from the client, as they are typed; absent when it has none. */
  readonly hides?: string;
}

/** A file in which a client keeps its MCP servers, and what is in it. */
export interface ClientFile {
  readonly client: ClientId;
  readonly title: string;
  readonly is: 'not installed' | 'missing' | 'unusable' | 'read';
  readonly entries: readonly ClientEntry[];
  /** Servers of other programs that work on a vault of ours, with their packages where they can be told. */
  readonly others: readonly { readonly name: string; readonly shown: string }[];
  /** Our entries that hold in one folder only. */
  readonly local: readonly LocalEntry[];
  /** Whether it is the file of the project in the current folder. */
  readonly isOfProject: boolean;
  /** Why it is unusable. */
  readonly fault?: Said;
  /** The latest backup beside an unusable file that can be used; absent when there is none. */
  readonly backup?: UsableBackup;
}

/** The files of all clients that `install` knows, one or more for each client. Changes none. */
export async function clientFiles(machine: Machine): Promise<readonly ClientFile[]> {
  const found: ClientFile[] = [];
  for (const client of clientIds) {
    const places = installedPlaces(client, machine);
    for (const { file } of places) found.push(await fileAt(client, file, machine));
    if (places.length === 0) found.push({ ...fileOf(client), is: 'not installed' });
    const project = projectPlace(client, machine);
    if (project === undefined || !existsSync(project.file)) continue;
    // In the home folder, the file of the project is that of the user.
    if (places.some(({ file }) => isSameVault(file, project.file))) continue;
    found.push({ ...(await fileAt(client, project.file, machine)), isOfProject: true });
  }
  return found;
}

function fileOf(client: ClientId): Omit<ClientFile, 'is'> {
  const { title } = clients[client];
  return { client, title, entries: [], others: [], local: [], isOfProject: false };
}

async function fileAt(client: ClientId, file: string, machine: Machine): Promise<ClientFile> {
  try {
    const { text } = await readConfigFile(file);
    if (text === undefined) return { ...fileOf(client), is: 'missing' };
    const backup = text.trim() === '' ? await backupOf(client, file) : {};
    if (backup.backup !== undefined) {
      const fault = said`${hidden(`"${file}"`, 'The file')} is empty, and it was not before.`;
      return { ...fileOf(client), is: 'unusable', fault, ...backup };
    }
    const { servers } = readConfig({ file, text }, clients[client].section);
    const entries = servers
      .filter(({ isOurs }) => isOurs)
      .map(({ name, starts, flags, vault }) => ({
        name,
        starts,
        may: allowedBy(flags),
        ...hidesOf(flags),
        ...(vault ? { vault: chooseVault(vault, machine).path } : {}),
      }));
    const vaults = entries.flatMap(({ vault }) => (vault === undefined ? [] : [{ path: vault }]));
    const others = othersFor(servers, { vaults, isSameVault }).map(({ name }) => ({
      name,
      shown: otherName(text, name, clients[client]),
    }));
    const local = client === 'claude-code' ? localEntries(text) : [];
    return { ...fileOf(client), is: 'read', entries, others, local };
  } catch (error) {
    const { message, details } = toVaultError(error);
    return {
      ...fileOf(client),
      is: 'unusable',
      fault: faultText(file, { message, fault: String(details['fault'] ?? '') }),
      ...(await backupOf(client, file)),
    };
  }
}

function hidesOf(flags: readonly string[]): Pick<ClientEntry, 'hides'> {
  const hides = hiddenBy(flags);
  return hides === undefined ? {} : { hides };
}

async function backupOf(client: ClientId, file: string): Promise<Pick<ClientFile, 'backup'>> {
  const backup = await latestBackup(file, clients[client].section);
  return backup === undefined ? {} : { backup };
}

function faultText(
  file: string,
  { message, fault }: { readonly message: string; readonly fault: string },
): Said {
  const shown = hidden(`"${file}"`, 'The file');
  if (fault.startsWith('is not')) return said`${shown} ${known(fault)}.`;
  return hidden(message, 'The file cannot be used.');
}
