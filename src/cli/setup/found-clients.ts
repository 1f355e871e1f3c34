import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { plain } from '../../tools/cli/text.ts';
import {
  type Client,
  type ClientId,
  clientIds,
  clientPlaces,
  clients,
  type Machine,
} from '../install/client-places.ts';
import { type ConfigFile, readConfigFile } from '../install/config-file.ts';
import { backupText, withBackup } from '../install/latest-backup.ts';
import { type LocalEntry, localEntries, removeLocal } from '../install/local-entries.ts';
import { readConfig } from '../install/read-config.ts';
import type { Server } from '../install/server-entry.ts';
import { installedPlaces, isSameVault } from '../install/this-machine.ts';
import type { Shell } from '../shell/shell.ts';
import { allowedBy, mayWords } from './allowed.ts';
import { askQuestion, numbered } from './ask-question.ts';
import { listed } from './setup-words.ts';

/** A client on this machine, with its files as they are now. */
export interface FoundClient {
  readonly id: ClientId;
  readonly client: Client;
  readonly files: readonly ConfigFile[];
  /** Our entries in its files. */
  readonly ours: readonly Server[];
  /** The entries of other servers in its files. */
  readonly others: readonly Server[];
  /** Our entries that hold in one folder only. */
  readonly local: readonly LocalEntry[];
  /** Sentences about files that are empty although a backup of them has settings. */
  readonly empty: readonly string[];
  /** Why its files cannot be edited; absent when they can. */
  readonly fault?: string;
}

/** The titles of all clients that are known, for sentences. */
export const allTitles = clientIds.map((id) => clients[id].title);

/** The clients on this machine. */
export async function findClients(machine: Machine): Promise<readonly FoundClient[]> {
  const found: FoundClient[] = [];
  for (const id of clientIds) {
    const places = installedPlaces(id, machine);
    if (places.length === 0) continue;
    const client = clients[id];
    const files: ConfigFile[] = [];
    const ours: Server[] = [];
    const others: Server[] = [];
    const local: LocalEntry[] = [];
    const empty: string[] = [];
    let fault: string | undefined;
    for (const { file: path } of places) {
      try {
        const file = await readConfigFile(path);
        const { servers } = readConfig({ file: path, text: file.text }, client.section);
        files.push(file);
        const backup = file.text?.trim() === '' ? await backupText(path, client.section) : '';
        if (backup !== '') empty.push(`"${path}" is empty.${backup}`);
        for (const server of servers) (server.isOurs ? ours : others).push(server);
        if (id === 'claude-code') local.push(...localEntries(file.text));
      } catch (error) {
        fault ??= toVaultError(await withBackup(error, path, client.section)).message;
      }
    }
    found.push({
      id,
      client,
      files,
      ours,
      others,
      local,
      empty,
      ...(fault === undefined ? {} : { fault }),
    });
  }
  return found;
}

/**
 * The clients of `--client`; all where none is given. Fails with `not_found` for one that is not on
 * this machine, and with `invalid_input` for one whose file cannot be edited.
 */
export function chosenClients(
  found: readonly FoundClient[],
  given: readonly ClientId[],
  machine: Machine,
): readonly FoundClient[] {
  const chosen = found.filter(({ id }) => given.length === 0 || given.includes(id));
  const missing = given.find((id) => !found.some((client) => client.id === id));
  if (missing !== undefined) {
    const [place] = clientPlaces(missing, machine);
    throw new VaultError(
      'not_found',
      `${clients[missing].title} was not found: there is no "${place?.signs.at(-1)}". Start it once and try again.`,
    );
  }
  const fault = chosen.find((client) => client.fault !== undefined)?.fault;
  if (fault !== undefined) throw new VaultError('invalid_input', fault);
  return chosen;
}

/** Fails when the files of no client can be edited: nothing else needs to be asked then. */
export function checkUsable(found: readonly FoundClient[]): void {
  const faults = found.flatMap(({ fault }) => fault ?? []);
  if (faults.length === found.length) throw new VaultError('invalid_input', faults.join('\n'));
}

/**
 * Asks which of the clients may use the vault. A single one is only named: before anything is written,
 * the person is asked. So are those whose files cannot be edited.
 */
export async function askClients(
  shell: Shell,
  found: readonly FoundClient[],
  vaultPath: string,
): Promise<readonly FoundClient[]> {
  const usable = found.filter(({ fault }) => fault === undefined);
  const faults = found.flatMap(({ client, fault }) =>
    fault === undefined ? [] : [`${client.title} is left out: ${fault}`],
  );
  const [only, other] = usable;
  if (only !== undefined && other === undefined) {
    const says = [`The app that was found here is ${only.client.title}.`, ...faults];
    shell.stderr.write(`\n${says.map(plain).join('\n')}\n`);
    return usable;
  }
  return askQuestion(shell, {
    question: ['Which apps may use it?', ...faults].join('\n'),
    choices: usable.map(
      (client) =>
        `${client.client.title}${usesText(client, vaultPath)}  ${client.files[0]?.path ?? ''}`,
    ),
    hint: 'Type numbers, such as 1,2.',
    usual: 'all',
    read: (answer) => {
      if (answer.toLowerCase() === 'all') return usable;
      const words = answer.split(/[\s,]+/).filter((word) => word !== '');
      const chosen = words.map((word) => numbered(word, usable));
      return usable.filter((client) => chosen.includes(client));
    },
  });
}

/** Which vaults a client uses already, as the end of a line: this one first. */
function usesText({ ours }: FoundClient, vaultPath: string): string {
  const isThis = (path: string): boolean => isSameVault(path, vaultPath);
  const paths = ours.flatMap(({ vault }) => vault ?? []);
  const names = [...paths.filter(isThis).slice(0, 1), ...paths.filter((path) => !isThis(path))];
  return names.length === 0 ? '' : ` (already uses ${listed(names.map(nameOf))})`;
}

/** The name of a vault in a sentence: that of its folder. */
function nameOf(path: string): string {
  return `"${path.split(/[\\/]/).findLast((name) => name !== '') ?? path}"`;
}

/**
 * Sentences about our entries that hold in one folder only: where they are, and what takes them out.
 * With vaults, only about the entries of these.
 */
export function localTexts(
  found: readonly FoundClient[],
  vaults: readonly string[] = [],
): readonly string[] {
  const isMeant = ({ server: { vault = '' } }: LocalEntry): boolean =>
    vaults.length === 0 || vaults.some((path) => isSameVault(path, vault));
  return found.flatMap(({ client, local }) =>
    local
      .filter(isMeant)
      .map(
        (entry) =>
          `In the folder "${entry.folder}", ${client.title} has an entry "${entry.server.name}" of its own, which setup leaves as it is. It may ${mayWords[allowedBy(entry.server.flags)]}. To take it out, type in that folder: ${removeLocal(entry)}`,
      ),
  );
}
