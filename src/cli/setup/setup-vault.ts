import { isAbsolute } from 'node:path';
import { shellWord } from '../../base/shell-word.ts';
import { VaultError } from '../../base/vault-error.ts';
import { appFolders } from '../../node/place/app-folders.ts';
import { checkChosenVault } from '../../node/place/check-chosen-vault.ts';
import { openVaultRoot } from '../../node/place/open-vault-root.ts';
import { plain } from '../../tools/cli/text.ts';
import type { Machine } from '../install/client-places.ts';
import { existing, obsidianList } from '../install/known-vaults.ts';
import { isGone, isMoved, isSameVault } from '../install/this-machine.ts';
import { chooseVault, isUnnamed, type VaultChoice } from '../options/choose-vault.ts';
import type { Shell } from '../shell/shell.ts';
import { checkFoldersOutside } from '../vaults/check-vault-quickly.ts';
import { askQuestion, numbered } from './ask-question.ts';
import { homeVaults } from './home-vaults.ts';

/**
 * The vault to set up: the one of `--vault`; else a person chooses, or types the path of a folder.
 * Where nobody is asked, it is the one of the environment or the current folder, or the only one that
 * Obsidian knows. Fails with `invalid_input` when that leaves a choice.
 */
export async function vaultToSetUp(
  shell: Shell,
  {
    given,
    now,
    machine,
    isAsked,
    isServer = false,
    used = [],
  }: {
    readonly given?: string | undefined;
    /** The vault that is set up now; absent when none is, or when each client has its own. */
    readonly now?: string | undefined;
    readonly machine: Machine;
    readonly isAsked: boolean;
    /** A server is set up: Obsidian may never have run on this machine. */
    readonly isServer?: boolean;
    /** The vaults that clients are set up for, also those that are gone. */
    readonly used?: readonly string[];
  },
): Promise<VaultChoice> {
  const vault = given ?? (isAsked ? undefined : now);
  if (vault !== undefined) return checked(chooseVault(vault, shell), shell);
  const found = foundVaults(shell, machine, { now, used, isAsked });
  const gone = goneVaults(used, found.all.length === 0 ? obsidianList(machine) : []);
  if (isAsked) {
    if (gone !== undefined && found.named === undefined) {
      shell.stderr.write(`\n${plain(gone.says)}.\n`);
    }
    if (!isServer || found.all.length > 0) {
      return askVault(shell, found.all, gone?.asks ?? noVaultHere);
    }
    return askVault(shell, homeVaults(machine.home), gone?.asks ?? noListHere);
  }
  const [only, other] = found.named === undefined ? found.all : [found.named];
  if (only !== undefined && other === undefined) return checked(only, shell);
  const words = found.all.map(({ path }) => `--vault ${shellWord(path, machine.platform)}`);
  throw new VaultError(
    'invalid_input',
    only === undefined
      ? `No vault was found${gone === undefined ? '' : ` (${plain(gone.says.replace(/^T/, 't'))})`}; add --vault <folder> with the folder of your notes.`
      : `There are ${found.all.length} vaults here; say which one: ${plain(words.join(' or '))}`,
    { details: { vaults: found.all.map(({ path }) => path) } },
  );
}

/**
 * The vaults that are known here: those in Obsidian's list, then those that clients use, and those in the
 * home folder that one may be which is gone. Where nobody is asked, the list of Obsidian decides alone if
 * it has a vault that exists. `named` is `now`, or the one of the environment or current folder.
 */
function foundVaults(
  shell: Shell,
  machine: Machine,
  {
    now,
    used,
    isAsked,
  }: {
    readonly now?: string | undefined;
    readonly used: readonly string[];
    readonly isAsked: boolean;
  },
): { readonly named?: VaultChoice; readonly all: readonly VaultChoice[] } {
  const listed = obsidianList(machine);
  const absolute = used.filter((path) => isAbsolute(path));
  const all = existing([...listed, ...absolute, ...movedVaults(used, machine.home)], machine);
  const ofList = existing(listed, machine);
  const known = isAsked || ofList.length === 0 ? all : ofList;
  try {
    const named = chooseVault(now, shell);
    const others = known.filter(({ path }) => !isSameVault(path, named.path));
    return { named, all: [named, ...others] };
  } catch (error) {
    if (!isUnnamed(error)) throw error;
    return { all: known };
  }
}

/** The vaults in the home folder that may be one of these which are gone. */
export function movedVaults(paths: readonly string[], home: string): readonly string[] {
  const gone = paths.filter(isGone);
  if (gone.length === 0) return [];
  const here = homeVaults(home).map(({ path }) => path);
  return here.filter((path) => gone.some((from) => isMoved(from, path)));
}

/**
 * Which vault is gone, and the question where it is: one that an app uses, else those of Obsidian's list.
 * Undefined when none is.
 */
function goneVaults(
  used: readonly string[],
  inList: readonly string[],
): { readonly says: string; readonly asks: string } | undefined {
  const ofApp = used.find(isGone);
  if (ofApp !== undefined) {
    const says = `The vault that an app uses, "${ofApp}", is not there any more`;
    return { says, asks: 'Where is it now?' };
  }
  const [ofList, another] = inList.filter(isGone);
  if (ofList === undefined) return undefined;
  if (another === undefined) {
    const says = `The vault in Obsidian's list, "${ofList}", is not there any more`;
    return { says, asks: 'Where is it now?' };
  }
  const says = `The vaults in Obsidian's list, such as "${ofList}", are not there any more`;
  return { says, asks: 'Where are your notes now?' };
}

const noVaultHere = 'Where are your notes? Obsidian has no vault here yet.';
const noListHere = "Where are your notes? (Obsidian's list of vaults is not on this machine.)";

/** `none` is the question where there are no vaults to choose from. */
async function askVault(
  shell: Shell,
  vaults: readonly VaultChoice[],
  none: string,
): Promise<VaultChoice> {
  const [only, other] = vaults;
  if (only === undefined) {
    return askFolder(shell, none);
  }
  if (other === undefined) {
    return (await askOnly(shell, only)) ?? askFolder(shell, 'Where are your notes?');
  }
  const width = Math.max(...vaults.map(({ name }) => name.length));
  return askQuestion(shell, {
    question: 'Which vault?',
    choices: vaults.map(({ name, path }) => `${name.padEnd(width)}  ${path}`),
    hint: 'Type a number, or the path of another folder.',
    usual: '1',
    read: (answer) =>
      /^\d{1,4}$/.test(answer)
        ? checked(numbered(answer, vaults), shell)
        : folderTyped(shell, answer),
  });
}

/** Asks whether it is this vault. Answers another one when its path is typed; undefined for "no". */
function askOnly(shell: Shell, only: VaultChoice): Promise<VaultChoice | undefined> {
  return askQuestion(shell, {
    question: `Use the vault "${plain(only.name)}" (${plain(only.path)})?`,
    choices: [],
    hint: 'Type y, n, or the path of another folder.',
    usual: 'y',
    read: async (answer) => {
      if (/^(y|yes|1)$/i.test(answer)) return checked(only, shell);
      if (/^(n|no)$/i.test(answer)) return undefined;
      if (/[\\/~.]/.test(answer)) return folderTyped(shell, answer);
      throw new VaultError('invalid_input', `"${answer}" is neither y nor n, nor a path.`);
    },
  });
}

function askFolder(shell: Shell, question: string): Promise<VaultChoice> {
  return askQuestion(shell, {
    question,
    choices: [],
    hint: 'Type the path of their folder.',
    read: (answer) => folderTyped(shell, answer),
  });
}

function folderTyped(shell: Shell, path: string): Promise<VaultChoice> {
  return checked(chooseVault(unquoted(path, process.platform), shell), shell);
}

/**
 * A path as a person types it. Terminals put quotes around a folder that is dragged into them, or
 * backslashes before its spaces.
 */
function unquoted(path: string, platform: NodeJS.Platform): string {
  const [, inner] = /^'(.*)'$/s.exec(path) ?? /^"(.*)"$/s.exec(path) ?? [];
  if (inner !== undefined) return inner;
  return platform === 'win32' ? path : path.replace(/\\(.)/gs, '$1');
}

/** Fails when the vault cannot be opened or served, or has vaults in it and is none itself. */
async function checked(vault: VaultChoice, { env }: Pick<Shell, 'env'>): Promise<VaultChoice> {
  const { platform } = process;
  const root = openVaultRoot(vault.path);
  await checkChosenVault({ ...vault, platform, isTyped: true });
  try {
    checkFoldersOutside(root, appFolders(env, platform));
  } catch (error) {
    throw new VaultError(
      'invalid_input',
      `"${vault.path}" has more in it than notes, also the files of Vaultdoor itself. Choose the folder of your notes.`,
      { cause: error },
    );
  }
  return vault;
}
