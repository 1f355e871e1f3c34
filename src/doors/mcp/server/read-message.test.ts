import { describe, expect, it } from 'vitest';
import { readJson } from '../../../base/read-json.ts';
import { readMessage } from './read-message.ts';

const read = (line: string): unknown => {
  const message = readMessage(readJson(Buffer.from(line)));
  return message.ok ? message.message : [message.refusal.code, message.refusal.id];
};

const nested = (levels: number): string =>
  `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

describe('a line', () => {
  const rows: [string, string, unknown][] = [
    ['that is no JSON', '{', [-32700, null]],
    ['with a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', [-32600, null]],
    ['with a number', '5', [-32600, null]],
    ['with null', 'null', [-32600, null]],
    ['of another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', [-32600, 1]],
    ['without a version', '{"id":"a","method":"ping"}', [-32600, 'a']],
    ['without a method', '{"jsonrpc":"2.0","id":1}', [-32600, 1]],
    ['whose method is a number', '{"jsonrpc":"2.0","id":1,"method":2}', [-32600, 1]],
    ['whose id is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', [-32600, null]],
    ['whose id is no whole number', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', [-32600, null]],
    ['whose id is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', [-32600, null]],
    ['whose params are text', '{"jsonrpc":"2.0","id":1,"method":"x","params":"a"}', [-32600, 1]],
    ['whose params are a list', '{"jsonrpc":"2.0","id":1,"method":"x","params":[]}', [-32600, 1]],
    ['with a bad _meta', '{"jsonrpc":"2.0","id":1,"method":"x","params":{"_meta":3}}', [-32600, 1]],
    ['with a broken answer', '{"jsonrpc":"2.0","id":1,"result":5}', [-32600, null]],
    ['that nests too deep', nested(150), [-32600, 1]],
    ['that nests so deep that it is not parsed', nested(1_000_000), [-32600, null]],
    ['with half a handshake', '{"jsonrpc":"2.0","id":1,"method":"initialize"}', [-32602, 1]],
  ];
  it('may nest a good deal', () => {
    expect(read(nested(90))).toMatchObject({ id: 1 });
  });

  it.each(rows)('%s is refused', (_name, line, refusal) => {
    expect(read(line)).toEqual(refusal);
  });

  it('that is no UTF-8 is refused, so that no replaced character is written', () => {
    const line = Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\xff"}}',
      'latin1',
    );
    expect(readMessage(readJson(line))).toMatchObject({ ok: false, refusal: { code: -32700 } });
  });

  it.each([
    ['a request', { jsonrpc: '2.0', id: 'a', method: 'x', params: { a: 1 } }],
    ['a notification', { jsonrpc: '2.0', method: 'x' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: { action: 'accept' } }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } }],
  ])('with %s is passed on', (_name, message) => {
    expect(read(JSON.stringify(message))).toEqual(message);
  });

  it('may begin with a byte order mark and end with a carriage return', () => {
    expect(read('\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}\r')).toMatchObject({ id: 1 });
  });

  it('loses what a message does not have, and params that are null', () => {
    const line = '{"jsonrpc":"2.0","id":1,"method":"ping","params":null,"trace":"x"}';
    expect(read(line)).toEqual({ jsonrpc: '2.0', id: 1, method: 'ping' });
  });

  it('may name what it leaves out as null, as clients do whose language has no absence', () => {
    const params = { name: 'x', arguments: null, cursor: null, _meta: null };
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    expect(read(JSON.stringify({ ...request, params }))).toEqual({
      ...request,
      params: { name: 'x' },
    });
    const marked = { _meta: { progressToken: null, trace: 'a' }, arguments: { value: null } };
    expect(read(JSON.stringify({ ...request, params: marked }))).toEqual({
      ...request,
      params: { _meta: { trace: 'a' }, arguments: { value: null } },
    });
  });

  it('that is a request and an answer in one is told so', () => {
    const line = '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}';
    expect(readMessage(readJson(Buffer.from(line)))).toMatchObject({
      refusal: {
        id: 1,
        code: -32600,
        message: 'A request must not have a "result" or an "error".',
      },
    });
  });
});
