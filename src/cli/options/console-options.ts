import { vaultVariables } from './choose-vault.ts';
import { readServerOptions, type ServerOptions } from './server-options.ts';

/** The options of `vaultdoor console`. */
interface ConsoleOptions extends ServerOptions {
  /** Whether the page is opened in the browser; otherwise only its link is printed. */
  readonly opensBrowser: boolean;
}

/** Reads the arguments after `console`. Fails with `invalid_input` and what to write instead. */
export function readConsoleOptions(argv: readonly string[]): ConsoleOptions {
  const program = {
    name: 'console',
    toolset: 'notes',
    vaultVariables,
    flags: [['no-browser', 'switch']],
  } as const;
  const { options, args } = readServerOptions(program, argv);
  // A person looks at this terminal: only what went wrong is worth a line.
  const logLevel = args.has('log-level') ? options.logLevel : 'warn';
  return { ...options, logLevel, opensBrowser: !args.has('no-browser') };
}
