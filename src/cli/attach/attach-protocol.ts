import { resolve } from 'node:path';
import type { VaultChoice } from '../options/choose-vault.ts';
import { hideInVaults } from '../options/hide-in-vaults.ts';
import type { ServerOptions } from '../options/server-options.ts';

/**
 * The first line that a program sends to a server that it wants to share: what it would serve by
 * itself, and how. Both are of one version, so it says exactly what that version knows.
 */
export interface Hello {
  readonly vaultdoor: 1;
  readonly version: string;
  /** Their names, and their real paths. */
  readonly vaults: readonly VaultChoice[];
  readonly tools: ServerOptions['toolsets'];
  readonly readOnly: boolean;
  /** As seen from the vaults. */
  readonly hide: readonly string[];
  /** As whole paths, in order. */
  readonly allowRoots: readonly string[];
  readonly tagPolicy: ServerOptions['tagPolicy'];
  readonly history: boolean;
  readonly contextEveryMs: number;
  readonly deadlineMs: number;
  readonly toolDeadlinesMs: readonly (readonly [string, number])[];
  readonly poll: ServerOptions['poll'];
  readonly sync?: ServerOptions['sync'];
  /** With the checkout as a whole path. */
  readonly publish?: ServerOptions['publish'];
}

/** The one line that answers it. From then on both sides speak MCP, as over stdin and stdout. */
export type HelloAnswer =
  | { readonly ok: true; readonly pid: number }
  | { readonly ok: false; readonly reason: string };

/**
 * The last byte of a connection where everything is answered. JSON has no such byte. A connection
 * that ends without it was cut off: the server was stopped, or died.
 */
export const endMark = 0x04;

/** What a program that was started with these options would serve. */
export function helloOf(parts: {
  readonly version: string;
  readonly options: ServerOptions;
  /** As they were chosen, */
  readonly choices: readonly VaultChoice[];
  /** and with their real paths. */
  readonly vaults: readonly VaultChoice[];
  readonly currentFolder: string;
}): Hello {
  const { version, options, choices, vaults, currentFolder } = parts;
  const folders = choices.map(({ path }) => path);
  const { sync } = options;
  return {
    vaultdoor: 1,
    version,
    vaults,
    tools: options.toolsets,
    readOnly: options.readOnly,
    hide: hideInVaults(options.hide, folders),
    allowRoots: wholePaths(options.allowRoots, currentFolder),
    tagPolicy: options.tagPolicy,
    history: options.history,
    contextEveryMs: options.contextEveryMs,
    deadlineMs: options.deadlineMs,
    toolDeadlinesMs: [...options.toolDeadlinesMs],
    poll: options.poll,
    ...(sync === undefined ? {} : { sync }),
    ...publishOf(options, currentFolder),
  };
}

/** Folders as they were given, so that those of two processes can be compared. */
export function wholePaths(paths: readonly string[], currentFolder: string): readonly string[] {
  return paths.map((path) => resolve(currentFolder, path)).sort();
}

/** Where decisions are published, as a whole path. */
export function publishOf(
  { publish }: ServerOptions,
  currentFolder: string,
): Pick<Hello, 'publish'> {
  if (publish === undefined) return {};
  return { publish: { ...publish, checkout: resolve(currentFolder, publish.checkout) } };
}
