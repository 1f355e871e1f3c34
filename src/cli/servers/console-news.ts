import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import type { ConsoleNews } from '../../doors/console/console-parts.ts';
import type { CallEvent, ConsoleEvent } from '../../doors/console/console-wire.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import type { Timers } from '../../engine/ports/ports.ts';

/**
 * What the pages of the console are told. While one listens, the state of each vault is looked at once
 * a second, because other processes may change it; changes of this process are seen at once.
 */
export class VaultNews implements ConsoleNews {
  readonly #vaults: readonly VaultSource[];
  readonly #timers: Timers;
  readonly #told = new Listeners<ConsoleEvent>();
  /** How many sessions are open; undefined until it was told. */
  #open: number | undefined;

  constructor(parts: { readonly vaults: readonly VaultSource[]; readonly timers: Timers }) {
    this.#vaults = parts.vaults;
    this.#timers = parts.timers;
  }

  async latest(): ReturnType<ConsoleNews['latest']> {
    const found = this.#vaults.map(async (source) => {
      const { state } = (await source.open()).parts;
      return [{ vault: source.name, at: await state.latest() }];
    });
    return (await Promise.all(found.map((each) => each.catch(() => [])))).flat();
  }

  listen(tell: (event: ConsoleEvent) => void): () => void {
    if (this.#open !== undefined) tell({ event: 'session', data: { open: this.#open } });
    const stops = [
      this.#told.add(tell),
      ...this.#vaults.map((source) => watchVault(source, { timers: this.#timers, tell })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Tells that a session of MCP was opened or has ended. */
  sessions(open: number): void {
    this.#open = open;
    this.#told.tell({ event: 'session', data: { open } });
  }

  /** Tells about a call of a client. */
  call(data: CallEvent): void {
    this.#told.tell({ event: 'call', data });
  }
}

/** Looks at a vault again and again, and tells what is different, until the returned function is called. */
function watchVault(
  source: VaultSource,
  { timers, tell }: { readonly timers: Timers; readonly tell: (event: ConsoleEvent) => void },
): () => void {
  const last = new Map<ConsoleEvent['event'], string>();
  const tellNew = (event: ConsoleEvent): void => {
    const text = JSON.stringify(event.data);
    if (last.get(event.event) === text) return;
    last.set(event.event, text);
    tell(event);
  };
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
    const { state, questions, proposals, keeper } = opened.parts;
    const nowMs = source.clock.nowMs();
    const [at, open, proposed] = await Promise.all([
      state.latest(),
      questions.list({ open: true, nowMs }),
      proposals.list({ state: 'open', nowMs }, { limit: 1, offset: 0 }),
    ]);
    const { stage, done, total } = keeper.progress;
    const index = { vault, stage, done, ...(total > 0 ? { total } : {}) };
    return [
      { event: 'vault', data: { vault, here: true } },
      { event: 'change', data: { vault, at } },
      { event: 'question', data: { vault, open: open.length, proposals: proposed.total } },
      { event: 'index', data: index },
    ];
  } catch {
    return [{ event: 'vault', data: { vault, here: false } }];
  }
}
