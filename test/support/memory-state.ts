import { VaultError } from '../../src/base/vault-error.ts';
import type { Proposals } from '../../src/engine/ports/proposals.ts';
import type { Questions } from '../../src/engine/ports/questions.ts';
import type { CommitLock, StateStore } from '../../src/engine/ports/state-store.ts';
import type { DayTotals } from '../../src/engine/ports/vault-state.ts';
import { openSqliteState } from '../../src/sqlite/state/sqlite-state-store.ts';

/** What ends a process in the middle of a call. No `VaultError`: nobody is left to handle it. */
export class StateCrash extends Error {}

/** At which call, counted over history, lock and the stores beside it, something happens to a process, and what. */
export interface StateFault {
  /** This call fails with `io_failed`; those after it work. */
  readonly failAt?: number;
  /** In this call the process ends: it and every later one throws `StateCrash`. */
  readonly crashAt?: number;
  /** Before the call has its effect, or after. */
  readonly when?: 'before' | 'after';
}

/** What one process has of a state. */
export interface StateProcess {
  readonly state: StateStore;
  readonly lock: CommitLock;
  readonly questions: Questions;
  readonly proposals: Proposals;
  readonly dayTotals: DayTotals;
  /** How many calls it has made. */
  calls(): number;
  /** Whether its fault has come up. */
  faulted(): boolean;
  /** Ends it: its lock is free, and its calls throw. */
  kill(): void;
}

/** The state of one vault, as several processes share it and as it outlives them. */
export interface MemoryState {
  open(fault?: StateFault): StateProcess;
  /**
   * Cuts the power: every process ends. What was not made durable is lost or not; the calls that
   * may be are `finish`, `drop` and `prune`, as long as no durable one came after them.
   */
  cutPower(options: { readonly lose: 'unsynced' | 'nothing' }): Promise<void>;
}

const durable = ['begin', 'beginSingles', 'mark', 'unmark'] as const;
const light = ['finish', 'drop', 'prune'] as const;
/** Those of the days' totals. */
const counting = ['put', 'list'];
const reading = [
  ...['unfinished', 'latest', 'changes', 'summaries', 'destroyedFiles', 'destroyingChanges'],
  ...['content', 'versionsFrom', 'wordKey'],
];
/** The methods of the stores of questions and proposals that change them; all are durable. */
const deciding = ['ask', 'answer', 'use', 'close', 'giveBack', 'add', 'replan', 'refuse'];
const asking = ['get', 'list', 'standing', 'kept'];
const durables: readonly string[] = [...durable, ...deciding];
const writing: readonly string[] = [...durables, ...light, 'put'];

type AnyCall = (...args: readonly unknown[]) => Promise<unknown>;

interface Call {
  readonly of: 'history' | 'questions' | 'proposals' | 'dayTotals';
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A history and a commit lock in memory, for tests of faults: the store that ships, wrapped. */
export async function memoryState(): Promise<MemoryState> {
  let store = await openSqliteState({ file: ':memory:' });
  /** Everything that changed it, so that it can be made again without what was lost. */
  let log: Call[] = [];
  let synced = 0;
  let holder: object | undefined;
  const processes = new Set<{ kill(): void }>();

  const run = async ({ of, method, args }: Call): Promise<unknown> => {
    const object = of === 'history' ? store : store[of];
    const call = Reflect.get(object, method) as AnyCall;
    // As between threads: what cannot be cloned fails here as well.
    const answer = await Reflect.apply(call, object, structuredClone(args));
    if (writing.includes(method)) log.push({ of, method, args: structuredClone(args) });
    if (durables.includes(method)) synced = log.length;
    return structuredClone(answer);
  };

  const open = (fault: StateFault = {}): StateProcess => {
    const me = {};
    let calls = 0;
    let faulted = false;
    let dead = false;
    let closed = false;
    const kill = () => {
      dead = true;
      if (holder === me) holder = undefined;
    };
    const close = async () => {
      closed = !dead;
      kill();
    };
    processes.add({ kill });

    const stopAt = (when: 'before' | 'after', number: number) => {
      if (closed) throw new VaultError('cancelled', 'The vault was closed in the meantime.');
      if (dead) throw new StateCrash('this process has ended');
      if (when !== (fault.when ?? 'before')) return;
      if (number !== fault.failAt && number !== fault.crashAt) return;
      faulted = true;
      if (number === fault.failAt)
        throw new VaultError('io_failed', 'The disk of the state failed.');
      kill();
      throw new StateCrash(`this process ended ${when} its call ${number}`);
    };
    const counted = async <T>(call: () => T | Promise<T>): Promise<T> => {
      const number = ++calls;
      stopAt('before', number);
      const answer = await call();
      stopAt('after', number);
      return answer;
    };

    const calling = (of: Call['of'], methods: readonly string[]): object =>
      Object.fromEntries(
        methods.map((method) => [
          method,
          (...args: readonly unknown[]) => counted(() => run({ of, method, args })),
        ]),
      );
    const state = calling('history', [...durable, ...light, ...reading]);
    const lock: CommitLock = {
      tryTake: () =>
        counted(() => {
          if (holder !== undefined) return false;
          holder = me;
          return true;
        }),
      release: async () => {
        if (closed) return;
        await counted(() => {
          if (holder === me) holder = undefined;
        });
      },
      close,
    };
    return {
      state: { ...state, close } as unknown as StateStore,
      lock,
      questions: calling('questions', [...deciding, ...asking]) as Questions,
      proposals: calling('proposals', [...deciding, ...asking]) as Proposals,
      dayTotals: calling('dayTotals', counting) as DayTotals,
      calls: () => calls,
      faulted: () => faulted,
      kill,
    };
  };

  const cutPower = async ({ lose }: { lose: 'unsynced' | 'nothing' }): Promise<void> => {
    for (const process of processes) process.kill();
    processes.clear();
    if (lose === 'nothing' || synced === log.length) return;
    const kept = log.slice(0, synced);
    log = [];
    await store.close();
    store = await openSqliteState({ file: ':memory:' });
    for (const call of kept) await run(call);
  };

  return { open, cutPower };
}
