import { type VaultFolder, vaultFolder } from '../../base/vault-path.ts';
import { ProgramArguments } from './program-arguments.ts';

/** The options of `vaultdoor reads`. */
interface ReadsOptions {
  /** The value of `--vault`; absent when the environment or the current folder says which vault. */
  readonly vault?: string;
  readonly client?: string;
  readonly path?: VaultFolder;
  readonly since?: string;
  readonly limit: number;
  readonly json: boolean;
}

const defaultLimit = 50;
const limitMax = 1_000_000;

/** Reads the arguments after `reads`. Fails with `invalid_input` and what to write instead. */
export function readReadsOptions(argv: readonly string[]): ReadsOptions {
  const args = new ProgramArguments('reads', argv, [
    ['vault', 'value'],
    ['client', 'value'],
    ['path', 'value'],
    ['since', 'value'],
    ['limit', 'value'],
    ['json', 'switch'],
  ]);
  if (args.positionals.length > 0) {
    throw args.refusal('"reads" takes options only; "--path" is for a note or folder.');
  }
  const limit = args.number('limit') ?? defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw args.refusal(`"--limit" takes a whole number from 1 to ${limitMax}.`);
  }
  const [vault, client, path, since] = ['vault', 'client', 'path', 'since'].map((flag) =>
    args.value(flag),
  );
  return {
    ...(vault === undefined ? {} : { vault }),
    ...(client === undefined ? {} : { client }),
    ...(path === undefined ? {} : { path: vaultFolder(path) }),
    ...(since === undefined ? {} : { since }),
    limit,
    json: args.has('json'),
  };
}
