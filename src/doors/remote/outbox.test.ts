import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Outbox } from './outbox.ts';
import { type RemoteLimits, remoteLimits } from './remote-limits.ts';

/** An outbox whose client reads one piece, and no other until it is told to. */
function unread(changed: Partial<RemoteLimits> = {}) {
  const pieces: string[] = [];
  let taken: () => void = () => undefined;
  const take = (text: string, done: () => void): void => {
    pieces.push(text);
    taken = done;
  };
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => take(chunk.toString(), done),
    writev: (chunks, done) => take(chunks.map(({ chunk }) => String(chunk)).join(''), done),
  });
  let cuts = 0;
  const cutOff = (): void => {
    cuts += 1;
    socket.destroy();
  };
  const outbox = new Outbox(socket, {
    limits: { ...remoteLimits, ...changed },
    cutOff,
    onFull: () => undefined,
  });
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const takeOne = (): Promise<void> => {
    taken();
    return turn();
  };
  const read = async (): Promise<void> => {
    for (let before = -1; before < pieces.length; ) {
      before = pieces.length;
      await takeOne();
    }
  };
  return { outbox, socket, pieces, turn, takeOne, read, cuts: () => cuts };
}

/** The messages in what was written. */
const messagesIn = (pieces: readonly string[]): unknown[] =>
  pieces
    .join('')
    .split(/Content-Length: \d+\r\n\r\n/)
    .slice(1)
    .map((json) => JSON.parse(json));

describe('what is sent', () => {
  it('goes out together with all that is sent in the same turn', async () => {
    const { outbox, pieces, turn } = unread();
    outbox.answer('1', { a: 'é' });
    outbox.refuse({ id: '2', code: -32010, message: 'No.' });
    outbox.notify([{ method: 'fs.changed' }]);
    expect(pieces).toEqual([]);
    await turn();
    expect(pieces).toEqual([
      'Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","id":1,"result":{"a":"é"}}' +
        'Content-Length: 64\r\n\r\n{"jsonrpc":"2.0","id":2,"error":{"code":-32010,"message":"No."}}' +
        'Content-Length: 23\r\n\r\n{"method":"fs.changed"}',
    ]);
  });

  it('is nothing where nobody waits for it', async () => {
    const { outbox, pieces, turn } = unread();
    outbox.answer(undefined, {});
    outbox.refuse({ id: undefined, code: -32010, message: 'No.' });
    await turn();
    expect(pieces).toEqual([]);
  });

  it('is let go when the socket has ended', async () => {
    const { outbox, socket, pieces, turn } = unread();
    outbox.answer('1', 'sent');
    socket.end();
    outbox.answer('2', 'lost');
    await turn();
    expect(messagesIn(pieces)).toEqual([{ jsonrpc: '2.0', id: 1, result: 'sent' }]);
  });
});

describe('a client that does not read', () => {
  it('fills the outbox until it does', async () => {
    const { outbox, turn, read } = unread({ remoteUnsentBytesMax: 100 });
    outbox.answer('1', 'x'.repeat(20));
    await turn();
    expect(outbox.isFull).toBe(false);
    outbox.answer('2', 'x'.repeat(100));
    expect(outbox.isFull).toBe(true);
    await read();
    expect(outbox.isFull).toBe(false);
  });

  it('is not cut off for answers', async () => {
    const { outbox, read, pieces, cuts } = unread({
      remoteUnreadNoticesMax: 10,
      remoteUnreadNoticesMs: 0,
    });
    for (let id = 0; id < 100; id++) outbox.answer(String(id), 'x'.repeat(20));
    outbox.notify([{ n: 1 }]);
    expect(cuts()).toBe(0);
    await read();
    expect(messagesIn(pieces)).toHaveLength(101);
  });

  it('is cut off for notices, but not for those that come at once', async () => {
    const { outbox, turn, cuts } = unread({ remoteUnreadNoticesMax: 10, remoteUnreadNoticesMs: 0 });
    outbox.notify(Array.from({ length: 100 }, (_, n) => ({ n })));
    await turn();
    expect(cuts()).toBe(0);
    outbox.notify([{ n: 100 }]);
    expect(cuts()).toBe(1);
  });

  it('is not cut off while it reads what came at once, whatever else happens', async () => {
    const { outbox, turn, takeOne, read, pieces, cuts } = unread({ remoteUnreadNoticesMax: 10 });
    outbox.notify(Array.from({ length: 10_000 }, (_, n) => ({ n })));
    outbox.notify([{ n: 10_000 }]);
    await turn();
    await takeOne();
    outbox.notify([{ n: 10_001 }]);
    await read();
    expect(cuts()).toBe(0);
    expect(messagesIn(pieces)).toEqual(Array.from({ length: 10_002 }, (_, n) => ({ n })));
  });

  it('is cut off when it reads, but is too far behind', async () => {
    const { outbox, cuts } = unread({ remoteUnreadNoticesMax: 10, remoteLateNoticesMax: 20 });
    outbox.notify(Array.from({ length: 20 }, (_, n) => ({ n })));
    outbox.notify([{ n: 20 }]);
    expect(cuts()).toBe(0);
    outbox.notify([{ n: 21 }]);
    expect(cuts()).toBe(1);
  });

  it('gets answers before notices that wait', async () => {
    const { outbox, turn, read, pieces } = unread();
    outbox.notify(Array.from({ length: 10_000 }, (_, n) => ({ n })));
    await turn();
    outbox.answer('1', 'at once');
    await read();
    const sent = messagesIn(pieces);
    expect(sent).toHaveLength(10_001);
    expect(sent.findIndex((message) => Object.hasOwn(message as object, 'id'))).toBeLessThan(5_000);
  });

  it('is forgiven when it reads again', async () => {
    const { outbox, turn, read, pieces, cuts } = unread({
      remoteUnreadNoticesMax: 10,
      remoteUnreadNoticesMs: 0,
    });
    outbox.notify(Array.from({ length: 100 }, (_, n) => ({ n })));
    await turn();
    await read();
    outbox.notify([{ n: 100 }]);
    await turn();
    await read();
    expect(cuts()).toBe(0);
    expect(messagesIn(pieces)).toHaveLength(101);
  });
});

describe('the result in an answer', () => {
  const long = 'QUJD'.repeat(20_000);
  /** The JSON of a result as it is sent. */
  const sentJson = async (value: unknown): Promise<string> => {
    const { outbox, pieces, turn, read } = unread();
    outbox.answer('1', value);
    await turn();
    await read();
    const [, json = ''] = /"result":(.*)\}$/s.exec(pieces.join('')) ?? [];
    return json;
  };

  it.each([
    ['nothing', null],
    ['an empty object', {}],
    ['a short content', { contentBase64: 'QUJD', mtime: 1 }],
    ['a long content', { contentBase64: long, mtime: 1, size: 60_000 }],
    ['a long content after other fields', { mtime: 1, contentBase64: long }],
    ['a long content alone', { contentBase64: long }],
    ['a long text with quotes', { content: '"\\\n'.repeat(40_000) }],
    ['a list', [{ contentBase64: long }]],
  ])('%s is written as JSON does', async (_what, value) => {
    expect(JSON.parse(await sentJson(value))).toEqual(value);
  });

  it('is null where there is none', async () => {
    expect(await sentJson(undefined)).toBe('null');
  });
});
