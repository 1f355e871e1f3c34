import { resolve } from 'node:path';
import type { VaultErrorCode } from '../../base/vault-error.ts';
import type { WantedContent } from '../call/content-at.ts';
import type { ContentSource } from '../call/parse-command.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hideInVaults, type ServerOptions } from '../options/server-options.ts';

/**
 * The first line that `vaultdoor stdio --attach` sends to a server: what it would serve by itself, and
 * with which options. Both programs must have the same version, so there is nothing optional to
 * negotiate.
 */
export interface Hello {
  readonly vaultdoor: 1;
  readonly version: string;
  /** With their real paths. */
  readonly vaults: readonly VaultChoice[];
  readonly tools: ServerOptions['toolsets'];
  readonly rights: ServerOptions['rights'];
  /** Only when the program was started with a number of its own; otherwise the server's holds. */
  readonly brakeFiles?: number;
  /** As paths in the vaults. */
  readonly hide: readonly string[];
  readonly hideTags: readonly string[];
  readonly hideProperties: readonly string[];
  /** As absolute paths, sorted. */
  readonly allowRoots: readonly string[];
  readonly tagPolicy: ServerOptions['tagPolicy'];
  readonly history: boolean;
  readonly contextEveryMs: number;
  readonly contextPlace: ServerOptions['contextPlace'];
  readonly contextBodyTags: boolean;
  readonly deadlineMs: number;
  readonly toolDeadlinesMs: readonly (readonly [string, number])[];
  readonly poll: ServerOptions['poll'];
  readonly logReads: boolean;
  readonly notify?: ServerOptions['notify'];
  readonly sync?: ServerOptions['sync'];
  /** With the checkout as an absolute path. */
  readonly publish?: ServerOptions['publish'];
  /** As an absolute path. */
  readonly attachFrom?: string;
  readonly embed?: ServerOptions['embed'];
}

/** The one line that answers a `Hello`. After it, both sides speak MCP as over stdin and stdout. */
export type HelloAnswer =
  | { readonly ok: true; readonly pid: number }
  | { readonly ok: false; readonly reason: string };

/**
 * The line with which `vaultdoor console` asks a running server of any version for a link to its
 * console. The answer is a `HelloAnswer` with `link`, after which the server hangs up.
 */
export const consoleHello = JSON.stringify({ vaultdoor: 1, asks: 'console' });

/** Whether the first line of a program asks for a link to the console. */
export function asksForConsole(line: string): boolean {
  return line === consoleHello;
}

/**
 * The last byte that each side sends: the client when its input has ended, and the server when
 * everything is answered. It cannot be part of JSON. A connection that ends without the server's was
 * cut off: the server was stopped, or died. The client cannot end its sending side instead: Windows
 * closes both directions of a pipe then, and the last answers would be lost.
 */
export const endMark = 0x04;

/** The hello of a program that was started with these options. */
export function helloOf(parts: {
  readonly version: string;
  readonly options: ServerOptions;
  /** With the paths as they were given. */
  readonly choices: readonly VaultChoice[];
  /** The same vaults with their real paths. */
  readonly vaults: readonly VaultChoice[];
  readonly currentFolder: string;
}): Hello {
  const { version, options, choices, vaults, currentFolder } = parts;
  const folders = choices.map(({ path }) => path);
  const { brake, sync, notify, embed } = options;
  return {
    vaultdoor: 1,
    version,
    vaults,
    tools: options.toolsets,
    rights: options.rights,
    ...(typeof brake === 'number' ? { brakeFiles: brake } : {}),
    hide: hideInVaults(options.hide, folders),
    hideTags: options.hideTags,
    hideProperties: options.hideProperties,
    allowRoots: absolutePaths(options.allowRoots, currentFolder),
    tagPolicy: options.tagPolicy,
    history: options.history,
    contextEveryMs: options.contextEveryMs,
    contextPlace: options.contextPlace,
    contextBodyTags: options.contextBodyTags,
    deadlineMs: options.deadlineMs,
    toolDeadlinesMs: [...options.toolDeadlinesMs],
    poll: options.poll,
    logReads: options.logReads,
    ...(notify === undefined ? {} : { notify }),
    ...(sync === undefined ? {} : { sync }),
    ...publishOf(options, currentFolder),
    ...attachFromOf(options, currentFolder),
    ...(embed === undefined ? {} : { embed }),
  };
}

/** The folders as sorted absolute paths, so that those of two processes can be compared. */
export function absolutePaths(paths: readonly string[], currentFolder: string): readonly string[] {
  return paths.map((path) => resolve(currentFolder, path)).sort();
}

/** The options of `adr_publish`, with the checkout as an absolute path. */
export function publishOf(
  { publish }: ServerOptions,
  currentFolder: string,
): Pick<Hello, 'publish'> {
  if (publish === undefined) return {};
  return { publish: { ...publish, checkout: resolve(currentFolder, publish.checkout) } };
}

/** The folder of `--attach-from`, as an absolute path. */
export function attachFromOf(
  { attachFrom }: ServerOptions,
  currentFolder: string,
): Pick<Hello, 'attachFrom'> {
  return attachFrom === undefined ? {} : { attachFrom: resolve(currentFolder, attachFrom) };
}

/**
 * The first line of a command that asks a running server to do it. The server answers it with a
 * `HelloAnswer` before it has done anything; only then does it get the `AskedCommand`.
 */
export function commandHello(version: string): string {
  return JSON.stringify({ vaultdoor: 1, version, asks: 'command' });
}

/** A command, with everything of its process that its output depends on. */
export interface AskedCommand {
  readonly argv: readonly string[];
  readonly currentFolder: string;
  /** Only the variables in `commandVariables`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which streams are terminals, and how wide the output is. */
  readonly terminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
    readonly columns?: number;
  };
  readonly surroundings: Surroundings;
}

/** What a server cannot take over from a command: a command whose values differ works alone. */
export interface Surroundings {
  readonly timeZone: string;
  readonly minutesFromUtc: number;
  /** Decides who may read new files. */
  readonly umask: number;
  /** Where deleted files may go. */
  readonly dataFolder: string;
}

/** The variables that the output of commands depends on. */
export const commandVariables = [
  'NO_COLOR',
  'FORCE_COLOR',
  'CLICOLOR',
  'CLICOLOR_FORCE',
  'TERM',
  'VAULTDOOR_SESSION',
  'OBSIDIAN_VAULT_PATH',
  'VAULT_PATH',
  'HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
] as const;

/** What this process has in common with a server that may do its commands. */
export function surroundingsOf(env: Readonly<Record<string, string | undefined>>): Surroundings {
  return {
    timeZone: env['TZ'] ?? '',
    minutesFromUtc: new Date().getTimezoneOffset(),
    umask: process.umask(),
    dataFolder: env['XDG_DATA_HOME'] ?? '',
  };
}

/** What the server says while it does a command, one JSON per line; `end` or `alone` comes last. */
export type CommandNews =
  /** The server cannot do it and has done nothing. */
  | { readonly is: 'alone' }
  | { readonly is: 'stdout'; readonly text: string }
  | { readonly is: 'stderr'; readonly text: string }
  /** Asks the person at the terminal; the command answers with `CommandReply`. */
  | { readonly is: 'ask'; readonly question: string; readonly enter?: 'yes' | undefined }
  /** Asks for the text from stdin or from a file, which the command reads itself. */
  | { readonly is: 'read'; readonly source: ContentSource; readonly wanted: WantedContent }
  | { readonly is: 'end'; readonly code: number };

/** What the command answers to `ask` and `read`; it is one JSON per line, too. */
export type CommandReply =
  | { readonly is: 'answer'; readonly yes: boolean }
  | { readonly is: 'content'; readonly text: string }
  | { readonly is: 'failed'; readonly code: VaultErrorCode; readonly message: string }
  /** The person has pressed Ctrl-C. */
  | { readonly is: 'abort' };
