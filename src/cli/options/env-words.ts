import { VaultError } from '../../base/vault-error.ts';

/** What an environment variable stands for, as words of the command line. */
export type Variable =
  /** True or false, and the words for each. */
  | { readonly on: readonly string[]; readonly off: readonly string[] }
  /** The value of an option, */
  | { readonly value: string }
  /** or several of them with commas or line ends between. */
  | { readonly list: string };

export type Variables = Readonly<Record<string, Variable>>;

/** The variables that every program has that serves vaults. */
export const serverVariables: Variables = {
  VAULTDOOR_READ_ONLY: { on: ['--read-only'], off: [] },
  VAULTDOOR_CLI_TOOLS: { on: ['--tools=obsidian'], off: [] },
  VAULTDOOR_ASK_NEW_TAGS: { on: ['--tag-policy=enforce'], off: ['--tag-policy=off'] },
  VAULTDOOR_HIDE: { list: '--hide' },
  VAULTDOOR_SYNC: { value: '--sync' },
  VAULTDOOR_SYNC_REMOTE: { value: '--sync-remote' },
  VAULTDOOR_ADR_REPO: { value: '--adr-repo' },
  VAULTDOOR_ADR_PUBLISH: { value: '--adr-publish' },
};

const yes: readonly string[] = ['true', '1', 'yes', 'on'];
const no: readonly string[] = ['false', '0', 'no', 'off'];

/**
 * The words after a program's name, with what the environment says put in front as options, so that
 * options of the command line win. Words after `--` are the folders of vaults: a bundle's folder
 * picker can only add plain words. Fails with `invalid_input` where a switch is neither on nor off.
 */
export function withEnvWords(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  variables: Variables,
): readonly string[] {
  const dashes = argv.indexOf('--');
  const options = dashes < 0 ? argv : argv.slice(0, dashes);
  const folders = dashes < 0 ? [] : argv.slice(dashes + 1);
  return [
    ...Object.entries(variables).flatMap(([name, variable]) =>
      isFilledIn(env[name]) ? wordsFor(name, variable, env[name].trim()) : [],
    ),
    ...options,
    ...folders.filter(isFilledIn).map((folder) => `--vault=${folder}`),
  ];
}

function wordsFor(name: string, variable: Variable, value: string): readonly string[] {
  if ('value' in variable) return [`${variable.value}=${value}`];
  if ('list' in variable) return listed(value).map((word) => `${variable.list}=${word}`);
  const word = value.toLowerCase();
  if (yes.includes(word)) return variable.on;
  if (no.includes(word)) return variable.off;
  throw new VaultError('invalid_input', `${name} is true or false.`);
}

/** Folders may be written the way Windows does. */
function listed(value: string): readonly string[] {
  return value
    .split(/[,\n]/)
    .map((word) => word.trim().replaceAll('\\', '/'))
    .filter((word) => word !== '');
}

/** Claude Desktop passes what the user left empty as the placeholder itself. */
function isFilledIn(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '' && !/^\$\{user_config\.\w+\}$/.test(value);
}
