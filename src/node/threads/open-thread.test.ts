import { execFileSync } from 'node:child_process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bundleWorker } from '../../../test/watcher/bundle-worker.ts';
import { VaultError } from '../../base/vault-error.ts';
import { openThread } from './open-thread.ts';

/** What the worker below serves. */
interface Served {
  add(a: number, b: number): Promise<number>;
  fail(kind: 'vault' | 'plain' | 'detail' | 'clone'): Promise<unknown>;
  count(to: number, onNumber: (n: number) => Promise<void>): Promise<string>;
  shout(to: number, onNumber: (n: number) => void): Promise<void>;
  die(how: 'throw' | 'exit'): Promise<void>;
  hang(): Promise<void>;
  announce(): Promise<void>;
  sent(): Promise<number>;
  echo(batch: Batch, onBatch: (batch: Batch, gone: number) => Promise<void>): Promise<void>;
}

interface Batch {
  readonly name: string;
  readonly packed: { readonly bytes: Uint8Array };
}

const entryFile = bundleWorker(
  import.meta.dirname,
  `
  import { parentPort, workerData } from 'node:worker_threads';
  import { VaultError } from '../../base/vault-error.ts';
  import { serveThread } from './serve-thread.ts';
  let sent = 0;
  const served = {
    add: (a, b) => a + b,
    fail: async (kind) => {
      if (kind === 'plain') throw new TypeError('oops');
      if (kind === 'clone') return () => 1;
      if (kind === 'detail') throw new VaultError('conflict', 'Late.', { details: { a: 1, f() {} } });
      throw new VaultError('not_found', 'No such note.', { details: { path: 'a.md' } });
    },
    count: async (to, onNumber) => {
      for (let n = 1; n <= to; n++) {
        sent = n;
        await onNumber(n);
      }
      return 'counted';
    },
    shout: async (to, onNumber) => {
      for (let n = 1; n <= to; n++) onNumber(n);
    },
    die: (how) => {
      if (how === 'exit') process.exit(3);
      setImmediate(() => { throw new Error('worker bug'); });
      return new Promise(() => {});
    },
    hang: () => new Promise(() => {}),
    announce: () => server.notify('news'),
    sent: () => sent,
    echo: async (batch, onBatch) => {
      await onBatch(batch);
      await onBatch({ name: 'left', packed: { bytes: new Uint8Array() } }, batch.packed.bytes.length);
    },
  };
  const open = async () => {
    if (workerData === 'broken') throw new VaultError('io_failed', 'Cannot open.');
    return served;
  };
  const server = serveThread(parentPort, open());
`,
);

/** A program that calls once and then has nothing more to do, its worker still running. */
const callsOnce = bundleWorker(
  import.meta.dirname,
  `
  import { openThread } from './open-thread.ts';
  const { remote } = openThread({ entryFile: process.argv[2], workerData: 'works' });
  console.log(await remote.add(1, 2));
`,
);

function start(workerData = 'works') {
  const notices: string[] = [];
  const deaths: string[] = [];
  const thread = openThread<Served, string>({
    entryFile,
    workerData,
    onNotice: (notice) => notices.push(notice),
    onDeath: () => deaths.push('died'),
  });
  onTestFinished(() => thread.close());
  return { ...thread, notices, deaths };
}

describe('calls', () => {
  test('a call answers with the result', async () => {
    const { remote, ready } = start();
    await ready();
    expect(await Promise.all([remote.add(1, 2), remote.add(3, 4)])).toEqual([3, 7]);
  });

  test.each([
    ['vault', { code: 'not_found', message: 'No such note.', details: { path: 'a.md' } }],
    ['plain', { code: 'internal', message: 'Vaultdoor has a bug: oops', details: {} }],
    ['detail', { code: 'conflict', message: 'Late.', details: { a: 1 } }],
    ['clone', { code: 'internal' }],
  ] as const)('an error of kind %s arrives as a VaultError', async (kind, expected) => {
    const error = await start()
      .remote.fail(kind)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(VaultError);
    expect(error).toMatchObject(expected);
  });

  test('a method that is not served is a bug, not a wait for ever', async () => {
    const remote = start().remote as Served & { missing(): Promise<void> };
    await expect(remote.missing()).rejects.toMatchObject({ code: 'internal' });
  });

  test('a served object that cannot be opened fails every call with the reason', async () => {
    const { ready, remote } = start('broken');
    await expect(ready()).rejects.toMatchObject({ code: 'io_failed', message: 'Cannot open.' });
    await expect(remote.add(1, 2)).rejects.toMatchObject({ code: 'io_failed' });
  });
});

describe('bytes', () => {
  test('among the arguments are handed over, there and back', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const seen: unknown[] = [];
    await start().remote.echo({ name: 'some', packed: { bytes } }, async (batch, left) => {
      seen.push([batch.name, Array.from(batch.packed.bytes), left]);
    });
    expect(bytes).toHaveLength(0);
    expect(seen).toEqual([
      ['some', [1, 2, 3], undefined],
      ['left', [], 0],
    ]);
  });

  test('that share a buffer with others are copied', async () => {
    const bytes = new Uint8Array([1, 2, 3]).subarray(1);
    const seen: number[][] = [];
    await start().remote.echo({ name: 'some', packed: { bytes } }, async (batch) => {
      seen.push(Array.from(batch.packed.bytes));
    });
    expect([Array.from(bytes), seen[0]]).toEqual([
      [2, 3],
      [2, 3],
    ]);
  });
});

describe('callbacks', () => {
  test('a callback that is awaited holds the worker back', async () => {
    const { remote } = start();
    const sentWhenSeen: number[] = [];
    const result = await remote.count(5, async () => {
      sentWhenSeen.push(await remote.sent());
    });
    expect(result).toBe('counted');
    expect(sentWhenSeen).toEqual([1, 2, 3, 4, 5]);
  });

  test('callbacks run one at a time, and all before the answer, though nobody awaits them', async () => {
    const { remote } = start();
    const seen: string[] = [];
    await remote.shout(3, async (n) => {
      seen.push(`in ${n}`);
      await remote.add(1, 1);
      seen.push(`out ${n}`);
    });
    expect(seen).toEqual(['in 1', 'out 1', 'in 2', 'out 2', 'in 3', 'out 3']);
  });

  test.each(['count', 'shout'] as const)(
    'an error in a callback fails %s with that very error',
    async (method) => {
      const { remote } = start();
      const mine = new RangeError('mine');
      const seen: number[] = [];
      const call = remote[method](4, async (n) => {
        seen.push(n);
        if (n === 2) throw mine;
      });
      await expect(call).rejects.toBe(mine);
      expect(seen).toEqual([1, 2]);
      expect(await remote.add(1, 1)).toBe(2);
    },
  );

  test('a notice arrives before the answer that follows it', async () => {
    const { remote, notices } = start();
    await remote.announce();
    expect(notices).toEqual(['news']);
  });
});

describe('ends', () => {
  test.each(['throw', 'exit'] as const)('a worker that dies by %s fails all calls', async (how) => {
    const { remote, deaths } = start();
    const waiting = remote.hang();
    const dying = remote.die(how);
    await expect(waiting).rejects.toMatchObject({ code: 'internal' });
    await expect(dying).rejects.toMatchObject({ code: 'internal' });
    await expect(remote.add(1, 2)).rejects.toMatchObject({ code: 'internal' });
    expect(deaths).toEqual(['died']);
  });

  test('closing cancels what waits, and is not a death', async () => {
    const { remote, close, deaths } = start();
    const waiting = remote.hang();
    const closing = close();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    await closing;
    await expect(remote.add(1, 2)).rejects.toMatchObject({ code: 'cancelled' });
    expect(deaths).toEqual([]);
  });

  test('a process waits for a call, and for nothing else', () => {
    expect(execFileSync(process.execPath, [callsOnce, entryFile], { encoding: 'utf8' })).toBe(
      '3\n',
    );
  });
});
