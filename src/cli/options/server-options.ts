import { allScopes, type Scopes, type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { type LogLevel, logLevels } from '../../base/logger.ts';
import { type TagPolicy, tagPolicies } from '../../engine/decide/tag-policy.ts';
import type { SyncDirection } from '../../engine/ports/vault-sync.ts';
import { readNotifyTarget } from '../../node/owner/notify-target.ts';
import type { PublishMode } from '../../node/programs/git/git-publisher.ts';
import type { PollChoice } from '../../node/threads/worker-data.ts';
import type { VaultVariables } from './choose-vault.ts';
import { type EmbedOptions, embedFlags, readEmbed } from './embed-options.ts';
import { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** The options that `vaultdoor stdio` and `vaultdoor serve` share. */
export interface ServerOptions {
  /** The values of `--vault`; none when the environment or the current folder says which vault. */
  readonly vaults: readonly string[];
  readonly vaultVariables: VaultVariables;
  readonly toolsets: readonly ServedToolset[];
  /** The toolsets of another door of the same server; `--timeout` may name their tools too. */
  readonly otherToolsets?: readonly ServedToolset[];
  /** Whether to start although vaults do not exist yet; each is opened as soon as it does. */
  readonly waitForVault: boolean;
  readonly allowRoots: readonly string[];
  readonly hide: readonly string[];
  /** Tags and properties of notes that are hidden, as `Scopes` has them. */
  readonly hideTags: readonly string[];
  readonly hideProperties: readonly string[];
  /** What clients may do: everything, only read, or read and propose changes. */
  readonly rights: Scopes['effects'];
  /** After how many files that a client deletes or overwrites the owner is asked; absent unless given. */
  readonly brake?: number | 'off';
  readonly tagPolicy: TagPolicy;
  /** How long a client must be idle before it gets the context of the vault again; 0 for never. */
  readonly contextEveryMs: number;
  /** Where that context stands: behind the first result's text, in a content item of its own, nowhere. */
  readonly contextPlace: (typeof contextPlaces)[number];
  /** Whether it also lists notes that have the tag "claude" only in their text. */
  readonly contextBodyTags: boolean;
  /** Whether the tools `list_changes` and `undo_change` are offered. */
  readonly history: boolean;
  /** How long a call may take. */
  readonly deadlineMs: number;
  /** How long a call of a certain tool may take. */
  readonly toolDeadlinesMs: ReadonlyMap<string, number>;
  readonly logLevel: LogLevel;
  readonly poll: PollChoice;
  /** Whether it is kept which files clients read. */
  readonly logReads: boolean;
  /** How the owner is told that something waits; absent when they are not. */
  readonly notify?: NotifyOptions;
  /** The folder from which clients may add attachments by name; absent when there is none. */
  readonly attachFrom?: string;
  /** The embedding model for searches by meaning; absent when there is none. */
  readonly embed?: EmbedOptions;
  /** What the tool `vault_sync` does; absent when the tool is not offered. */
  readonly sync?: SyncOptions;
  /** Where the tool `adr_publish` writes; absent when the tool is not offered. */
  readonly publish?: PublishOptions;
}

/** At least one of them. */
export interface NotifyOptions {
  /** As `readNotifyTarget` takes it. */
  readonly url?: string;
  /** A program, by its path or by its name on PATH. */
  readonly command?: string;
}

export interface SyncOptions {
  readonly direction: SyncDirection;
  /** As rclone takes it: `remote:path`, or a folder. */
  readonly remote: string;
}

export interface PublishOptions {
  readonly checkout: string;
  readonly mode: PublishMode;
  /** Whether git may run the hooks and filters of the checkout. */
  readonly hooks: boolean;
}

export const syncDirections: readonly SyncDirection[] = ['pull', 'push', 'bisync'];
export const publishModes: readonly PublishMode[] = ['commit', 'push', 'pull-request'];
export const contextPlaces = ['glued', 'item', 'off'] as const;
const polls: Readonly<Record<string, PollChoice>> = { auto: 'auto', always: true, never: false };

/** The options that they share, and what each takes. */
export const serverFlags: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'list'],
  ['wait-for-vault', 'switch'],
  ['allow-root', 'list'],
  ['tools', 'value'],
  ['hide', 'list'],
  ['hide-tag', 'list'],
  ['hide-property', 'list'],
  ['read-only', 'switch'],
  ['propose', 'switch'],
  ['brake', 'value'],
  ['tag-policy', 'value'],
  ['context-every', 'value'],
  ['context', 'value'],
  ['context-body-tags', 'switch'],
  ['no-history-tools', 'switch'],
  ['sync', 'value'],
  ['sync-remote', 'value'],
  ['adr-repo', 'value'],
  ['adr-publish', 'value'],
  ['adr-hooks', 'switch'],
  ['attach-from', 'value'],
  ...embedFlags,
  ['timeout', 'list'],
  ['log-level', 'value'],
  ['poll', 'value'],
  ['log-reads', 'switch'],
  ['notify', 'value'],
  ['notify-command', 'value'],
];

/** A program that serves vaults: its name, its default toolset, and options of its own. */
interface ServerProgram {
  readonly name: string;
  readonly toolset: ServedToolset;
  readonly vaultVariables: VaultVariables;
  readonly flags?: readonly (readonly [string, FlagKind])[];
}

/**
 * Reads the arguments after a program's name. Fails with `invalid_input` and what to write instead.
 * `args` has the program's own options.
 */
export function readServerOptions(
  program: ServerProgram,
  argv: readonly string[],
): { readonly options: ServerOptions; readonly args: ProgramArguments } {
  const args = new ProgramArguments(program.name, argv, [...serverFlags, ...(program.flags ?? [])]);
  if (args.positionals.length > 0) throw args.refusal(`"${program.name}" takes options only.`);
  const minutes = args.number('context-every');
  const embed = readEmbed((flag) => args.value(flag));
  const sync = syncOf(args);
  const publish = publishOf(args);
  const toolsets = args.several('tools', servedToolsets) ?? [program.toolset];
  if ((sync !== undefined || publish !== undefined) && !toolsets.includes('agent')) {
    throw args.refusal('"--sync" and "--adr-repo" are for the tools of "--tools agent".');
  }
  const options: ServerOptions = {
    vaults: args.list('vault'),
    vaultVariables: program.vaultVariables,
    toolsets,
    waitForVault: args.has('wait-for-vault'),
    allowRoots: args.list('allow-root'),
    hide: args.list('hide'),
    hideTags: hiddenTags(args),
    hideProperties: hiddenProperties(args),
    rights: rightsOf(args),
    ...brakeOf(args, args.value('brake')),
    tagPolicy: args.choice('tag-policy', tagPolicies) ?? 'enforce',
    contextEveryMs: minutes === undefined ? limits.contextEveryMs : 60_000 * minutes,
    contextPlace: args.choice('context', contextPlaces) ?? 'glued',
    contextBodyTags: args.has('context-body-tags'),
    history: !args.has('no-history-tools'),
    ...deadlinesOf(args),
    logLevel: args.choice('log-level', logLevels) ?? 'info',
    poll: polls[args.choice('poll', Object.keys(polls)) ?? 'auto'] ?? 'auto',
    logReads: args.has('log-reads'),
    ...notifyOf(args),
    ...attachFromOf(args),
    ...(embed === undefined ? {} : { embed }),
    ...(sync === undefined ? {} : { sync }),
    ...(publish === undefined ? {} : { publish }),
  };
  return { options, args };
}

function rightsOf(args: ProgramArguments): Scopes['effects'] {
  if (!args.has('propose')) return args.has('read-only') ? ['read'] : allScopes.effects;
  if (!args.has('read-only')) return ['read', 'propose'];
  throw args.refusal('"--read-only" and "--propose" contradict each other; give one of them.');
}

function brakeOf(args: ProgramArguments, given: string | undefined): Pick<ServerOptions, 'brake'> {
  if (given === undefined) return {};
  if (given === 'off') return { brake: given };
  if (/^\d{1,9}$/.test(given)) return { brake: Number(given) };
  throw args.refusal('"--brake" takes a number of files, or "off".');
}

/**
 * Globs of `--hide` as paths in the vaults. People paste the absolute path of a private folder, which
 * would match nothing, so a vault's folder at the beginning is cut off.
 */
export function hideInVaults(
  globs: readonly string[],
  folders: readonly string[],
): readonly string[] {
  const prefixes = folders.map((folder) => `${folder.replaceAll('\\', '/').replace(/\/$/, '')}/`);
  return globs.map((given) => {
    const glob = given.replaceAll('\\', '/');
    const prefix = prefixes.find((each) => each !== '/' && glob.startsWith(each));
    return prefix === undefined ? given : glob.slice(prefix.length);
  });
}

/** The tags of `--hide-tag`, without `#`. A value that no tag can have would hide nothing. */
function hiddenTags(args: ProgramArguments): readonly string[] {
  return args.list('hide-tag').map((given) => {
    const [, tag] = /^\s*#?([^\s#,]+?)\/*\s*$/.exec(given) ?? [];
    if (tag === undefined) throw args.refusal('"--hide-tag" takes one tag, such as "private".');
    return tag;
  });
}

/** The properties of `--hide-property`, each with its value. */
function hiddenProperties(args: ProgramArguments): readonly string[] {
  return args.list('hide-property').map((given) => {
    if (/^\s*[^\s=]/.test(given) && given.includes('=')) return given;
    throw args.refusal('"--hide-property" takes a name and a value, such as "status=private".');
  });
}

/** The values of `--timeout`: `30` is for all tools, `search_notes=60` for one. The last one wins. */
function deadlinesOf(
  args: ProgramArguments,
): Pick<ServerOptions, 'deadlineMs' | 'toolDeadlinesMs'> {
  const toolDeadlinesMs = new Map<string, number>();
  let deadlineMs: number = limits.callDeadlineMs;
  for (const word of args.list('timeout')) {
    const { tool, seconds = '' } = /^(?:(?<tool>\w+)=)?(?<seconds>.*)$/.exec(word)?.groups ?? {};
    const ms = 1_000 * (args.number('timeout', seconds) ?? 0);
    if (ms === 0) throw args.refusal('"--timeout" must be more than 0 seconds.');
    if (tool === undefined) deadlineMs = ms;
    else toolDeadlinesMs.set(tool, ms);
  }
  return { deadlineMs, toolDeadlinesMs };
}

function attachFromOf(args: ProgramArguments): Pick<ServerOptions, 'attachFrom'> {
  const folder = args.value('attach-from');
  if (folder === undefined) return {};
  if (folder.trim() === '') throw args.refusal('"--attach-from" needs a folder.');
  return { attachFrom: folder };
}

function notifyOf(args: ProgramArguments): Pick<ServerOptions, 'notify'> {
  const url = args.value('notify');
  const command = args.value('notify-command');
  if (url !== undefined) readNotifyTarget(url);
  if (command === '') throw args.refusal('"--notify-command" needs a program.');
  if (url === undefined && command === undefined) return {};
  return {
    notify: {
      ...(url === undefined ? {} : { url }),
      ...(command === undefined ? {} : { command }),
    },
  };
}

function syncOf(args: ProgramArguments): SyncOptions | undefined {
  const direction = args.choice('sync', syncDirections);
  const remote = args.value('sync-remote');
  if (direction === undefined && remote === undefined) return undefined;
  if (direction === undefined || !remote) {
    throw args.refusal('"--sync" and "--sync-remote" must be given together.');
  }
  // rclone would take it for an option.
  if (remote.startsWith('-')) throw args.refusal('"--sync-remote" cannot begin with a dash.');
  return { direction, remote };
}

function publishOf(args: ProgramArguments): PublishOptions | undefined {
  const checkout = args.value('adr-repo');
  const mode = args.choice('adr-publish', publishModes);
  const hooks = args.has('adr-hooks');
  if (checkout === undefined && mode === undefined && !hooks) return undefined;
  if (!checkout) {
    const option = hooks ? '--adr-hooks' : '--adr-publish';
    throw args.refusal(`"${option}" needs "--adr-repo <folder>".`);
  }
  return { checkout, mode: mode ?? 'commit', hooks };
}
