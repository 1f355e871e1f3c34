import { plain } from '../../tools/cli/text.ts';
import type { Machine } from '../install/client-places.ts';
import { othersFor } from '../install/plan-install.ts';
import { isGone, isMoved, isSameVault, mayBeAway } from '../install/this-machine.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { type Allowed, allowedBy, askAllowed, mayWords, usualAllowed } from './allowed.ts';
import { askYes } from './ask-question.ts';
import { askClients, checkUsable, chosenClients, type FoundClient } from './found-clients.ts';
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
  if (chosen === undefined) checkUsable(found);
  const given = options.vault ?? (options.allow && onlyVault(shell, chosen ?? found));
  const used = (chosen ?? found).flatMap(({ ours }) => ours.flatMap(({ vault }) => vault ?? []));
  const vault = await vaultToSetUp(shell, { given, machine, isAsked, used });
  const clients = chosen ?? (await askClients(shell, found, vault.path));
  const movedFrom = isAsked ? await askMoved(shell, clients, vault) : undefined;
  const isHere = (from: string, to: string): boolean => from === movedFrom || isMoved(from, to);
  const decided = { vault, clients, isMoved: isHere };
  const now = allowedNow(decided);
  const held = heldTo(decided, now);
  const titles = clients.map(({ client }) => client.title);
  if (options.allow !== undefined) return { ...decided, allow: options.allow };
  if (isAsked) {
    return { ...decided, allow: await askAllowed(shell, titles, { now, held }) };
  }
  if (held !== undefined) {
    shell.stderr.write(
      `${plain(`"${held.entry}" may ${mayWords[held.right]}, so this may not do more. With --allow, it may.`)}\n`,
    );
  }
  return { ...decided, allow: held?.right ?? now ?? usualAllowed };
}

/**
 * Asks whether the vault is the one of an entry that leads nowhere now, where its name does not say so:
 * then that entry is corrected and keeps its options, such as what it hides. Answers the path that it
 * has. Undefined when it is another vault, when there is no such entry or several, or where the other
 * vault may be on a drive that is away.
 */
async function askMoved(
  shell: Shell,
  clients: readonly FoundClient[],
  { path, name }: VaultChoice,
): Promise<string | undefined> {
  const used = clients.flatMap(({ ours }) => ours.flatMap(({ vault }) => vault ?? []));
  if (used.some((other) => isSameVault(other, path) || isMoved(other, path))) return undefined;
  const [gone, another] = new Set(used.filter(isGone));
  if (gone === undefined || another !== undefined || mayBeAway(gone)) return undefined;
  const question = `Is "${plain(name)}" the vault that was "${plain(gone)}" before? Then what you have set for it stays, such as hidden notes.`;
  return (await askYes(shell, question)) ? gone : undefined;
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
function allowedNow(decided: Omit<Decided, 'allow'>): Allowed | undefined {
  const found = decided.clients.map((client) => allowedBefore(client, decided));
  return leastFirst.find((right) => found.includes(right));
}

/**
 * The entry that holds a client back which does not use this vault yet: one of ours for a vault that
 * does not exist, or one of another server for this vault, if all of them only read. Undefined when
 * none allows less than `now`, or than a new client may do.
 */
function heldTo(decided: Omit<Decided, 'allow'>, now: Allowed | undefined): HeldTo | undefined {
  const { vault, clients } = decided;
  const held = clients
    .filter((client) => allowedBefore(client, decided) === undefined)
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
