import { ProgramArguments } from './program-arguments.ts';

/** The options of `vaultdoor owner`. */
type OwnerOptions = { readonly json: boolean } & (
  | {
      readonly action: 'set';
      /** The file with the passphrase; absent when it is asked for, or read from stdin. */
      readonly passphraseFile?: string;
    }
  | { readonly action: 'show' }
  | {
      readonly action: 'reset';
      /** Whether the connections of all clients end, too. */
      readonly revoke: boolean;
      /** Whether the command acts without asking the person at the terminal. */
      readonly yes: boolean;
    }
  | { readonly action: 'code' }
);

/**
 * Reads the arguments after `owner`. `--vault` is accepted, since deployments add it to every command,
 * and has no effect: the owner is the same for all vaults. Fails with `invalid_input` and what to write
 * instead.
 */
export function readOwnerOptions(argv: readonly string[]): OwnerOptions {
  const args = new ProgramArguments('owner', argv, [
    ['vault', 'list'],
    ['json', 'switch'],
    ['passphrase-file', 'value'],
    ['revoke', 'switch'],
    ['yes', 'switch'],
  ]);
  const [action, more] = args.positionals;
  const json = args.has('json');
  const passphraseFile = args.value('passphrase-file');
  if (passphraseFile !== undefined && action !== 'set') {
    throw args.refusal('"--passphrase-file" is for "owner set".');
  }
  if (args.has('revoke') && action !== 'reset') {
    throw args.refusal('"--revoke" is for "owner reset".');
  }
  if (args.has('yes') && action !== 'reset') throw args.refusal('"--yes" is for "owner reset".');
  if (more !== undefined) {
    // The argument is not repeated: it may be the passphrase.
    throw args.refusal(`"owner ${action}" takes options only. A passphrase is never an argument.`);
  }
  switch (action) {
    case 'set':
      return { json, action, ...(passphraseFile === undefined ? {} : { passphraseFile }) };
    case 'reset':
      return { json, action, revoke: args.has('revoke'), yes: args.has('yes') };
    case 'show':
    case 'code':
      return { json, action };
    default:
      throw args.refusal('"owner" must be followed by set, show, reset or code.');
  }
}
