import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoChanges } from '../../src/engine/operations/history/undo-changes.ts';
import { markHeard, toldBy } from '../contract/run-remote-event-case.ts';
import { manualTimers } from '../support/manual-timers.ts';
import { openRemoteDoor } from '../support/remote-door.ts';
import { frame, type RemoteFrame, type RemoteWire, request } from '../support/remote-wire.ts';
import { testCaller } from '../support/written-vault.ts';

// What one row cannot say: several messages, several connections, and what is left behind.

const exists = (id: number, path = ''): Buffer => request(id, 'fs.exists', { path });

/** The ids of all that still comes, in the order in which it comes. */
async function idsOf(wire: RemoteWire): Promise<readonly unknown[]> {
  return (await wire.drain()).map(({ id }) => id);
}

describe('order on one connection', () => {
  it('a big read does not hold up a small one (P2)', async () => {
    const door = await openRemoteDoor();
    writeFileSync(join(door.vault, 'big.bin'), Buffer.alloc(11_000_000));
    const wire = await door.enter();
    wire.send(request(1, 'fs.readBinary', { path: 'big.bin' }), exists(2), exists(3));
    expect(await idsOf(wire)).toEqual([2, 3, 1]);
  });

  it('writing calls are made in the order in which they came', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    const ids = Array.from({ length: 50 }, (_, n) => n);
    wire.send(...ids.map((id) => request(id, 'fs.append', { path: 'a.md', content: `${id},` })));
    expect(await idsOf(wire)).toEqual(ids);
    expect(readFileSync(join(door.vault, 'a.md'), 'utf8')).toBe(`${ids.join()},`);
  });

  it('a read that was sent after a write sees it', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    wire.send(
      request(1, 'fs.write', { path: 'd/a.md', content: 'new' }),
      request(2, 'fs.readText', { path: 'd/a.md' }),
      request(3, 'fs.rename', { oldPath: 'd', newPath: 'e' }),
      request(4, 'fs.stat', { path: 'd/a.md' }),
      request(5, 'fs.list', { path: 'e' }),
      request(6, 'fs.rmdir', { path: 'e', recursive: true }),
      request(7, 'fs.walk', { recursive: true }),
    );
    const results = new Map((await wire.drain()).map(({ id, result }) => [id, result]));
    expect(results.get(2)).toMatchObject({ content: 'new' });
    expect(results.get(4)).toBe(null);
    expect(results.get(5)).toMatchObject({ entries: [{ name: 'a.md' }] });
    expect(results.get(7)).toEqual({ entries: [], truncated: false });
  });

  it('a client that half-closes gets every pending answer before we close', async () => {
    const door = await openRemoteDoor();
    const wire = await door.connect();
    wire.send(
      request(1, 'auth', { token: door.token }),
      request(2, 'fs.write', { path: 'a.md', content: 'x'.repeat(1_000_000) }),
      request(3, 'fs.readBinary', { path: 'a.md' }),
      request(4, 'fs.fly'),
    );
    expect([...(await idsOf(wire))].sort()).toEqual([1, 2, 3, 4]);
    expect(statSync(join(door.vault, 'a.md')).size).toBe(1_000_000);
  });

  it('what was complete is answered when the end comes inside a frame', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    wire.send(exists(1), exists(2).subarray(0, 50));
    expect(await idsOf(wire)).toEqual([1]);
  });

  it('a frame may come byte by byte', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    wire.socket.setNoDelay(true);
    for (const byte of exists(1)) {
      wire.send(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    expect(await wire.reply(1)).toMatchObject({ result: { exists: true } });
  });

  it('a thousand questions at once are all answered, once', async () => {
    const door = await openRemoteDoor({ files: { 'a.md': 'x' } });
    const wire = await door.enter();
    const ids = Array.from({ length: 3_000 }, (_, n) => n);
    wire.send(...ids.map((id) => exists(id, 'a.md')));
    const answered = (await idsOf(wire)) as number[];
    expect([...answered].sort((a, b) => a - b)).toEqual(ids);
  });

  it('large answers that nobody reads yet keep nobody else waiting', async () => {
    const door = await openRemoteDoor();
    writeFileSync(join(door.vault, 'big.bin'), Buffer.alloc(8_000_000));
    const deaf = await door.enter();
    deaf.socket.pause();
    deaf.send(
      ...Array.from({ length: 20 }, (_, n) => request(n, 'fs.readBinary', { path: 'big.bin' })),
    );
    const other = await door.enter();
    for (let n = 0; n < 20; n++) await other.result('fs.write', { path: `${n}.md`, content: '' });
    deaf.socket.resume();
    expect(await idsOf(deaf)).toHaveLength(20);
  });
});

describe('several connections', () => {
  it('of two writers that expect the same mtime exactly one wins (C5)', async () => {
    const door = await openRemoteDoor({ files: { 'a.md': 'old' } });
    const writers = await Promise.all(Array.from({ length: 6 }, () => door.enter()));
    for (let round = 0; round < 5; round++) {
      const { mtime } = await (writers[0] as RemoteWire).result('fs.stat', { path: 'a.md' });
      // What is written must have another time than what was there, to be told apart by it.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const replies = await Promise.all(
        writers.map((wire, n) =>
          wire.call('fs.write', { path: 'a.md', content: `${round} ${n}`, expectedMtime: mtime }),
        ),
      );
      const won = replies.flatMap(({ error }, n) => (error === undefined ? [n] : []));
      expect(won).toHaveLength(1);
      expect(new Set(replies.map(({ error }) => error?.code))).toEqual(
        new Set([undefined, -32020]),
      );
      expect(readFileSync(join(door.vault, 'a.md'), 'utf8')).toBe(`${round} ${won[0]}`);
    }
  });

  it('subscriptions belong to their connection (S6)', async () => {
    const door = await openRemoteDoor();
    const [watcher, other] = await Promise.all([door.enter(), door.enter()]);
    const { subscriptionId } = await watcher.result('fs.watch', { path: '', recursive: true });
    expect(await other.result('fs.unwatch', { subscriptionId })).toEqual({});
    await other.result('fs.write', { path: 'a.md', content: '' });
    const told = await watcher.take(({ method }) => method === 'fs.changed');
    expect(told.params).toMatchObject({ subscriptionId, path: 'a.md', event: 'created' });
    expect(other.frames).toEqual([]);
  });

  it('one event, several subscriptions: one notification for each; none after fs.unwatch', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    const ids: unknown[] = [];
    for (const path of ['', 'd', 'd']) {
      ids.push((await wire.result('fs.watch', { path, recursive: true }))['subscriptionId']);
    }
    expect(new Set(ids).size).toBe(3);
    await wire.result('fs.mkdir', { path: 'd' });
    await markHeard(wire, wire, { mark: 'mark-1', subscription: ids[0] });
    const told = (frames: readonly RemoteFrame[]) =>
      frames
        .filter((each) => toldBy(each) === 'created d')
        .map((each) => each.params?.['subscriptionId']);
    expect(told(wire.frames.splice(0)).sort()).toEqual([...ids].sort());
    await wire.result('fs.unwatch', { subscriptionId: ids[1] });
    await wire.result('fs.rmdir', { path: 'd' });
    await wire.result('fs.mkdir', { path: 'd' });
    await markHeard(wire, wire, { mark: 'mark-2', subscription: ids[0] });
    expect(new Set(told(wire.frames.splice(0)))).toEqual(new Set([ids[0], ids[2]]));
  });

  it('mtime of a notification is that of fs.stat, and own writes are echoed', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    await wire.result('fs.watch', { path: '', recursive: true });
    const { mtime } = await wire.result('fs.write', { path: 'a.md', content: '1' });
    const created = await wire.take(({ method }) => method === 'fs.changed');
    expect(created.params).toMatchObject({ path: 'a.md', event: 'created', mtime });
  });

  it('meta.cid of a write is on the notification of it', async () => {
    const door = await openRemoteDoor();
    const wire = await door.enter();
    await wire.result('fs.watch', { path: '', recursive: true });
    const cid = '0123456789abcdef';
    const params = { path: 'a.md', content: '' };
    wire.send(frame({ jsonrpc: '2.0', id: 1, method: 'fs.write', params, meta: { cid } }));
    const told = await wire.take(({ method }) => method === 'fs.changed');
    expect(told).toMatchObject({ params: { path: 'a.md' }, meta: { cid } });
    await wire.result('fs.write', { path: 'a.md', content: 'later' });
    const later = await wire.take(({ method }) => method === 'fs.changed');
    expect(later).not.toHaveProperty('meta');
  });

  it('a subscriber that stops reading is cut off, and nobody is slowed (P1)', async () => {
    const door = await openRemoteDoor({
      limits: { remoteUnreadNoticesMax: 300, remoteUnreadNoticesMs: 0 },
    });
    const deaf = await door.enter();
    for (let n = 0; n < 200; n++) await deaf.result('fs.watch', { path: '', recursive: true });
    deaf.socket.pause();
    const writer = await door.enter();
    const heard = await door.enter();
    await heard.result('fs.watch', { path: '', recursive: true });
    for (let n = 0; n < 500 && door.door.connections === 3; n++) {
      await writer.result('fs.mkdir', { path: `${'long '.repeat(40)}${n}` });
      await heard.take(({ params }) => String(params?.['path']).endsWith(` ${n}`));
    }
    expect(door.door.connections).toBe(2);
    await writer.result('fs.write', { path: 'after.md', content: '' });
    await heard.take(({ params }) => params?.['path'] === 'after.md');
    deaf.socket.resume();
    await deaf.closed;
  });

  it('a connection that vanishes leaves nothing behind', async () => {
    const door = await openRemoteDoor();
    for (let n = 0; n < 10; n++) {
      const wire = await door.enter();
      await wire.result('fs.watch', { path: '', recursive: true });
      wire.send(request(1, 'fs.write', { path: `${n}.md`, content: 'whole' }));
      const started = frame({
        jsonrpc: '2.0',
        id: 2,
        method: 'fs.write',
        params: { path: 'cut.md' },
      });
      wire.send(started.subarray(0, started.length - 5));
      wire.destroy();
    }
    const wire = await door.enter();
    while (door.door.connections > 1) await wire.result('fs.exists', {});
    for (const name of readdirSync(door.vault)) {
      expect(readFileSync(join(door.vault, name), 'utf8')).toBe('whole');
      expect(name).toMatch(/^\d\.md$/);
    }
  });
});

describe('limits of time and number', () => {
  it('an idle client is never closed, one that does not say its token is', async () => {
    const timers = manualTimers();
    const door = await openRemoteDoor({ timers });
    const stranger = await door.connect();
    const idle = await door.enter();
    timers.advance(9_999);
    expect(stranger.isClosed).toBe(false);
    timers.advance(2);
    await stranger.closed;
    timers.advance(30 * 24 * 60 * 60_000);
    expect(await idle.result('fs.exists', {})).toEqual({ exists: true });
  });

  it('strangers cannot keep others out, nor fill memory (S4)', async () => {
    const door = await openRemoteDoor({ limits: { remoteStrangersMax: 4 } });
    const known = await door.enter();
    const strangers = await Promise.all(Array.from({ length: 4 }, () => door.connect()));
    await known.result('fs.exists', {});
    const late = await door.enter();
    await Promise.race(strangers.map(({ closed }) => closed));
    expect(await late.result('fs.exists', {})).toEqual({ exists: true });
    expect(await known.result('fs.exists', {})).toEqual({ exists: true });
  });

  it('a hundred clients are served at once', async () => {
    const door = await openRemoteDoor();
    const wires = await Promise.all(Array.from({ length: 100 }, () => door.enter()));
    const answers = await Promise.all(
      wires.map((wire, n) => wire.result('fs.write', { path: `${n % 10}.md`, content: '' })),
    );
    expect(answers).toHaveLength(100);
  });
});

/** Each way to change a vault, and the text of all files afterwards. */
const changing: readonly [
  method: string,
  params: object,
  files: Readonly<Record<string, string>>,
][] = [
  ['fs.write', { path: 'a.md', content: 'new' }, { 'a.md': 'new', 'd/b.md': 'b' }],
  [
    'fs.writeBinary',
    { path: 'n.md', contentBase64: 'bmV3' },
    { 'a.md': 'a', 'd/b.md': 'b', 'n.md': 'new' },
  ],
  ['fs.append', { path: 'a.md', content: '+' }, { 'a.md': 'a+', 'd/b.md': 'b' }],
  ['fs.appendBinary', { path: 'a.md', contentBase64: 'Kw==' }, { 'a.md': 'a+', 'd/b.md': 'b' }],
  [
    'fs.mkdir',
    { path: 'x/y', recursive: true },
    { 'a.md': 'a', 'd/b.md': 'b', 'x/': '', 'x/y/': '' },
  ],
  ['fs.remove', { path: 'a.md' }, { 'd/b.md': 'b' }],
  ['fs.rmdir', { path: 'd', recursive: true }, { 'a.md': 'a' }],
  ['fs.rename', { oldPath: 'a.md', newPath: 'd/b.md' }, { 'd/b.md': 'a' }],
  ['fs.rename', { oldPath: 'd', newPath: '.e' }, { 'a.md': 'a', '.e/b.md': 'b' }],
  ['fs.copy', { srcPath: 'a.md', destPath: 'd/b.md' }, { 'a.md': 'a', 'd/b.md': 'a' }],
  ['fs.trashLocal', { path: 'd/b.md' }, { 'a.md': 'a', '.trash/d/b.md': 'b' }],
];

describe('every change is in history, and can be undone', () => {
  it.each(changing.map((row) => [`${row[0]} ${JSON.stringify(row[1])}`, ...row] as const))(
    '%s',
    async (_name, method, params, files) => {
      const door = await openRemoteDoor({ files: { 'a.md': 'a', 'd/b.md': 'b' } });
      const wire = await door.enter();
      await wire.result(method, params);
      expect(textsIn(door.vault)).toMatchObject(files);
      const call = { tool: 'undo', args: {}, raw: true };
      const { items } = await door.whole.parts.state.changes({}, { limit: 9, offset: 0 });
      expect(items).toMatchObject([{ door: 'remote', tool: method }]);
      await door.whole.bind(testCaller(), call).change(undoChanges, {});
      expect(textsIn(door.vault)).toEqual({ 'a.md': 'a', 'd/': '', 'd/b.md': 'b' });
    },
  );
});

/** Every file with its text, and every folder. */
function textsIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.length + 1);
      return entry.isDirectory() ? [`${name}/`, ''] : [name, readFileSync(path, 'utf8')];
    }),
  );
}
