import { toVaultError } from '../../base/vault-error.ts';
import { lines, plain } from '../../tools/cli/text.ts';
import { hint } from '../options/program-text.ts';
import { type ClientId, clientIds, clientPlaces, clients, type Machine } from './client-places.ts';
import { readConfigFile } from './config-file.ts';
import { localEntries } from './local-entries.ts';
import { readConfig } from './read-config.ts';
import { installedPlaces } from './this-machine.ts';

/** A configuration file of a client, and what is in it. */
interface ListedPlace {
  readonly client: ClientId;
  readonly file: string;
  readonly isInstalled: boolean;
  readonly exists: boolean;
  /** The names of our entries. */
  readonly entries: readonly string[];
  /** Our entries that hold in one folder only. */
  readonly local: readonly { readonly name: string; readonly folder: string }[];
  /** Why it cannot be edited; absent when it can. */
  readonly fault?: string;
}

/** The configuration files of every client, with the entries that Vaultdoor has in them. */
export async function listClients(machine: Machine): Promise<readonly ListedPlace[]> {
  const listed: ListedPlace[] = [];
  for (const client of clientIds) {
    const there = installedPlaces(client, machine);
    const usual = clientPlaces(client, machine).slice(0, 1);
    for (const { file } of there.length > 0 ? there : usual) {
      listed.push(await describe(client, file, { isInstalled: there.length > 0 }));
    }
  }
  return listed;
}

async function describe(
  client: ClientId,
  file: string,
  { isInstalled }: { isInstalled: boolean },
): Promise<ListedPlace> {
  const place = { client, file, isInstalled, exists: false, entries: [], local: [] };
  try {
    const { text } = await readConfigFile(file);
    const { servers } = readConfig({ file, text }, clients[client].section);
    const entries = servers.filter(({ isOurs }) => isOurs).map(({ name }) => name);
    const local = (client === 'claude-code' ? localEntries(text) : []).map(
      ({ server, folder }) => ({ name: server.name, folder }),
    );
    return { ...place, exists: text !== undefined, entries, local };
  } catch (error) {
    return { ...place, exists: true, fault: toVaultError(error).message };
  }
}

/** The list as text. */
export function clientsText(listed: readonly ListedPlace[]): string {
  const width = Math.max(...clientIds.map((id) => id.length)) + 2;
  const rows = listed.flatMap((place) => [
    `${place.client.padEnd(width)}${plain(place.file)}`,
    `${' '.repeat(width)}${stateOf(place)}`,
    ...place.local.map(
      ({ name, folder }) =>
        `${' '.repeat(width)}has ${plain(name)} in the folder ${plain(folder)} only`,
    ),
  ]);
  return lines([
    ...rows,
    '',
    `${hint('install <app>')} adds the vault to one of them, "uninstall" removes it.`,
  ]);
}

function stateOf({ client, isInstalled, exists, entries, fault }: ListedPlace): string {
  if (fault !== undefined) return plain(fault);
  if (!isInstalled) return `${clients[client].title} does not seem to be installed`;
  if (entries.length > 0) return `has ${entries.map((name) => plain(name)).join(', ')}`;
  return exists ? 'has no entry of ours' : 'does not exist yet';
}
