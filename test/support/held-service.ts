import type { Caller, Effect, Right } from '../../src/base/caller.ts';
import { VaultError } from '../../src/base/vault-error.ts';
import type { Outcome } from '../../src/tools/define/outcome.ts';
import type { ListedTool, Service } from '../../src/tools/service/service.ts';

type Watch = NonNullable<Service['watch']>;

/** A call that began, and how the test lets it end. */
export interface HeldCall {
  readonly name: string;
  readonly args: unknown;
  readonly caller: Caller;
  end(value?: unknown): void;
  fail(error: unknown): void;
}

/** Someone who watches, and how the test tells it of events. */
export interface HeldWatch {
  readonly watched: Parameters<Watch>[0];
  readonly tell: Parameters<Watch>[2];
  isEnded: boolean;
}

const effects: Readonly<Record<string, Effect>> = {
  'fs.stat': 'read',
  'fs.readBinary': 'read',
  'fs.batchStat': 'read',
  'fs.write': 'write',
  'fs.rename': 'write',
  'fs.remove': 'destroy',
};

/**
 * A service whose calls end when a test says so, or at once with what `answer` makes of them: for
 * what a door does with calls, whatever they do.
 */
export class HeldService implements Service {
  readonly vaults = ['test'];
  readonly begun: HeldCall[] = [];
  readonly watches: HeldWatch[] = [];
  readonly gone: string[] = [];
  answer: ((name: string, args: unknown) => unknown) | undefined;
  /** Runs before `fs.watch` is answered. */
  whileWatching: (watch: HeldWatch) => Promise<void> | void = () => undefined;

  instructions(): string {
    return '';
  }

  list(allowed: readonly Right[]): readonly ListedTool[] {
    return Object.entries(effects)
      .filter(([, effect]) => allowed.includes(effect))
      .map(([name, effect]) => ({ name, effect, description: '', inputSchema: {} }));
  }

  insteadOf(): undefined {}

  has(name: string): boolean {
    return name in effects;
  }

  call(name: string, args: unknown, caller: Caller): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const end = (value: unknown = {}): void => resolve({ ok: true, value, content: [] });
      const fail = (error: unknown): void => {
        if (error instanceof VaultError) resolve({ ok: false, error, content: [] });
        else reject(error);
      };
      this.begun.push({ name, args, caller, end, fail });
      if (this.answer !== undefined) end(this.answer(name, args));
    });
  }

  async watch(...[watched, , tell]: Parameters<Watch>): Promise<() => void> {
    if (watched.path.startsWith('..')) throw new VaultError('outside_vault', 'It leaves.');
    const watch: HeldWatch = { watched, tell, isEnded: false };
    this.watches.push(watch);
    await this.whileWatching(watch);
    return () => {
      watch.isEnded = true;
    };
  }

  disconnected(connection: string): void {
    this.gone.push(connection);
  }

  resources(): Promise<never> {
    return unasked();
  }

  readResource(): Promise<never> {
    return unasked();
  }

  prompts(): readonly never[] {
    return [];
  }

  prompt(): Promise<never> {
    return unasked();
  }

  complete(): Promise<never> {
    return unasked();
  }

  subscribe(): Promise<never> {
    return unasked();
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }
}

function unasked(): Promise<never> {
  return Promise.reject(new Error('This door has no reason to ask.'));
}
