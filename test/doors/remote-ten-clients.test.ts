import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { counted } from '../support/counts.ts';
import { DaemonProcess, daemonHome } from '../support/daemon-process.ts';
import { RemoteView, viewFaults, viewOfDisk } from '../support/remote-view.ts';
import { type RemoteWire, request } from '../support/remote-wire.ts';

/** Longer than a client may leave what it is told unread. */
const runMs = counted({ quick: 6_500, full: 30_000 });
const writers = 6;
/** What each client must get done at the very least, on a machine that is busy with other tests. */
const callsMin = counted({ quick: 5, full: 30 });
/** Long enough that what a vanished client has written in part could be told from the whole. */
const whole = 'whole '.repeat(20_000);

/** A write that was acknowledged, by the order in which all writes were sent and acknowledged. */
interface Acknowledged {
  readonly content: string;
  readonly sent: number;
  readonly answered: number;
}

/** What the test knows to be true of the vault. */
class Ledger {
  /** What must be in each file that only one client writes. */
  readonly own = new Map<string, string | undefined>();
  readonly shared = new Map<string, Acknowledged[]>();
  readonly appended: string[] = [];
  #clock = 0;

  async write(wire: RemoteWire, path: string, content: string): Promise<void> {
    const sent = ++this.#clock;
    await wire.result('fs.write', { path, content });
    const all = this.shared.get(path) ?? [];
    all.push({ content, sent, answered: ++this.#clock });
    this.shared.set(path, all);
  }

  /** Whether a text can be there: it was written, and nothing was sent after that was answered. */
  admits(path: string, text: string): boolean {
    const all = this.shared.get(path) ?? [];
    return all.some(
      (one) => one.content === text && !all.some((later) => later.sent > one.answered),
    );
  }
}

/** Does one thing after the other until the time is over, and answers how many. */
async function repeat(endMs: number, work: (n: number) => Promise<void>): Promise<number> {
  let n = 0;
  for (; performance.now() < endMs; n++) await work(n);
  return n;
}

/** Writes its own files, files of all, and lines of a file of all. */
function writing(wire: RemoteWire, me: number, ledger: Ledger) {
  return async (n: number): Promise<void> => {
    const content = `${me} ${n} ${'x'.repeat(n % 3_000)}`;
    const path = `own-${me}/${n % 7}.md`;
    if (n % 4 === 0) {
      await ledger.write(wire, `shared/${n % 5}.md`, content);
    } else if (n % 4 === 1) {
      await wire.result('fs.append', { path: 'shared/log.md', content: `${me} ${n}\n` });
      ledger.appended.push(`${me} ${n}`);
    } else if (n % 11 === 2 && ledger.own.get(path) !== undefined) {
      await wire.result('fs.remove', { path });
      ledger.own.set(path, undefined);
    } else {
      await wire.result('fs.write', { path, content });
      ledger.own.set(path, content);
    }
  };
}

/** Makes a folder with a file, and moves both about: one call of four each time. */
function renaming(wire: RemoteWire, ledger: Ledger) {
  return async (n: number): Promise<void> => {
    const round = n >> 2;
    const [from, to] = [`moving/f${round % 9}`, `moved/f${round % 9}`];
    const steps = [
      ['fs.write', { path: `${from}/deep/a.md`, content: `${round}` }],
      ['fs.rmdir', { path: to, recursive: true }],
      ['fs.rename', { oldPath: from, newPath: to }],
      ['fs.rename', { oldPath: `${to}/deep/a.md`, newPath: `${to}/b.md` }],
    ] as const;
    const [method, params] = steps[(n & 3) as 0 | 1 | 2 | 3];
    if (method === 'fs.rmdir' && round < 9) return;
    await wire.result(method, params);
    const text = `${round}`;
    ledger.own.set(`${from}/deep/a.md`, (n & 3) < 2 ? text : undefined);
    ledger.own.set(`${to}/deep/a.md`, (n & 3) === 2 ? text : undefined);
    ledger.own.set(`${to}/b.md`, (n & 3) === 3 ? text : undefined);
    if ((n & 3) === 0 && round >= 9) ledger.own.set(`${to}/b.md`, `${round - 9}`);
  };
}

/** Comes in, writes, and is gone in the middle of the next write. */
function vanishing(daemon: DaemonProcess) {
  return async (n: number): Promise<void> => {
    const wire = await daemon.enter();
    await wire.result('fs.watch', { path: '', recursive: true });
    const put = request(1, 'fs.write', { path: `vanished/${n % 3}.md`, content: whole });
    wire.send(put);
    await wire.reply(1);
    wire.send(put, put.subarray(0, put.length - 1 - (n % 5_000)));
    await new Promise((resolve) => setTimeout(resolve, n % 20));
    wire.destroy();
  };
}

it('ten clients at once: nothing is lost, nobody is slowed, and every view is true', async () => {
  const daemon = await DaemonProcess.start({ home: daemonHome() });
  const vault = join(daemon.socket, '../../vault');
  const ledger = new Ledger();
  const wires = await Promise.all(Array.from({ length: writers + 2 }, () => daemon.enter()));
  const views = await Promise.all(wires.map((wire) => RemoteView.open(wire)));
  const deaf = await daemon.enter();
  // So many that a slow machine, too, has more to tell it than is kept for anyone.
  for (let n = 0; n < 500; n++) await deaf.result('fs.watch', { path: '', recursive: true });
  deaf.socket.pause();

  const endMs = performance.now() + runMs;
  const [renamer, reader, ...rest] = wires as [RemoteWire, RemoteWire, ...RemoteWire[]];
  const done = await Promise.all([
    ...rest.map((wire, me) => repeat(endMs, writing(wire, me, ledger))),
    repeat(endMs, renaming(renamer, ledger)),
    repeat(endMs, async () => {
      await reader.result('fs.walk', { recursive: true });
      await reader.result('fs.stat', { path: 'shared/log.md' });
    }),
    repeat(endMs, vanishing(daemon)),
  ]);
  expect(
    done.filter((calls) => calls < callsMin),
    `calls of each: ${done.join()}`,
  ).toEqual([]);

  // The one that never read was cut off, and is told so when it looks.
  deaf.socket.resume();
  for (let tries = 0; tries < 100 && !deaf.isClosed; tries++) await moment();
  expect(deaf.isClosed).toBe(true);

  // Views may be a moment late; one that is wrong for good fails by the time of the test.
  const faults = (): readonly string[] => {
    const disk = viewOfDisk(vault);
    return views.flatMap((view) => viewFaults(view.now(), disk)).slice(0, 10);
  };
  for (let tries = 0; tries < 100 && faults().length > 0; tries++) {
    await moment();
  }
  expect(faults()).toEqual([]);

  for (const [path, content] of ledger.own) expect(textOf(vault, path), path).toBe(content);
  for (const path of ledger.shared.keys()) {
    expect(ledger.admits(path, textOf(vault, path) ?? ''), path).toBe(true);
  }
  const lines = (textOf(vault, 'shared/log.md') ?? '').trimEnd().split('\n');
  expect(lines.sort()).toEqual(ledger.appended.sort());
  for (const name of readdirSync(join(vault, 'vanished'))) {
    expect(textOf(vault, `vanished/${name}`), name).toBe(whole);
  }
  expect(await daemon.stop()).toBe(0);
}, 120_000);

function moment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100));
}

function textOf(vault: string, path: string): string | undefined {
  const file = join(vault, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
