import {
  allScopes,
  rights,
  type Scopes,
  type ServedToolset,
  servedToolsets,
} from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { toVaultError, VaultError } from '../../base/vault-error.ts';
import { isHidden, type VaultFolder, vaultFolder } from '../../base/vault-path.ts';
import { ProgramArguments } from './program-arguments.ts';
import type { FlagKind } from './split-arguments.ts';

/** The options of `vaultdoor token`. */
export type TokenOptions = {
  /** The values of `--vault`; none when the environment or the current folder says which vault. */
  readonly vaults: readonly string[];
  readonly json: boolean;
} & (
  | {
      readonly action: 'create';
      readonly name: string;
      readonly effects: Scopes['effects'];
      readonly folders: readonly VaultFolder[];
      /** The toolsets that the token is for; absent for those of the server. */
      readonly tools?: readonly ServedToolset[];
      /** How long the token is valid; absent when it never expires. */
      readonly lastsMs?: number;
    }
  | { readonly action: 'list' }
  | { readonly action: 'revoke'; readonly token: string }
);

const dayMs = 24 * 60 * 60_000;
const daysMax = 36_500;

const common: readonly (readonly [string, FlagKind])[] = [
  ['vault', 'list'],
  ['json', 'switch'],
];
const forCreate: readonly (readonly [string, FlagKind])[] = [
  ['read-only', 'switch'],
  ['propose', 'switch'],
  ['scope', 'value'],
  ['folder', 'list'],
  ['tools', 'value'],
  ['expires', 'value'],
];

/** Reads the arguments after `token`. Fails with `invalid_input` and what to write instead. */
export function readTokenOptions(argv: readonly string[]): TokenOptions {
  const args = new ProgramArguments('token', argv, [...common, ...forCreate]);
  const [action, word, more] = args.positionals;
  const asked = { vaults: args.list('vault'), json: args.has('json') };
  if (action !== 'create') refuseFlags(args);
  if (more !== undefined) {
    throw args.refusal('There is one argument too many; quote a name that has spaces.');
  }
  switch (action) {
    case 'create':
      return {
        ...asked,
        action,
        name: nameOf(args, word),
        effects: effectsOf(args),
        folders: foldersOf(args),
        ...toolsOf(args),
        ...lastsOf(args),
      };
    case 'list':
      if (word !== undefined) throw args.refusal('"token list" takes options only.');
      return { ...asked, action };
    case 'revoke':
      if (word === undefined) throw args.refusal('"token revoke" needs the id or name of a token.');
      return { ...asked, action, token: word };
    default:
      throw args.refusal('"token" must be followed by create, list or revoke.');
  }
}

function refuseFlags(args: ProgramArguments): void {
  const given = forCreate.find(([flag]) => args.has(flag));
  if (given !== undefined) throw args.refusal(`"--${given[0]}" is for "token create".`);
}

function nameOf(args: ProgramArguments, given = ''): string {
  const name = given.trim();
  if (name === '') throw args.refusal('"token create" needs a name, such as "laptop".');
  if (name.length > limits.tokenNameCharsMax || /\p{C}/u.test(name)) {
    throw args.refusal(
      `A name has at most ${limits.tokenNameCharsMax} characters, all of them visible.`,
    );
  }
  return name;
}

function effectsOf(args: ProgramArguments): Scopes['effects'] {
  const scope = args.several('scope', rights);
  const given = [
    ...(args.has('read-only') ? ['--read-only'] : []),
    ...(args.has('propose') ? ['--propose'] : []),
    ...(scope === undefined ? [] : ['--scope']),
  ];
  if (given.length > 1) {
    const named = given.map((flag) => `"${flag}"`).join(' and ');
    throw args.refusal(`${named} contradict each other; give one of them.`);
  }
  if (scope?.includes('read') === false) throw args.refusal('"--scope" must include read.');
  if (args.has('read-only')) return ['read'];
  return args.has('propose') ? ['read', 'propose'] : (scope ?? allScopes.effects);
}

/** The folders of `--folder`, each once; the whole vault when there are none. */
function foldersOf(args: ProgramArguments): readonly VaultFolder[] {
  const folders = args.list('folder').map((text) => {
    try {
      return servedFolder(text);
    } catch (error) {
      const { code, message } = toVaultError(error);
      throw code === 'forbidden' ? args.refusal(message) : error;
    }
  });
  return folders.length === 0 ? allScopes.folders : [...new Set(folders)];
}

/**
 * The folder that a token or a grant is limited to, as a person has written it. Fails with `forbidden`
 * for one that is never served, and as `vaultFolder` does.
 */
export function servedFolder(text: string): VaultFolder {
  const folder = vaultFolder(text);
  if (isHidden(folder)) {
    throw new VaultError('forbidden', 'Folders that begin with a dot are never served.');
  }
  return folder;
}

function toolsOf(args: ProgramArguments): { readonly tools?: readonly ServedToolset[] } {
  const tools = args.several('tools', servedToolsets);
  return tools === undefined ? {} : { tools };
}

function lastsOf(args: ProgramArguments): { readonly lastsMs?: number } {
  const days = args.number('expires');
  if (days === undefined) return {};
  if (days === 0 || days > daysMax) {
    throw args.refusal(`"--expires" takes a number of days, up to ${daysMax}.`);
  }
  return { lastsMs: days * dayMs };
}
