import { resolve } from 'node:path';
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
 * The last byte that the server sends, when everything is answered. It cannot be part of JSON. A
 * connection that ends without it was cut off: the server was stopped, or died.
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
  const { brake, sync, notify } = options;
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
