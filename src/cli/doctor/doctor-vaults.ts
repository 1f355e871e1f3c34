import { basename } from 'node:path';
import { limits } from '../../base/limits.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { type VaultFolders, vaultFolders } from '../../node/place/vault-folders.ts';
import { runProgram } from '../../node/programs/run-program.ts';
import { chooseVaults, isUnnamed, type VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import type { ClientFile } from './client-files.ts';
import { hidden, known, type Said, said } from './finding.ts';
import type { VaultLook } from './look-at-vault.ts';

/** A vault that is examined, and who names it. */
export interface NamedVault {
  readonly path: string;
  /** Its name in sentences. A report has a number in its place. */
  readonly name: Said;
  readonly from: Said;
  /** Whether it was asked for: then it must be there. */
  readonly isChosen: boolean;
  /** Whether the file of a client names it. */
  readonly isOfClient?: true;
}

/** A vault with what a look at its folder has found. */
export interface SeenVault extends NamedVault {
  readonly look: VaultLook;
  /** Where its state and its index are; absent when the vault cannot be opened. */
  readonly folders?: VaultFolders;
}

/**
 * The vaults to examine: those of `--vault`, the environment or the current folder; without any, that of
 * the server which setup has made, all that the files of clients name, and those in Obsidian's own list. Fails as `chooseVaults` does, but
 * not when nothing names a vault.
 */
export function namedVaults(
  shell: Pick<Shell, 'env' | 'currentFolder'>,
  parts: {
    readonly flags: readonly string[];
    /** The vault of the server that setup has made; undefined when there is none. */
    readonly served?: string | undefined;
    readonly clients: readonly ClientFile[];
    /** The vaults that Obsidian knows. */
    readonly listed: readonly string[];
  },
): readonly NamedVault[] {
  const { flags, served, clients, listed } = parts;
  try {
    const from = originOf(flags, shell.env);
    return chooseVaults(flags, shell).map((choice, at) =>
      named(choice, at, { from, isChosen: true }),
    );
  } catch (error) {
    if (!isUnnamed(error)) throw error;
  }
  const ofClients = clients.flatMap(({ title, entries }) =>
    entries.flatMap(({ vault }) =>
      vault === undefined
        ? []
        : [{ path: vault, from: said`${known(title)} has it`, isOfClient: true as const }],
    ),
  );
  const all: readonly Pick<NamedVault, 'path' | 'from' | 'isOfClient'>[] = [
    ...(served === undefined ? [] : [{ path: served, from: said`the server of setup has it` }]),
    ...ofClients,
    ...listed.map((path) => ({ path, from: said`Obsidian's list has it` })),
  ];
  const once = new Map<string, (typeof all)[number]>();
  for (const vault of all) if (!once.has(vault.path)) once.set(vault.path, vault);
  return Array.from(once.values())
    .slice(0, limits.doctorVaultsMax)
    .map(({ path, from, ...rest }, at) =>
      named(
        { name: basename(path) || path, path },
        at,
        // The server does not work without its vault.
        { from, isChosen: path === served, ...rest },
      ),
    );
}

function named(
  { name, path }: VaultChoice,
  at: number,
  rest: Pick<NamedVault, 'from' | 'isChosen' | 'isOfClient'>,
): NamedVault {
  return { path, name: hidden(`"${name}"`, `vault ${at + 1}`), ...rest };
}

function originOf(flags: readonly string[], env: Shell['env']): Said {
  if (flags.length > 0) return said`--vault names it`;
  const variable = ['OBSIDIAN_VAULT_PATH', 'VAULT_PATH'].find((name) => env[name]);
  if (variable !== undefined) return said`${known(variable)} names it`;
  return said`it is the current folder`;
}

/** Looks at vaults, each in a process of its own, which is ended when a drive does not answer. */
export function lookAtVaults(
  shell: Pick<Shell, 'env' | 'entryFile' | 'signal'>,
): (path: string, how: 'whole' | 'brief') => Promise<VaultLook> {
  const turns = new Semaphore(limits.doctorLooksMax);
  return (path, how) => turns.run(() => look(shell, path, how), shell.signal);
}

/** The vault with what the look has found, and where its state and index are. */
export function seen(vault: NamedVault, look: VaultLook, env: Shell['env']): SeenVault {
  if ('fault' in look) return { ...vault, look };
  return { ...vault, look, folders: vaultFolders(look.real, env, process.platform) };
}

async function look(
  { env, entryFile, signal }: Pick<Shell, 'env' | 'entryFile' | 'signal'>,
  path: string,
  how: 'whole' | 'brief',
): Promise<VaultLook> {
  const words = [entryFile, 'doctor', `--look=${path}`, ...(how === 'brief' ? ['--brief'] : [])];
  try {
    const { stdout } = await runProgram(process.execPath, words, {
      env,
      signal,
      deadlineMs: limits.doctorLookMs,
      outputBytesMax: limits.doctorAnswerBytesMax,
      says: { late: 'late', tooMuch: 'It printed too much.', stopped: '' },
    });
    return JSON.parse(new TextDecoder().decode(stdout)) as VaultLook;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof VaultError && error.code === 'timeout') {
      return { fault: 'silent', message: 'Its drive does not answer.' };
    }
    return { fault: 'refused', message: toVaultError(error).message };
  }
}
