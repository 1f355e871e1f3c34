import { serverVariables, withEnvWords } from './env-words.ts';
import { readServerOptions, type ServerOptions } from './server-options.ts';

/** The options of `vaultdoor stdio`. */
export interface StdioOptions extends ServerOptions {
  /** Pass everything on to a `vaultdoor serve` of the same vaults, if one is running. */
  readonly attach: boolean;
}

/** Reads the words after `stdio`. Fails with `invalid_input` and says what to write instead. */
export function readStdioOptions(argv: readonly string[]): StdioOptions {
  const program = { name: 'stdio', toolset: 'notes', flags: [['attach', 'switch']] } as const;
  const { options, words } = readServerOptions(program, argv);
  return { ...options, attach: words.has('attach') };
}

/** The words after `stdio`, with one option in front for each environment variable that is set. */
export function stdioWords(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return withEnvWords(argv, env, serverVariables);
}
