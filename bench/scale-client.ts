import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { type ServerAnswer, ServerClient } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

/** An answer to one call of a tool; where it failed, its text is why. */
export type Answer = ServerAnswer & { readonly text: string };

/** A client of one `vaultdoor stdio` process with all its toolsets. */
export class ScaleClient extends ServerClient {
  constructor(folder: string, cache: string) {
    super(vaultdoorCommand(folder, cache, 'notes,obsidian,agent'));
  }

  override async call(tool: string, args: object = {}): Promise<Answer> {
    const answer = await super.call(tool, args);
    return { ...answer, text: answer.text ?? answer.failure ?? '' };
  }

  /** Greets the server, and resolves when all of its vault can be searched. */
  async untilIndexed(): Promise<void> {
    await this.greet();
    while ((await this.call('search_notes', { query: 'anything' })).text.includes('incomplete')) {
      await setTimeout(500);
    }
  }

  /**
   * Resolves when the process has next to nothing to do: after a build, full text is merged in quiet
   * moments, and what that costs beside is not what is measured here.
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
