import { ProgramArguments } from './program-arguments.ts';

/** The options of `vaultdoor connections`. */
type ConnectionsOptions = { readonly json: boolean } & (
  | { readonly action: 'list' }
  | { readonly action: 'revoke'; readonly id: string }
  | { readonly action: 'revoke-all' }
);

/** Reads the arguments after `connections`. Fails with `invalid_input` and what to write instead. */
export function readConnectionsOptions(argv: readonly string[]): ConnectionsOptions {
  const args = new ProgramArguments('connections', argv, [
    // Connections belong to the server, so it is ignored; all other commands take it.
    ['vault', 'list'],
    ['all', 'switch'],
    ['json', 'switch'],
  ]);
  const [action, id, more] = args.positionals;
  const json = args.has('json');
  const isAll = args.has('all');
  if (more !== undefined) throw args.refusal('There is one argument too many.');
  switch (action) {
    case 'list':
      if (id !== undefined || isAll) throw args.refusal('"connections list" takes "--json" only.');
      return { action, json };
    case 'revoke':
      if (isAll !== (id === undefined)) {
        throw args.refusal('"connections revoke" needs the id of a connection, or "--all".');
      }
      return id === undefined ? { action: 'revoke-all', json } : { action, id, json };
    default:
      throw args.refusal('"connections" must be followed by list or revoke.');
  }
}
