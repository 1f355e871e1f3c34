import { setTimeout } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { toVaultError } from '../../base/vault-error.ts';
import { type Issuer, issuerOf } from '../../oauth/grants/issuer.ts';
import { obsidianList } from '../install/known-vaults.ts';
import { thisMachine } from '../install/this-machine.ts';
import { movedVaults } from '../setup/setup-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { clientFiles } from './client-files.ts';
import type { DoctorOptions } from './doctor-options.ts';
import {
  lookAtVaults,
  type NamedVault,
  namedVaults,
  type SeenVault,
  seen,
} from './doctor-vaults.ts';
import { examineClients } from './examine-clients.ts';
import { examineClock } from './examine-clock.ts';
import { examineLocalServer, isServed, settingsOfSetup } from './examine-local-server.ts';
import { examineNode } from './examine-node.ts';
import { examinePermissions } from './examine-permissions.ts';
import { examineServer } from './examine-server.ts';
import { examineSignIn } from './examine-sign-in.ts';
import { examineStores } from './examine-stores.ts';
import { examineVaults } from './examine-vaults.ts';
import { examineWatching } from './examine-watching.ts';
import { bad, command, type Finding, type FindingGroup, hidden, known, said } from './finding.ts';
import type { VaultLook } from './look-at-vault.ts';
import type { ServerFinding } from './server-finding.ts';

/**
 * Examines everything that a client needs, on this machine and at the addresses that are given.
 * `onStep` is told what is looked at. Changes nothing, and ends in a limited time.
 */
export async function examineAll(
  shell: Shell,
  options: DoctorOptions,
  onStep: (what: string) => void,
): Promise<readonly FindingGroup[]> {
  const { signal } = shell;
  const [node, local, ...proxies] = await Promise.all([
    group(signal, 'node', 'Programs', () => examineNode(shell)),
    examineMachine(shell, options, onStep),
    ...options.issuers.map((issuer) => proxyGroup(shell, issuer)),
  ]);
  return [node, ...local, ...proxies];
}

async function examineMachine(
  shell: Shell,
  options: DoctorOptions,
  onStep: (what: string) => void,
): Promise<readonly FindingGroup[]> {
  const { env, signal } = shell;
  const machine = thisMachine(shell);
  onStep('the files of apps');
  const clients = await clientFiles(machine);
  const listed = obsidianList(machine);
  const ofServer = await settingsOfSetup(machine);
  const [named, refusal] = vaultsOrRefusal(shell, {
    flags: options.vaults,
    served: ofServer?.['VAULT_PATH'],
    clients,
    listed,
  });

  onStep(named.length === 1 ? 'the vault' : `${named.length} vaults`);
  const look = lookAtVaults(shell);
  const vaults = await Promise.all(
    named.map(async (vault) => seen(vault, await look(vault.path, 'whole'), env)),
  );
  const looks = new Map<string, VaultLook>(vaults.map(({ path, look: found }) => [path, found]));
  const entryVaults = clients.flatMap(({ entries }) => entries.flatMap(({ vault }) => vault ?? []));
  const unseen = new Set(entryVaults.filter((path) => !looks.has(path)));
  await Promise.all(
    Array.from(unseen)
      .slice(0, limits.doctorVaultsMax)
      .map(async (path) => looks.set(path, await look(path, 'brief'))),
  );
  const served = await Promise.all(
    vaults.map(async (vault) => ({ ...vault, isServed: await isServed(vault) })),
  );

  onStep('index, history and servers');
  const nowMs = Date.now();
  const stores = async (): Promise<readonly Finding[]> => {
    const found: Finding[] = [];
    for (const vault of served.filter(isOpen)) {
      found.push(...(await examineStores({ ...vault, nowMs })));
    }
    return found;
  };
  const groups = await Promise.all([
    group(signal, 'vault', 'Vault', async () =>
      refusal === undefined ? examineVaults(vaults) : [refusal],
    ),
    group(signal, 'permissions', 'Permissions', async () => examinePermissions(vaults, env)),
    group(signal, 'watching', 'Watching for changes', async () => examineWatching(served)),
    group(signal, 'stores', 'Index and history', stores),
    group(signal, 'clock', 'Clock', async () => examineClock(vaults, nowMs)),
    group(signal, 'clients', 'Apps on this machine', async () =>
      examineClients(clients, {
        env,
        looks,
        listed: [...listed, ...movedVaults(entryVaults, machine.home)],
        isServer:
          options.issuers.length > 0 ||
          served.some((vault) => vault.isServed) ||
          ofServer !== undefined,
      }),
    ),
    group(signal, 'server', 'Server on this machine', () =>
      examineLocalServer(shell, { given: options.port, place: machine }, served),
    ),
    group(signal, 'sign-in', 'Owner, connections, tokens', () =>
      examineSignIn(vaults, { env, needsOwner: options.issuers.length > 0 }),
    ),
  ]);
  return groups.filter(({ findings }) => findings.length > 0);
}

/** The vaults to examine, or none and why. */
function vaultsOrRefusal(
  ...[shell, parts]: Parameters<typeof namedVaults>
): readonly [named: readonly NamedVault[], refusal?: Finding] {
  try {
    return [namedVaults(shell, parts)];
  } catch (error) {
    const says = hidden(toVaultError(error).message, 'The vault that is given cannot be used.');
    const change = said`Give the folder of your notes: "${command(['doctor', '--vault'])} <folder>".`;
    return [[], bad('vault', says, change)];
  }
}

function isOpen<T extends SeenVault>(vault: T): vault is T & Required<Pick<T, 'folders'>> {
  return vault.folders !== undefined;
}

/** A group of findings. If examining takes too long or fails, that is the finding. */
async function group(
  signal: AbortSignal,
  name: string,
  heading: string,
  examine: () => Promise<readonly Finding[]>,
): Promise<FindingGroup> {
  const title = known(heading);
  const seconds = limits.doctorGroupMs / 1000;
  const late = bad(
    name,
    said`Looking at it took more than ${seconds} seconds.`,
    said`Look whether the disk or the machine is very busy, and try again.`,
  );
  const ending = new AbortController();
  try {
    const findings = await Promise.race([
      examine(),
      setTimeout(limits.doctorGroupMs, [late], { signal: ending.signal }),
    ]);
    return { name, title, findings };
  } catch (error) {
    signal.throwIfAborted();
    const message = hidden(` (${toVaultError(error).message})`, '');
    const failed = said`Looking at it failed${message}.`;
    return { name, title, findings: [bad(name, failed, said`Please report this.`)] };
  } finally {
    ending.abort();
  }
}

/** What clients meet that sign in at an address. Reports have no sentences of it: they name hosts. */
async function proxyGroup(shell: Shell, issuer: Issuer): Promise<FindingGroup> {
  const { VAULTDOOR_PUBLIC_URL: ours = '' } = (await settingsOfSetup(thisMachine(shell))) ?? {};
  const isHere = issuerOf(ours)?.url === issuer.url;
  const patience = { signal: shell.signal, askMs: limits.doctorAskMs, nowMs: Date.now };
  const found = await examineServer(issuer, { ...patience, isHere });
  return {
    name: 'proxy',
    title: said`Proxy and sign-in at ${hidden(issuer.resource, 'the address')}`,
    findings: found.map(localFinding),
    namesFine: true,
  };
}

function localFinding({ check, isOk, isDoubtful, says, change }: ServerFinding): Finding {
  const state = !isOk ? 'bad' : isDoubtful ? 'warning' : 'ok';
  return {
    check,
    state,
    says: hidden(says, ''),
    ...(change === undefined ? {} : { change: hidden(change, '') }),
  };
}
