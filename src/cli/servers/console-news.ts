import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import type { ConsoleNews } from '../../doors/console/console-parts.ts';
import type { CallEvent, ConsoleEvent } from '../../doors/console/console-wire.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Timers } from '../../engine/ports/ports.ts';

/** What the pages of the console are told: what happens in the vaults, and what clients do. */
export class VaultNews implements ConsoleNews {
  readonly #vaults: ConsoleNews;
  readonly #timers: Timers;
  readonly #told = new Listeners<ConsoleEvent>();
  readonly #connected: () => number | undefined;
  /** Calls since it was decided to tell pages that clients call; undefined when that is not so. */
  #calls: number | undefined;

  constructor(parts: {
    readonly vaults: ConsoleNews;
    readonly timers: Timers;
    /** How many clients of MCP are connected; undefined where it is not served. */
    readonly connected: () => number | undefined;
  }) {
    this.#connected = parts.connected;
    this.#vaults = parts.vaults;
    this.#timers = parts.timers;
  }

  latest(): ReturnType<ConsoleNews['latest']> {
    return this.#vaults.latest();
  }

  listen(tell: (event: ConsoleEvent) => void): () => void {
    const stops = [this.#told.add(tell), this.#watchSessions(tell), this.#vaults.listen(tell)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Tells that a session of MCP was opened or has ended. */
  sessions(): void {
    const connected = this.#connected();
    if (connected !== undefined) this.#told.tell({ event: 'session', data: { connected } });
  }

  /** Tells how many clients are connected, now and whenever one has come or gone. */
  #watchSessions(tell: (event: ConsoleEvent) => void): () => void {
    let last: number | undefined;
    let cancel = (): void => undefined;
    const look = (): void => {
      const connected = this.#connected();
      if (connected !== undefined && connected !== last) {
        tell({ event: 'session', data: { connected } });
      }
      last = connected;
      cancel = this.#timers.after(limits.consoleLookMs, look);
    };
    look();
    return () => cancel();
  }

  /** Tells about a call of a client. */
  call(data: CallEvent): void {
    this.#told.tell({ event: 'call', data });
    if (this.#calls === undefined) this.#tellCalled();
    else this.#calls++;
  }

  /** Tells that a client came with a token that is not valid. */
  wrongToken(): void {
    this.#told.tell({ event: 'wrong-token', data: {} });
  }

  /** Tells pages a little later that clients call, and once more if there were calls meanwhile. */
  #tellCalled(): void {
    this.#calls = 0;
    this.#timers.after(limits.consoleCalledMs, () => {
      const isAgain = this.#calls !== 0;
      this.#calls = undefined;
      this.#told.tell({ event: 'called', data: {} });
      if (isAgain) this.#tellCalled();
    });
  }
}

/**
 * What happens in vaults of this process. While a page listens, the state of each vault is looked at once
 * a second, because other processes may change it; changes of this process are seen at once.
 */
export function watchedVaults(vaults: readonly VaultSource[], timers: Timers): ConsoleNews {
  return {
    async latest() {
      const found = vaults.map(async (source) => {
        const { state } = (await source.open()).parts;
        return [{ vault: source.name, at: await state.latest() }];
      });
      return (await Promise.all(found.map((each) => each.catch(() => [])))).flat();
    },
    listen(tell) {
      const stops = vaults.map((source) => watchVault(source, { timers, tell }));
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Tells an event unless the last one of its kind about the same vault said the same. */
export function tellingNew(tell: (event: ConsoleEvent) => void): (event: ConsoleEvent) => void {
  const last = new Map<string, string>();
  return (event) => {
    const about = 'vault' in event.data ? event.data.vault : '';
    const key = JSON.stringify([event.event, about]);
    const text = JSON.stringify(event.data);
    if (last.get(key) === text) return;
    last.set(key, text);
    tell(event);
  };
}

/** Looks at a vault again and again, and tells what is different, until the returned function is called. */
function watchVault(
  source: VaultSource,
  { timers, tell }: { readonly timers: Timers; readonly tell: (event: ConsoleEvent) => void },
): () => void {
  const tellNew = tellingNew(tell);
  let isOver = false;
  let isLooking = false;
  let looksAgain = false;
  let cancel = (): void => undefined;
  let unlisten: (() => void) | undefined;
  let looks = 0;
  const look = async (): Promise<void> => {
    looksAgain = isLooking;
    if (isLooking) return;
    isLooking = true;
    cancel();
    const events = await lookAt(source, (vault) => {
      if (unlisten !== undefined) return;
      const stops = [
        vault.writer.changed.add(() => void look()),
        // Told at the next look, because a program may write many files at once.
        vault.parts.keeper.onLooked(() => {
          looks++;
        }),
      ];
      unlisten = () => {
        for (const stop of stops) stop();
      };
    });
    isLooking = false;
    if (isOver) {
      unlisten?.();
      return;
    }
    for (const event of events) tellNew(event);
    if (looks > 0) tellNew({ event: 'files', data: { vault: source.name, looks } });
    if (looksAgain) void look();
    else cancel = timers.after(limits.consoleLookMs, () => void look());
  };
  void look();
  return () => {
    isOver = true;
    cancel();
    unlisten?.();
  };
}

/** What a vault is like now, as events. */
async function lookAt(
  source: VaultSource,
  onOpen: (vault: Vault) => void,
): Promise<readonly ConsoleEvent[]> {
  const vault = source.name;
  try {
    const opened = await source.open();
    onOpen(opened);
    await opened.check();
    const { state, keeper } = opened.parts;
    const [at, waits] = await Promise.all([state.latest(), whatWaits(opened)]);
    const { stage, done, total } = keeper.progress;
    const index = { vault, stage, done, ...(total > 0 ? { total } : {}) };
    return [
      { event: 'vault', data: { vault, here: true } },
      { event: 'change', data: { vault, at } },
      { event: 'question', data: { vault, ...waits } },
      { event: 'index', data: index },
    ];
  } catch {
    return [{ event: 'vault', data: { vault, here: false } }];
  }
}

/** How many questions and proposals wait for the owner of a vault. */
async function whatWaits({
  parts: { questions, proposals, clock },
}: Vault): Promise<{ readonly open: number; readonly proposals: number }> {
  const nowMs = clock.nowMs();
  const [open, proposed] = await Promise.all([
    questions.list({ open: true, nowMs }),
    proposals.list({ state: 'open', nowMs }, { limit: 1, offset: 0 }),
  ]);
  return { open: open.length, proposals: proposed.total };
}

/** How much waits for the owner of these vaults, questions and proposals together. */
export async function countWaiting(vaults: readonly VaultSource[]): Promise<number> {
  const counts = vaults.map(async (source) => {
    const { open, proposals } = await whatWaits(await source.open());
    return open + proposals;
  });
  // A vault that is away is left out.
  const found = await Promise.all(counts.map((count) => count.catch(() => 0)));
  return found.reduce((sum, count) => sum + count, 0);
}
