import { vaultVariables } from './choose-vault.ts';
import { serverVariables, withEnvironment } from './environment-options.ts';
import { readServerOptions, type ServerOptions, serverFlags } from './server-options.ts';
import type { FlagKind } from './split-arguments.ts';

/** The environment variables that stand for options of `vaultdoor stdio`. */
export const stdioEnvironment = serverVariables;

const ownFlags = [['attach', 'switch']] as const;

/** The options of `vaultdoor stdio`, and what each takes. */
export const stdioFlags: ReadonlyMap<string, FlagKind> = new Map([...serverFlags, ...ownFlags]);

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
    flags: ownFlags,
  } as const;
  const { options, args } = readServerOptions(
    program,
    withEnvironment(argv, env, stdioEnvironment),
  );
  return { ...options, attach: args.has('attach') };
}
