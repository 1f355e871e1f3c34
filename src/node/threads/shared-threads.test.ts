import { execFileSync } from 'node:child_process';
import * as diagnostics from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundleWorker } from '../../../test/watcher/bundle-worker.ts';
import { SharedThreads } from './shared-threads.ts';

/** What a worker below serves for each vault. */
interface Served {
  root(): Promise<string>;
  thread(): Promise<number>;
  count(to: number, onNumber: (n: number) => Promise<void>): Promise<void>;
  last(): Promise<number>;
  block(ms: number): Promise<void>;
  die(): Promise<void>;
  exit(): Promise<void>;
  unreadable(): Promise<void>;
  close(): Promise<void>;
  closed(): Promise<readonly string[]>;
}

const entryFile = bundleWorker(
  import.meta.dirname,
  `
  import { parentPort, threadId } from 'node:worker_threads';
  import { serveThread } from './serve-thread.ts';
  const closed = [];
  let last = 0;
  parentPort.on('message', (asked) => {
    if (asked === 'end') process.exit();
    const { data, port } = asked;
    serveThread(port, {
      root: () => data.root,
      thread: () => threadId,
      count: async (to, onNumber) => {
        for (let n = 1; n <= to; n++) {
          last = n;
          await onNumber(n);
        }
      },
      last: () => last,
      block: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
      die: () => new Promise(() => { setImmediate(() => { throw new Error('worker bug'); }); }),
      exit: () => new Promise(() => { setImmediate(() => process.exit(1)); }),
      unreadable: () => { port.emit('messageerror', new Error('cannot be read')); },
      close: () => void closed.push(data.root),
      closed: () => closed,
    });
  });
`,
);

function vaultsOf(threads: SharedThreads) {
  return (root: string, onDeath = (): void => undefined) => {
    const workerData = { role: 'scan', root, allowRoots: [] } as const;
    const thread = threads.open<Served>({ entryFile, workerData, onDeath });
    onTestFinished(() => thread.close());
    return thread;
  };
}

/** The workers that are started from now on. */
function startedWorkers(): readonly Worker[] {
  const workers: Worker[] = [];
  const started = (message: unknown): void =>
    void workers.push((message as { worker: Worker }).worker);
  diagnostics.subscribe('worker_threads', started);
  onTestFinished(() => void diagnostics.unsubscribe('worker_threads', started));
  return workers;
}

test('vaults share a thread, each with an object of its own', async () => {
  const open = vaultsOf(new SharedThreads());
  const [a, b] = [open('a'), open('b')];
  expect(await Promise.all([a.remote.root(), b.remote.root()])).toEqual(['a', 'b']);
  expect(await a.remote.thread()).toBe(await b.remote.thread());
});

test('one that is closed ends its own work alone, and is closed in the thread', async () => {
  const open = vaultsOf(new SharedThreads());
  const [a, b] = [open('a'), open('b')];
  const counting = a.remote.count(1_000_000, async (n) => {
    if (n === 3) void a.close();
  });
  await expect(counting).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => b.remote.closed()).toEqual(['a']);
  expect(await b.remote.last()).toBeLessThan(10);
  expect(await b.remote.root()).toBe('b');
});

test('when the thread dies, all are told, and the next one has a new thread', async () => {
  const open = vaultsOf(new SharedThreads());
  const died: string[] = [];
  const [a, b] = [open('a', () => died.push('a')), open('b', () => died.push('b'))];
  const before = await b.remote.thread();
  await expect(a.remote.die()).rejects.toMatchObject({ code: 'internal' });
  await expect(b.remote.root()).rejects.toMatchObject({ code: 'internal' });
  expect(died).toEqual(['a', 'b']);
  expect(await open('c').remote.thread()).not.toBe(before);
});

test('who opens it again as soon as it is told of a death has a new thread', async () => {
  const workers = startedWorkers();
  const open = vaultsOf(new SharedThreads());
  for (const how of ['die', 'exit', 'terminate'] as const) {
    const again = new Promise<string>((resolve, reject) => {
      const a = open('a', () => open('again').remote.root().then(resolve, reject));
      const end = async (): Promise<unknown> => {
        await a.remote.root();
        return how === 'terminate' ? workers.at(-1)?.terminate() : a.remote[how]();
      };
      end().catch(() => undefined);
    });
    expect(await again).toBe('again');
  }
});

test('the reason of a death, which may name a file of one vault, is not told to the others', async () => {
  const open = vaultsOf(new SharedThreads());
  const [a, b] = [open('a'), open('b')];
  const ofB = b.remote.count(2, () => new Promise(() => undefined)).catch((error) => error);
  await a.remote.die().catch(() => undefined);
  const error = await ofB;
  expect(error).toMatchObject({ code: 'internal', details: { threadDied: true } });
  expect(JSON.stringify([error.message, error.details])).not.toContain('worker bug');
});

test('closing one whose thread has died waits for nothing', async () => {
  const waits: unknown[] = [];
  const timeout = globalThis.setTimeout;
  onTestFinished(() => void Object.assign(globalThis, { setTimeout: timeout }));
  const open = vaultsOf(new SharedThreads());
  const a = open('a');
  await expect(a.remote.die()).rejects.toMatchObject({ code: 'internal' });
  // The only timer of closing must not be what ends it.
  Object.assign(globalThis, {
    setTimeout: (...args: unknown[]) => {
      waits.push(args);
      return { unref: () => undefined };
    },
  });
  await a.close();
});

test('a message that cannot be read fails the calls of its vault, and no others', async () => {
  const open = vaultsOf(new SharedThreads());
  const [a, b] = [open('a'), open('b')];
  const waiting = a.remote.count(2, () => new Promise(() => undefined));
  void a.remote.unreadable().catch(() => undefined);
  await expect(waiting).rejects.toMatchObject({ code: 'internal' });
  expect(await b.remote.root()).toBe('b');
  await expect.poll(() => b.remote.closed()).toEqual(['a']);
});

/** A program that waits for one call, in which the worker ends, and for nothing else. */
const diesOnce = bundleWorker(
  import.meta.dirname,
  `
  import { SharedThreads } from './shared-threads.ts';
  const workerData = { role: 'scan', root: 'a', allowRoots: [] };
  const { remote } = new SharedThreads().open({ entryFile: process.argv[2], workerData });
  await remote.root();
  await remote[process.argv[3]]().catch((error) => console.log(error.code));
`,
);

test.each(['die', 'exit'])(
  'a call ends when its thread ends by %s, also if the process has nothing else to do',
  (how) => {
    const run = execFileSync(process.execPath, [diesOnce, entryFile, how], { encoding: 'utf8' });
    expect(run).toBe('internal\n');
  },
);

test('the thread ends with the last that uses it', async () => {
  const open = vaultsOf(new SharedThreads());
  const [a, b] = [open('a'), open('b')];
  const before = await a.remote.thread();
  await a.close();
  expect(await b.remote.thread()).toBe(before);
  await b.close();
  expect(await open('c').remote.thread()).not.toBe(before);
});

test('a thread that nobody uses any more is left to end by itself, however long its work takes', async () => {
  const workers = startedWorkers();
  const open = vaultsOf(new SharedThreads({ endMs: 1 }));
  const a = open('a');
  await a.remote.root();
  const [worker] = workers;
  if (worker === undefined) throw new Error('no worker was started');
  const terminate = vi.spyOn(worker, 'terminate');
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  a.remote.block(200).catch(() => undefined);
  await a.close();
  // The next one has another thread already.
  expect(await open('b').remote.root()).toBe('b');
  expect(await ended).toBe(0);
  expect(terminate).not.toHaveBeenCalled();
});
