import { join, resolve } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { type EmbedOptions, readEmbed } from './embed-options.ts';
import { readGoFlags } from './go-flags.ts';

/** The options of `vaultdoor daemon`. */
export interface DaemonOptions {
  /** Absolute; symlinks in it are not resolved. */
  readonly vaultRoot: string;
  readonly socket: string;
  readonly tokenFile: string;
  /** The folder of the default paths, made for the daemon alone; absent when HOME is not set. */
  readonly ownFolder?: string;
  /** Whether it is kept which files clients read. */
  readonly logReads: boolean;
  readonly verbose: boolean;
  /** How many files a client may delete or overwrite whole before the owner is asked. */
  readonly brakeFiles?: number;
  /** The embedding model for searches by meaning. */
  readonly embed?: EmbedOptions;
}

/** The folder in a user's home where clients look for a daemon. */
export const remoteFolder = '.obsidian-remote';
export const socketName = 'server.sock';
export const tokenName = 'token';

/**
 * Reads the arguments after `daemon`; answers `'version'` for `--version`. Fails with `invalid_input`
 * for wrong flags, and with `unavailable` when the default paths are needed and HOME is not set.
 */
export function readDaemonOptions(
  argv: readonly string[],
  { home, currentFolder }: { readonly home: string | undefined; readonly currentFolder: string },
): DaemonOptions | 'version' {
  const flags = readGoFlags(argv, {
    'vault-root': 'text',
    socket: 'text',
    'token-file': 'text',
    'log-reads': 'switch',
    verbose: 'switch',
    brake: 'text',
    embed: 'text',
    'embed-model': 'text',
    'embed-api': 'text',
    'embed-key-file': 'text',
    'embed-package': 'text',
    version: 'switch',
  });
  if (flags.version === true) return 'version';
  const vaultRoot = flags['vault-root'];
  if (!vaultRoot) {
    throw new VaultError('invalid_input', '"--vault-root" is missing: the folder of your notes.');
  }
  const embed = readEmbed((flag) => (flags[flag] === undefined ? undefined : String(flags[flag])));
  const ownFolder = home ? join(home, remoteFolder) : undefined;
  const pathOf = (given: string | boolean | undefined, name: string): string => {
    if (given) return resolve(currentFolder, String(given));
    if (ownFolder !== undefined) return join(ownFolder, name);
    throw new VaultError(
      'unavailable',
      'HOME is not set, so there are no default paths; give "--socket" and "--token-file".',
    );
  };
  return {
    vaultRoot: resolve(currentFolder, String(vaultRoot)),
    socket: pathOf(flags.socket, socketName),
    tokenFile: pathOf(flags['token-file'], tokenName),
    ...(ownFolder === undefined ? {} : { ownFolder }),
    logReads: flags['log-reads'] === true,
    verbose: flags.verbose === true,
    ...(embed === undefined ? {} : { embed }),
    ...brakeOf(String(flags.brake ?? 'off')),
  };
}

/** The value of `--brake`, which is off unless given: the plugin writes each note that is saved. */
function brakeOf(given: string): Pick<DaemonOptions, 'brakeFiles'> {
  if (given === 'off') return {};
  if (/^\d{1,9}$/.test(given)) return { brakeFiles: Number(given) };
  throw new VaultError('invalid_input', '"--brake" takes a number of files, or "off".');
}
