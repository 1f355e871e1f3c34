import { posix, win32 } from 'node:path';
import { VaultError } from '../../base/vault-error.ts';
import { plain } from '../../tools/cli/text.ts';
import type { Machine } from '../install/client-places.ts';
import { existing, obsidianVaults, textOf } from '../install/known-vaults.ts';
import { isMoved, thisMachine } from '../install/this-machine.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import { askQuestion, askYes, numbered } from '../setup/ask-question.ts';
import { findClients } from '../setup/found-clients.ts';
import { serviceFiles, settingsIn } from '../setup/service-files.ts';
import { movedVaults } from '../setup/setup-vault.ts';
import type { Shell } from '../shell/shell.ts';

/**
 * All vaults that are known on this machine and exist: those in Obsidian's list, those that apps use,
 * and the one of the server of `setup --server`. The first is the one that a person most likely means:
 * one that is open in Obsidian, else one that an app or the server uses. `away` is that one when it
 * does not exist now, for example because it is on a drive that is not connected. Where no vault exists,
 * those in the home folder that one of them may be now.
 */
async function vaultsHere(
  machine: Machine,
): Promise<{ readonly vaults: readonly VaultChoice[]; readonly away?: string }> {
  const listed = obsidianVaults(machine);
  const open = listed.filter(({ isOpen }) => isOpen).map(({ path }) => path);
  const clients = await findClients(machine);
  const used = clients.flatMap(({ ours }) => ours.flatMap(({ vault }) => vault ?? []));
  const served = settingsIn(textOf(serviceFiles(machine).env))?.settings['VAULT_PATH'] ?? [];
  const { isAbsolute } = machine.platform === 'win32' ? win32 : posix;
  const all = [...open, ...used, served, ...listed.map(({ path }) => path)].flat();
  const paths = all.filter((path) => isAbsolute(path));
  const there = existing(paths, machine);
  const [first] = paths;
  const isAway = first !== undefined && existing([first], machine).length === 0;
  return {
    vaults: there.length > 0 ? there : existing(movedVaults(paths, machine.home), machine),
    ...(isAway ? { away: first } : {}),
  };
}

/** At most this many vaults are named in a message. */
const namedMax = 9;

/**
 * The vault that a command means where nothing names one: the only one that is known on this machine,
 * or the one that a person chooses among several. Fails with `invalid_input` when several are known
 * and there is no terminal to ask at, and with `cancelled` when the person presses Ctrl-C. A server
 * that a script or an app starts gets no vault this way: it has to name the vault that it serves.
 */
export async function meantVault(
  shell: Shell,
  {
    json,
    isServer,
    reason,
  }: {
    readonly json: boolean;
    readonly isServer: boolean;
    /** The message without the vaults that are known. */
    readonly reason: string;
  },
): Promise<{ readonly path: string; readonly isOnly: boolean }> {
  const { stdin, stdout, stderr } = shell;
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true && stderr.isTTY === true;
  const { vaults, away } = await vaultsHere(thisMachine(shell));
  const [first, second] = vaults;
  const isOnly = first !== undefined && second === undefined;
  if (isOnly && away === undefined && (isTerminal || !isServer)) {
    if (stderr.isTTY) stderr.write(`Vault: ${plain(first.path)}\n`);
    return { path: first.path, isOnly: true };
  }
  if (isOnly && away !== undefined && isTerminal && !json) {
    // It may be another vault, while the one that is meant is on a drive: only one that seems to be the
    // same is taken without a question.
    const says = `"${plain(away)}" is not there.`;
    if (isMoved(away, first.path)) stderr.write(`${says} Vault: ${plain(first.path)}\n`);
    else if (!(await askYes(shell, `${says} Use "${plain(first.path)}" instead?`))) {
      throw new VaultError('cancelled', 'Nothing was done.');
    }
    return { path: first.path, isOnly: false };
  }
  if (first !== undefined && isTerminal && !json) {
    return { path: (await chosenOf(shell, vaults)).path, isOnly: false };
  }
  const paths = vaults.map(({ path }) => path);
  const names = paths.slice(0, namedMax).map((path) => `"${path}"`);
  const more = paths.length > namedMax ? ' and others' : '';
  const known = names.length === 0 ? '' : ` Known here: ${names.join(', ')}${more}.`;
  const gone =
    away === undefined
      ? ''
      : ` "${away}", which an app, the server or Obsidian's list names, is not there: if you have moved it, give its new folder.`;
  throw new VaultError('invalid_input', `${reason}${gone}${known}`, { details: { vaults: paths } });
}

async function chosenOf(shell: Shell, vaults: readonly VaultChoice[]): Promise<VaultChoice> {
  const width = Math.max(...vaults.map(({ name }) => name.length));
  try {
    return await askQuestion(shell, {
      question: 'Which vault?',
      choices: vaults.map(({ name, path }) => `${name.padEnd(width)}  ${path}`),
      hint: 'Type a number.',
      usual: '1',
      read: (answer) => numbered(answer, vaults),
    });
  } catch (error) {
    if (error instanceof VaultError && error.code === 'cancelled') {
      throw new VaultError('cancelled', 'Nothing was done.', { cause: error });
    }
    throw error;
  }
}
