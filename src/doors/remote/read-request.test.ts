import { describe, expect, it } from 'vitest';
import { readRequest } from './read-request.ts';

const read = (text: string) => readRequest(Buffer.from(text));

describe('what cannot be read is refused without an id', () => {
  it.each([
    ['', -32700],
    ['{', -32700],
    ['hello', -32700],
    ['"text"', -32700],
    ['7', -32700],
    ['true', -32700],
    ['[]', -32700],
    ['[{"jsonrpc":"2.0","id":1,"method":"a"}]', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":7}', -32700],
    ['{"jsonrpc":"2.0","id":1,"method":{}}', -32700],
    ['\ufeff{"jsonrpc":"2.0","id":1,"method":"a"}', -32700],
    ['['.repeat(8_000_000), -32700],
    [`{"jsonrpc":"2.0","id":1,"method":"a","params":${'['.repeat(200)}${']'.repeat(200)}}`, -32700],
    [`{"jsonrpc":"2.0","id":"${'x'.repeat(70_000)}","method":"a"}`, -32600],
  ])('%.60s', (text, code) => {
    expect(read(text)).toMatchObject({ id: 'null', code });
  });
});

describe('what is no request is refused with its id', () => {
  it.each([
    ['{"id":1,"method":"a"}', '1'],
    ['{"jsonrpc":"1.0","id":1,"method":"a"}', '1'],
    ['{"jsonrpc":2,"id":"x","method":"a"}', '"x"'],
    ['{"jsonrpc":"2.0","id":1.50}', '1.50'],
    ['{"jsonrpc":"2.0","id":1,"method":""}', '1'],
    ['{"jsonrpc":"2.0","id":1,"method":null}', '1'],
    // Nobody waits for an answer to these.
    ['{}', undefined],
    ['{"id":null,"method":"a"}', undefined],
    ['{"jsonrpc":"2.0"}', undefined],
  ])('%s', (text, id) => {
    expect(read(text)).toMatchObject({ id, code: -32600 });
  });
});

describe('a request is read', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"a"}', { id: '1', method: 'a', params: undefined }],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', { id: undefined, method: 'a' }],
    ['{"jsonrpc":"2.0","method":"a"}', { id: undefined, method: 'a' }],
    ['{"jsonrpc":"2.0","id":0,"method":"a","params":null}', { id: '0', params: null }],
    ['{"jsonrpc":"2.0","id":{"a": 1},"method":"a","params":[]}', { id: '{"a": 1}', params: [] }],
    ['{"jsonrpc":"2.0","id":false,"method":"a"}', { id: 'false' }],
    ['{"jsonrpc":"2.0","id":1,"method":"é"}', { method: 'é' }],
    ['{"jsonrpc":"2.0","id":1,"method":"a","meta":{"cid":"abc"}}', { cid: 'abc' }],
    ['{"jsonrpc":"2.0","id":1,"method":"a","meta":{"cid":7}}', { cid: undefined }],
    ['{"jsonrpc":"2.0","id":1,"method":"a","meta":"abc"}', { cid: undefined }],
    [
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"content":"\\ud800x\\ud83d\\ude00"}}',
      { params: { content: '\ufffdx😀' } },
    ],
  ])('%s', (text, request) => {
    const seen = read(text);
    expect(seen).toMatchObject(request);
    expect(seen).not.toHaveProperty('code');
  });
});

it('takes null for a notice of nothing', () => {
  expect(read('null')).toBeUndefined();
});
