import { z } from 'zod';
import type { Caller } from '../../src/base/caller.ts';
import { VaultError } from '../../src/base/vault-error.ts';
import { type AnyTool, defineTool } from '../../src/tools/define/define-tool.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';

/** Tools that show what a door does with its calls: how many run, how they end, who makes them. */
export class WaitingTools {
  running = 0;
  mostRunning = 0;
  readonly callers: Caller[] = [];
  #open: () => void = () => undefined;
  #gate = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  #looking: (() => void)[] = [];

  /** Lets every call of `wait` end. */
  release(): void {
    this.#open();
  }

  /** Resolves when so many calls of `wait` run. */
  async untilRunning(count: number): Promise<void> {
    while (this.running < count) {
      await new Promise<void>((resolve) => this.#looking.push(resolve));
    }
  }

  get toolset(): Toolset {
    const text = (value: string) => [{ type: 'text' as const, text: value }];
    return {
      name: 'notes',
      tools: this.#tools(),
      voice: {
        result: (_tool, value) => text(JSON.stringify(value)),
        failure: (error) => text(`${error.code}: ${error.message}`),
      },
    };
  }

  #tools(): readonly AnyTool[] {
    const common = { effect: 'read', record: [], output: z.unknown() } as const;
    return [
      defineTool({
        ...common,
        name: 'wait',
        title: 'Wait',
        description: 'Ends when it is let go.',
        input: z.object({ secret: z.string().optional() }),
        run: async ({ caller }) => {
          this.callers.push(caller);
          this.running++;
          this.mostRunning = Math.max(this.mostRunning, this.running);
          for (const look of this.#looking.splice(0)) look();
          await this.#gate;
          this.running--;
          return 'waited';
        },
      }),
      defineTool({
        ...common,
        name: 'agree',
        title: 'Agree',
        description: 'Asks, and fails without a yes.',
        input: z.object({ question: z.string() }),
        run: async ({ caller }, { question }) => {
          if (await caller.ask?.(question)) return 'agreed';
          throw new VaultError('tag_not_allowed', caller.ask ? 'Not agreed.' : 'Nobody to ask.');
        },
      }),
      defineTool({
        ...common,
        name: 'count',
        title: 'Count',
        description: 'Tells how far it is.',
        input: z.object({}),
        run: async ({ caller }) => {
          caller.progress?.({ done: 1, total: 2, message: 'one' });
          return 'counted';
        },
      }),
    ];
  }
}
