import { plain } from '../../tools/cli/text.ts';
import type { Machine } from '../install/client-places.ts';
import { othersFor } from '../install/plan-install.ts';
import { isGone, isSameVault } from '../install/this-machine.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { type Allowed, allowedBy, askAllowed, mayWords, usualAllowed } from './allowed.ts';
import { askClients, chosenClients, type FoundClient } from './found-clients.ts';
import { allowedBefore, type Decided } from './next-text.ts';
import type { SetupOptions } from './setup-options.ts';
import { vaultToSetUp } from './setup-vault.ts';

/** The rights, the least first. */
const leastFirst = ['read', 'propose', 'change'] as const;

/** What a client that is new may have done before, and by which entry. */
interface HeldTo {
  readonly right: Allowed;
  readonly entry: string;
}

/** Decides which vault, which clients and what they may do: by options, questions, or what there is. */
export async function decideClients(
  shell: Shell,
  options: SetupOptions,
  {
    machine,
    isAsked,
    found,
  }: {
    readonly machine: Machine;
    readonly isAsked: boolean;
    readonly found: readonly FoundClient[];
  },
): Promise<Decided> {
  const named = options.clients.length > 0;
  const chosen = named || !isAsked ? chosenClients(found, options.clients, machine) : undefined;
  const given = options.vault ?? (options.allow && onlyVault(shell, chosen ?? found));
  const used = (chosen ?? found).flatMap(({ ours }) => ours.flatMap(({ vault }) => vault ?? []));
  const vault = await vaultToSetUp(shell, { given, machine, isAsked, used });
  const clients = chosen ?? (await askClients(shell, found, vault.path));
  const now = allowedNow(clients, vault);
  const held = heldTo(clients, vault, now);
  const titles = clients.map(({ client }) => client.title);
  if (options.allow !== undefined) return { vault, clients, allow: options.allow };
  if (isAsked) {
    return { vault, clients, allow: await askAllowed(shell, titles, { now, held }) };
  }
  if (held !== undefined) {
    shell.stderr.write(
      `${plain(`"${held.entry}" may ${mayWords[held.right]}, so this may not do more. With --allow, it may.`)}\n`,
    );
  }
  return { vault, clients, allow: held?.right ?? now ?? usualAllowed };
}

/**
 * The only vault that the clients have: who changes what they may do means that one. Undefined when
 * they have none, or several.
 */
function onlyVault(shell: Shell, clients: readonly FoundClient[]): string | undefined {
  const paths = clients
    .flatMap(({ ours }) => ours.flatMap(({ vault }) => vault ?? []))
    .filter((path) => !isGone(path));
  const [path] = paths;
  if (path === undefined || paths.some((other) => !isSameVault(other, path))) return undefined;
  shell.stderr.write(`The vault is "${plain(path)}", which is set up already.\n`);
  return path;
}

/**
 * What the clients may do with this vault now: the least, where they differ. Undefined when none of
 * them uses it yet.
 */
function allowedNow(clients: readonly FoundClient[], vault: VaultChoice): Allowed | undefined {
  const found = clients.map((client) => allowedBefore(client, vault));
  return leastFirst.find((right) => found.includes(right));
}

/**
 * The entry that holds a client back which does not use this vault yet: one of ours for a vault that
 * does not exist, or one of another server for this vault, if all of them only read. Undefined when
 * none allows less than `now`, or than a new client may do.
 */
function heldTo(
  clients: readonly FoundClient[],
  vault: VaultChoice,
  now: Allowed | undefined,
): HeldTo | undefined {
  const held = clients
    .filter((client) => allowedBefore(client, vault) === undefined)
    .flatMap(({ ours, others }): readonly HeldTo[] => {
      const gone = ours.filter((server) => server.vault !== undefined && isGone(server.vault));
      const same = othersFor(others, { vaults: [vault], isSameVault });
      const areReading = same.every(({ words }) => words.some((word) => readOnly.test(word)));
      return [
        ...gone.map(({ name, flags }) => ({ right: allowedBy(flags), entry: name })),
        ...(areReading ? same.map(({ name }) => ({ right: 'read' as const, entry: name })) : []),
      ];
    });
  const least = leastFirst.find((right) => held.some((each) => each.right === right));
  const rank = (right: Allowed): number => leastFirst.indexOf(right);
  if (least === undefined || rank(least) >= rank(now ?? usualAllowed)) return undefined;
  return held.find(({ right }) => right === least);
}

/** The option with which other servers, such as mcpvault, only read. */
const readOnly = /^--read-?only(=true)?$/i;
