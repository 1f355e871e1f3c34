import { VaultError } from '../../base/vault-error.ts';
import { ProgramArguments } from '../options/program-arguments.ts';
import type { FlagKind } from '../options/split-arguments.ts';
import { type ClientId, clientIds, noSuchApp } from './client-places.ts';
import { behindDashes } from './join-flags.ts';

/** The options of `vaultdoor install` and `vaultdoor uninstall`. */
export interface InstallOptions {
  /** Absent when no client is named: the command then lists the clients. */
  readonly client?: ClientId;
  readonly vaults: readonly string[];
  readonly name?: string;
  /** Whether to edit the file of the project in the current folder instead of the user's. */
  readonly project: boolean;
  /** Absent when neither is given: a person at a terminal is asked, a script gets a dry run. */
  readonly mode?: 'write' | 'dry-run';
  readonly json: boolean;
  /** The flags after `--`, which the entry passes to `vaultdoor stdio`. */
  readonly flags: readonly string[];
  /** Whether they replace all flags of an entry that exists; otherwise they are added to them. */
  readonly replacesFlags: boolean;
}

const kinds: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'list'],
  ['name', 'value'],
  ['project', 'switch'],
  ['write', 'switch'],
  ['yes', 'switch'],
  ['dry-run', 'switch'],
  ['replace-options', 'switch'],
  ['json', 'switch'],
];

/**
 * Reads the arguments after `install` or `uninstall`. Fails with `invalid_input` and what to write
 * instead.
 */
export function readInstallOptions(
  command: 'install' | 'uninstall',
  argv: readonly string[],
): InstallOptions {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const named = clientIds.find((id) => own.includes(id)) ?? clientIds[0];
  const instead = command === 'install' ? behindDashes(named) : undefined;
  const args = new ProgramArguments(command, own, kinds, instead);
  const [word, more] = args.positionals;
  if (more !== undefined) throw refusal(`"${more}" is one argument too many; name one app.`);
  const client = clientIds.find((id) => id === word);
  if (word !== undefined && client === undefined) {
    throw noSuchApp(word);
  }
  const isMoreAsked = end !== -1 || kinds.some(([flag]) => flag !== 'json' && args.has(flag));
  if (word === undefined && isMoreAsked) {
    throw refusal(`Name an app: ${clientIds.join(', ')}.`);
  }
  if (command === 'uninstall' && end !== -1) {
    throw refusal('"uninstall" takes no flags for "vaultdoor stdio"; leave "--" out.');
  }
  if (command === 'uninstall' && args.has('replace-options')) {
    throw refusal('"uninstall" takes no --replace-options; it removes the whole entry.');
  }
  const writes = (['write', 'yes'] as const).find((flag) => args.has(flag));
  if (writes !== undefined && args.has('dry-run')) {
    throw refusal(`--${writes} and --dry-run contradict each other; give one of them.`);
  }
  const name = args.value('name');
  return {
    ...(client === undefined ? {} : { client }),
    vaults: args.list('vault'),
    ...(name === undefined ? {} : { name }),
    project: args.has('project'),
    ...(writes !== undefined ? { mode: 'write' } : args.has('dry-run') ? { mode: 'dry-run' } : {}),
    json: args.has('json'),
    flags: end === -1 ? [] : argv.slice(end + 1),
    replacesFlags: args.has('replace-options'),
  };
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}
