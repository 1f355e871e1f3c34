import { readServerOptions, type ServerOptions } from './server-options.ts';

/** Reads the words after `stdio`. Fails with `invalid_input` and what to write instead. */
export function readStdioOptions(argv: readonly string[]): ServerOptions {
  return readServerOptions({ name: 'stdio', toolset: 'notes' }, argv).options;
}
