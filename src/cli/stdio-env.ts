import { VaultError } from '../base/vault-error.ts';

/** What switches of a bundle's settings say, and the option that stands for each answer. */
const switches = {
  VAULTDOOR_READ_ONLY: { on: ['--read-only'], off: [] },
  VAULTDOOR_CLI_TOOLS: { on: ['--tools=obsidian'], off: [] },
  VAULTDOOR_ASK_NEW_TAGS: { on: ['--tag-policy=enforce'], off: ['--tag-policy=off'] },
} as const;

const yes: readonly string[] = ['true', '1', 'yes', 'on'];
const no: readonly string[] = ['false', '0', 'no', 'off'];

/**
 * The words after `stdio`, with what the environment says put in front as options, so that options
 * of the command line win. Words after `--` are the folders of vaults: a bundle's folder picker
 * can only add plain words. Fails with `invalid_input` where a switch is neither on nor off.
 */
export function stdioWords(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const dashes = argv.indexOf('--');
  const options = dashes < 0 ? argv : argv.slice(0, dashes);
  const folders = dashes < 0 ? [] : argv.slice(dashes + 1);
  return [
    ...Object.entries(switches).flatMap(([name, { on, off }]) => {
      const isOn = switchValue(name, env[name]);
      return isOn === undefined ? [] : isOn ? on : off;
    }),
    ...hiddenGlobs(env['VAULTDOOR_HIDE']).map((glob) => `--hide=${glob}`),
    ...options,
    ...folders.filter(isFilledIn).map((folder) => `--vault=${folder}`),
  ];
}

function switchValue(name: string, value: string | undefined): boolean | undefined {
  if (!isFilledIn(value)) return undefined;
  const word = value.trim().toLowerCase();
  if (yes.includes(word)) return true;
  if (no.includes(word)) return false;
  throw new VaultError('invalid_input', `${name} is true or false.`);
}

/** Globs with commas or line ends between; folders may be written the way Windows does. */
function hiddenGlobs(value: string | undefined): readonly string[] {
  if (!isFilledIn(value)) return [];
  return value
    .split(/[,\n]/)
    .map((glob) => glob.trim().replaceAll('\\', '/'))
    .filter((glob) => glob !== '');
}

/** Claude Desktop passes what the user left empty as the placeholder itself. */
function isFilledIn(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '' && !/^\$\{user_config\.\w+\}$/.test(value);
}
