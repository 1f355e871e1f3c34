import { VaultError } from '../../base/vault-error.ts';

/** The options that an environment variable stands for. */
type Variable =
  /** A variable that is true or false, with the options for each. */
  | { readonly on: readonly string[]; readonly off: readonly string[] }
  /** The variable's text is the value of this option. */
  | { readonly value: string }
  /** The variable's text has several values of this option, separated by commas or line ends. */
  | { readonly list: string };

export type Variables = Readonly<Record<string, Variable>>;

/** The variables that both `stdio` and `serve` read. */
export const serverVariables: Variables = {
  VAULTDOOR_READ_ONLY: { on: ['--read-only'], off: [] },
  VAULTDOOR_PROPOSE: { on: ['--propose'], off: [] },
  VAULTDOOR_BRAKE: { value: '--brake' },
  VAULTDOOR_CLI_TOOLS: { on: ['--tools=obsidian'], off: [] },
  VAULTDOOR_ASK_NEW_TAGS: { on: ['--tag-policy=enforce'], off: ['--tag-policy=off'] },
  VAULTDOOR_HIDE: { list: '--hide' },
  VAULTDOOR_HIDE_TAGS: { list: '--hide-tag' },
  VAULTDOOR_HIDE_PROPERTIES: { list: '--hide-property' },
  VAULTDOOR_CONTEXT: { value: '--context' },
  VAULTDOOR_CONTEXT_BODY_TAGS: { on: ['--context-body-tags'], off: [] },
  VAULTDOOR_SYNC: { value: '--sync' },
  VAULTDOOR_SYNC_REMOTE: { value: '--sync-remote' },
  VAULTDOOR_ADR_REPO: { value: '--adr-repo' },
  VAULTDOOR_ADR_PUBLISH: { value: '--adr-publish' },
  VAULTDOOR_ADR_HOOKS: { on: ['--adr-hooks'], off: [] },
  VAULTDOOR_ATTACH_FROM: { value: '--attach-from' },
  VAULTDOOR_EMBED: { value: '--embed' },
  VAULTDOOR_EMBED_MODEL: { value: '--embed-model' },
  VAULTDOOR_EMBED_API: { value: '--embed-api' },
  VAULTDOOR_EMBED_KEY_FILE: { value: '--embed-key-file' },
  VAULTDOOR_EMBED_PACKAGE: { value: '--embed-package' },
  VAULTDOOR_LOG_READS: { on: ['--log-reads'], off: [] },
  VAULTDOOR_NOTIFY: { value: '--notify' },
  VAULTDOOR_NOTIFY_COMMAND: { value: '--notify-command' },
};

const yes: readonly string[] = ['true', '1', 'yes', 'on'];
const no: readonly string[] = ['false', '0', 'no', 'off'];

/**
 * The arguments after a program's name, with one option in front for each environment variable that is
 * set. The options of the command line come later, and so win. Arguments after `--` become `--vault`
 * options: the folder picker of the bundle for Claude Desktop can only add plain arguments. Fails
 * with `invalid_input` when a variable that is true or false has any other value.
 */
export function withEnvironment(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  variables: Variables,
): readonly string[] {
  const dashes = argv.indexOf('--');
  const options = dashes < 0 ? argv : argv.slice(0, dashes);
  const folders = dashes < 0 ? [] : argv.slice(dashes + 1);
  return [
    ...Object.entries(variables).flatMap(([name, variable]) =>
      isFilledIn(env[name]) ? optionsFor(name, variable, env[name].trim()) : [],
    ),
    ...options,
    ...folders.filter(isFilledIn).map((folder) => `--vault=${folder}`),
  ];
}

function optionsFor(name: string, variable: Variable, value: string): readonly string[] {
  if ('value' in variable) return [`${variable.value}=${value}`];
  if ('list' in variable) return listed(value).map((word) => `${variable.list}=${word}`);
  const word = value.toLowerCase();
  if (yes.includes(word)) return variable.on;
  if (no.includes(word)) return variable.off;
  throw new VaultError('invalid_input', `${name} must be true or false.`);
}

/**
 * Does `work`. If it fails because of an option that only a variable has set, the message calls the
 * option by the name of that variable, which is what the user has written.
 */
export async function inUsersNames<T>(
  {
    argv,
    env,
    variables,
  }: {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly variables: Variables;
  },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    let { message } = error;
    for (const [name, variable] of Object.entries(variables)) {
      const option = 'value' in variable ? variable.value : 'list' in variable ? variable.list : '';
      if (option === '' || !isFilledIn(env[name]) || isGiven(option, argv)) continue;
      message = message.replaceAll(new RegExp(`"${option}"|${option}(?![\\w-])`, 'g'), name);
    }
    const { code, details, excerpt, cause } = error;
    throw new VaultError(code, message, {
      cause,
      details,
      ...(excerpt === undefined ? {} : { excerpt }),
    });
  }
}

function isGiven(option: string, argv: readonly string[]): boolean {
  return argv.some((word) => word === option || word.startsWith(`${option}=`));
}

/** The values in a list. Folders may be written with backslashes, as on Windows. */
function listed(value: string): readonly string[] {
  return value
    .split(/[,\n]/)
    .map((word) => word.trim().replaceAll('\\', '/'))
    .filter((word) => word !== '');
}

/**
 * Whether the user has filled in a value. For a setting that was left empty, Claude Desktop passes
 * the placeholder from the bundle's manifest, such as `${user_config.vaults}`.
 */
function isFilledIn(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '' && !/^\$\{user_config\.\w+\}$/.test(value);
}
