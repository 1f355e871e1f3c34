import { limits } from '../../base/limits.ts';
import { ProgramArguments } from './program-arguments.ts';

/** The options of `vaultdoor client`. */
type ClientOptions = { readonly json: boolean } & (
  | {
      readonly action: 'create';
      readonly name: string;
      /** At least one. */
      readonly redirectUris: readonly string[];
      readonly secret: boolean;
    }
  | { readonly action: 'list' }
  | { readonly action: 'revoke'; readonly client: string }
);

/** Reads the arguments after `client`. Fails with `invalid_input` and what to write instead. */
export function readClientOptions(argv: readonly string[]): ClientOptions {
  const args = new ProgramArguments('client', argv, [
    // Clients belong to the server, so it is ignored; all other commands take it.
    ['vault', 'list'],
    ['redirect', 'list'],
    ['secret', 'switch'],
    ['json', 'switch'],
  ]);
  const [action, word, more] = args.positionals;
  const json = args.has('json');
  const given = ['redirect', 'secret'].find((flag) => args.has(flag));
  if (action !== 'create' && given !== undefined) {
    throw args.refusal(`"--${given}" is for "client create".`);
  }
  if (more !== undefined) {
    throw args.refusal('There is one argument too many; quote a name that has spaces.');
  }
  switch (action) {
    case 'create': {
      const name = nameOf(args, word);
      const redirectUris = args.list('redirect');
      if (redirectUris.length === 0) {
        throw args.refusal(
          '"client create" needs "--redirect": the address to which the app wants its answer.',
        );
      }
      return {
        action,
        name,
        redirectUris,
        secret: args.has('secret'),
        json,
      };
    }
    case 'list':
      if (word !== undefined) throw args.refusal('"client list" takes options only.');
      return { action, json };
    case 'revoke':
      if (word === undefined) {
        throw args.refusal('"client revoke" needs the id or name of an app.');
      }
      return { action, client: word, json };
    default:
      throw args.refusal('"client" must be followed by create, list or revoke.');
  }
}

function nameOf(args: ProgramArguments, given = ''): string {
  const name = given.trim();
  if (name === '') throw args.refusal('"client create" needs a name, such as "claude.ai".');
  if (name.length > limits.clientNameCharsMax || /\p{C}/u.test(name)) {
    throw args.refusal(
      `A name has at most ${limits.clientNameCharsMax} characters, all of them visible.`,
    );
  }
  return name;
}
