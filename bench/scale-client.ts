import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { type ServerAnswer, ServerClient } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

/** The answer to one call of a tool. If the call failed, `text` is the error message. */
export type Answer = ServerAnswer & { readonly text: string };

/** A client of one `vaultdoor stdio` process with all toolsets. */
export class ScaleClient extends ServerClient {
  constructor(folder: string, cache: string, options: readonly string[] = []) {
    super(vaultdoorCommand(folder, cache, 'notes,obsidian,agent', options));
  }

  override async call(tool: string, args: object = {}): Promise<Answer> {
    const answer = await super.call(tool, args);
    return { ...answer, text: answer.text ?? answer.failure ?? '' };
  }

  /** Initializes the connection, and resolves when the whole vault can be searched. */
  async untilIndexed(): Promise<void> {
    await this.greet();
    while ((await this.call('search_notes', { query: 'anything' })).text.includes('incomplete')) {
      await setTimeout(500);
    }
  }

  /**
   * Resolves when the process uses almost no CPU time. After a build, the process merges its
   * full-text index in the background, which would disturb the measurement.
   */
  async untilQuiet(): Promise<void> {
    let before = this.#cpuSeconds();
    for (let quiet = 0; quiet < 2; ) {
      await setTimeout(2_000);
      const now = this.#cpuSeconds();
      quiet = now === before ? quiet + 1 : 0;
      before = now;
    }
  }

  #cpuSeconds(): number {
    const args = ['-o', 'cputimes=', '-p', String(this.child.pid)];
    return Number(execFileSync('ps', args, { encoding: 'utf8' }));
  }
}
