import { serverVariables, withEnvWords } from './env-words.ts';
import { readServerOptions, type ServerOptions } from './server-options.ts';

/** What `vaultdoor stdio` is told on its command line. */
export interface StdioOptions extends ServerOptions {
  /** Lets a server that runs already do the work. */
  readonly attach: boolean;
}

/** Reads the words after `stdio`. Fails with `invalid_input` and what to write instead. */
export function readStdioOptions(argv: readonly string[]): StdioOptions {
  const program = { name: 'stdio', toolset: 'notes', flags: [['attach', 'switch']] } as const;
  const { options, words } = readServerOptions(program, argv);
  return { ...options, attach: words.has('attach') };
}

/** The words after `stdio`, with what the environment says in front. */
export function stdioWords(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return withEnvWords(argv, env, serverVariables);
}
