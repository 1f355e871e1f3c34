import { homedir } from 'node:os';
import { join } from 'node:path';
import { shellWord } from '../../base/shell-word.ts';
import { VaultError } from '../../base/vault-error.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { commandText } from '../shell/command-text.ts';
import type { Client, ClientId } from './client-places.ts';
import { setJson } from './edit-json.ts';
import { flagsGone } from './join-flags.ts';
import { type Config, readConfig } from './read-config.ts';
import { freeName, namePattern, type Server, type ServerEntry } from './server-entry.ts';

/** What is installed where, and how it is started. */
export interface InstallRequest {
  readonly client: Client;
  readonly vaults: readonly VaultChoice[];
  /** The name of the entry, for a single vault. When it is absent, a free name is chosen. */
  readonly entryName?: string | undefined;
  /** The paths of Node and of our program, which the entry starts. */
  readonly node: string;
  readonly script: string;
  /** The flags for `vaultdoor stdio`, from those of the entry that exists; a new entry has none. */
  readonly flagsFor: (existing: readonly string[]) => readonly string[];
  readonly isSameVault: (a: string, b: string) => boolean;
  /** Whether a vault that does not exist seems to be this one, moved or misspelled. */
  readonly isMoved?: (from: string, to: string) => boolean;
  /** Whether a vault does not exist. */
  readonly isGone?: (path: string) => boolean;
}

/** One entry of a configuration, and what the plan does to it. */
export interface PlannedEntry {
  readonly name: string;
  readonly vault?: string;
  readonly did: 'added' | 'updated' | 'unchanged' | 'removed' | 'put back';
  /** The options with which it starts `vaultdoor stdio`; absent when it has none, or is removed. */
  readonly options?: readonly string[];
  /** The path of its vault before, which does not exist: the vault was moved or misspelled. */
  readonly movedFrom?: string;
  /** The options that it had and has no longer. */
  readonly gone?: readonly string[];
}

/** The new text of a configuration, and what changes in it. */
export interface ConfigPlan {
  readonly text: string;
  readonly entries: readonly PlannedEntry[];
  /** The names of servers that are not ours and name one of the vaults. */
  readonly others?: readonly string[];
  /** Entries of ours for vaults that do not exist, where a new entry was added beside them. */
  readonly stale?: readonly Server[];
  /** The file is removed: Vaultdoor made it, and nothing else is in it. */
  readonly removesFile?: true;
  /** The section from which entries are removed: what backups have in it decides whether they go. */
  readonly section?: string;
}

/**
 * Plans an entry for each vault. Where Vaultdoor has an entry for that vault already, its command,
 * arguments and vault are updated and its other keys stay. The same is done with an entry whose vault
 * seems to have moved here, so that it keeps its options: a second entry would not have the limits of
 * the first. All other entries stay byte for byte.
 */
export function planInstall(
  source: { file: string; text?: string | undefined },
  request: InstallRequest,
): ConfigPlan {
  const { section } = request.client;
  const entries: PlannedEntry[] = [];
  let config = readConfig(source, section);
  for (const vault of request.vaults) {
    const { text, entry } = withVault(config, vault, request);
    entries.push(entry);
    config = readConfig({ file: source.file, text }, section);
  }
  const { isGone = () => false } = request;
  const stale = entries.some(({ did }) => did === 'added')
    ? config.servers.filter(({ isOurs, vault }) => isOurs && vault !== undefined && isGone(vault))
    : [];
  const others = othersFor(config.servers, request).map(nameOf);
  return { text: config.text, entries, others, ...(stale.length === 0 ? {} : { stale }) };
}

/**
 * Sentences about entries for vaults that do not exist, beside which a new one is added: it does not
 * have their options, and what limits an app must not get lost without a word.
 */
export function staleTexts(
  plans: readonly Pick<ConfigPlan, 'stale'>[],
  id: ClientId,
  vault: string,
): readonly string[] {
  return plans.flatMap(({ stale = [] }) =>
    stale.map(({ name, vault: old = '', flags }) => {
      const has =
        flags.length === 0 ? 'that entry' : `that entry, with its options (${typedWords(flags)}),`;
      const command = commandText(['install', id, '--name', name], vault);
      return `"${name}" is for "${old}", which does not exist, and stays as it is. If that is the same vault, correct ${has} in place of adding one: ${command}`;
    }),
  );
}

/**
 * Sentences about entries that get the path of another vault because theirs does not exist, to be said
 * before they are written: their options may give an app more than the vault (`--allow-root`).
 */
export function correctedTexts({ entries }: Pick<ConfigPlan, 'entries'>): readonly string[] {
  return entries.flatMap(({ name, movedFrom, options = [], gone }) => {
    if (movedFrom === undefined) return [];
    const does = gone === undefined ? 'It keeps its options' : 'The options that it has then';
    const rest = options.length === 0 ? '' : ` ${does}: ${typedWords(options)}`;
    return [`"${name}" was for "${movedFrom}", which does not exist.${rest}`];
  });
}

/** Words of a command line as they would be typed. */
export function typedWords(words: readonly string[]): string {
  return words.map((word) => shellWord(word, process.platform)).join(' ');
}

/** A sentence about servers of other programs that work on the same vault; empty without any. */
export function othersText(plans: readonly Pick<ConfigPlan, 'others'>[]): readonly string[] {
  const names = [...new Set(plans.flatMap(({ others = [] }) => others))];
  if (names.length === 0) return [];
  const quoted = names.map((name) => `"${name}"`).join(', ');
  const [verb, them] = names.length === 1 ? ['works', 'it'] : ['work', 'them'];
  return [
    `${quoted} in the same file also ${verb} on this vault. Take ${them} out of the file: otherwise the app has two tools of the same name, and may use the wrong one.`,
  ];
}

function nameOf({ name }: Server): string {
  return name;
}

/** The servers of other programs that name one of the vaults. */
export function othersFor(
  servers: readonly Server[],
  {
    vaults,
    isSameVault,
  }: {
    readonly vaults: readonly { readonly path: string }[];
    readonly isSameVault: InstallRequest['isSameVault'];
  },
): readonly Server[] {
  const isMeant = (word: string): boolean => {
    const path = /^~[\\/]/.test(word) ? join(homedir(), word.slice(1)) : word;
    return vaults.some((vault) => isSameVault(path, vault.path));
  };
  return servers.filter(({ isOurs, words }) => !isOurs && words.some(isMeant));
}

/** The entry with which a client starts Vaultdoor for a vault. */
export function entryFor(
  vault: VaultChoice,
  { client, node, script, flagsFor }: Omit<InstallRequest, 'vaults' | 'isSameVault'>,
  existing: readonly string[] = [],
): ServerEntry {
  return {
    ...(client.saysType ? { type: 'stdio' } : {}),
    command: node,
    args: [script, 'stdio', ...flagsFor(existing)],
    env: { OBSIDIAN_VAULT_PATH: vault.path },
  };
}

function withVault(
  config: Config,
  vault: VaultChoice,
  request: InstallRequest,
): { text: string; entry: PlannedEntry } {
  const { section } = request.client;
  const existing = existingEntry(config, vault, request);
  if (existing === undefined) {
    const taken = config.servers.map(({ name }) => name);
    const name = request.entryName ?? freeName(vault.name, taken);
    const text = setJson(config.text, [section, name], entryFor(vault, request));
    const about = aboutOptions([], request.flagsFor([]));
    return { text, entry: { name, vault: vault.path, did: 'added', ...about } };
  }
  const { name } = existing;
  const { env, ...plain } = entryFor(vault, request, existing.flags);
  let text = config.text;
  for (const [key, value] of Object.entries(plain)) {
    text = setJson(text, [section, name, key], value);
  }
  const { envVault, otherVault, vault: before = vault.path } = existing;
  const isOther = (path: string): boolean => !request.isSameVault(path, vault.path);
  if (envVault === undefined || isOther(envVault)) {
    text = setJson(text, [section, name, 'env', 'OBSIDIAN_VAULT_PATH'], env.OBSIDIAN_VAULT_PATH);
  }
  // The variable named the vault, so it would now contradict the other one.
  if (envVault === undefined && otherVault !== undefined && isOther(otherVault)) {
    text = setJson(text, [section, name, 'env', 'VAULT_PATH'], env.OBSIDIAN_VAULT_PATH);
  }
  const did = text === config.text ? 'unchanged' : 'updated';
  const about = aboutOptions(existing.flags, request.flagsFor(existing.flags));
  const moved = request.isGone?.(before) === true ? { movedFrom: before } : {};
  return { text, entry: { name, vault: vault.path, did, ...moved, ...about } };
}

function aboutOptions(
  before: readonly string[],
  options: readonly string[],
): Pick<PlannedEntry, 'options' | 'gone'> {
  const gone = flagsGone(before, options);
  return { ...(options.length > 0 ? { options } : {}), ...(gone.length > 0 ? { gone } : {}) };
}

/** The entry to update: the one of this name, or ours for the same vault. Undefined if there is none. */
function existingEntry(
  config: Config,
  vault: VaultChoice,
  request: InstallRequest,
): Server | undefined {
  const { entryName } = request;
  if (entryName === undefined) return ourEntry(config.servers, vault.path, request);
  const named = config.servers.find(({ name }) => name === entryName);
  if (named?.isOurs) return named;
  if (named === undefined && namePattern.test(entryName)) return undefined;
  throw named === undefined
    ? new VaultError(
        'invalid_input',
        '--name takes letters, digits, "-" and "_", 64 at most, a letter or a digit first.',
      )
    : new VaultError(
        'already_exists',
        `There is another server called "${entryName}"; choose another --name.`,
        { details: { name: entryName } },
      );
}

/**
 * Our entry for a vault; without one, the only entry whose vault seems to have moved there. Undefined
 * when there is neither.
 */
export function ourEntry(
  servers: readonly Server[],
  path: string,
  { isSameVault, isMoved = () => false }: Pick<InstallRequest, 'isSameVault' | 'isMoved'>,
): Server | undefined {
  const ours = servers.filter(({ isOurs, vault }) => isOurs && vault !== undefined);
  const same = ours.find(({ vault = '' }) => isSameVault(vault, path));
  if (same !== undefined) return same;
  const [moved, another] = ours.filter(({ vault = '' }) => isMoved(vault, path));
  return another === undefined ? moved : undefined;
}
