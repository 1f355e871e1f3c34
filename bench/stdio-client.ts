import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Command, ServerClient } from './server-client.ts';

export type { TimedAnswer } from './server-client.ts';

const program = fileURLToPath(new URL('../dist/vaultdoor.js', import.meta.url));

/**
 * The command that starts the built program. `cache` is the folder with the index of earlier
 * starts.
 */
export function vaultdoorCommand(
  folder: string,
  cache: string,
  tools: string,
  options: readonly string[] = [],
): Command {
  return {
    file: process.execPath,
    args: [program, 'stdio', '--tools', tools, '--vault', folder, ...options],
    env: { ...process.env, XDG_CACHE_HOME: cache, XDG_STATE_HOME: cache },
  };
}

/** A client of `vaultdoor stdio --tools obsidian`. */
export class StdioClient extends ServerClient {
  readonly #started: Promise<unknown>;

  constructor(folder: string, cache: string) {
    super(vaultdoorCommand(folder, cache, 'obsidian'));
    this.#started = once(this.child.stderr, 'data');
  }

  /** Resolves when the process has started: its log has begun, and its threads have had 300 ms. */
  async up(): Promise<this> {
    await this.#started;
    await setTimeout(300);
    return this;
  }
}

/** A Node program that only answers requests with an empty result. No server can start faster. */
export const bareNodeCommand: Command = {
  file: process.execPath,
  args: [
    '-e',
    `process.stdin.on('data', (lines) => {
      for (const line of String(lines).trim().split('\\n')) {
        const { id } = JSON.parse(line);
        if (id) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: {} }) + '\\n');
      }
    })`,
  ],
  env: process.env,
};

/** The time from the start of a bare Node program to its first answer. */
export async function measureBareNode(): Promise<number> {
  const client = new ServerClient(bareNodeCommand);
  const { ms } = await client.greet();
  await client.end();
  return ms;
}
