import { vaultVariables } from './choose-vault.ts';
import { serverVariables, withEnvironment } from './environment-options.ts';
import { readServerOptions, type ServerOptions } from './server-options.ts';

/** The environment variables that stand for options of `vaultdoor stdio`. */
export const stdioEnvironment = serverVariables;

/** The options of `vaultdoor stdio`. */
interface StdioOptions extends ServerOptions {
  /** Whether a server that already runs may do the work. */
  readonly attach: boolean;
}

/**
 * Reads the arguments after `stdio` and the environment; arguments win. Fails with `invalid_input` and
 * what to write instead.
 */
export function readStdioOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): StdioOptions {
  const program = {
    name: 'stdio',
    toolset: 'notes',
    vaultVariables,
    flags: [['attach', 'switch']],
  } as const;
  const { options, args } = readServerOptions(
    program,
    withEnvironment(argv, env, stdioEnvironment),
  );
  return { ...options, attach: args.has('attach') };
}
