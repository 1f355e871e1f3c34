import { limits } from '../../src/base/limits.ts';
import type { KnockRow } from './head-cases.ts';
import { hello, ping } from './knock.ts';

const noJson = '400 -32700 The body is not JSON in UTF-8.';
const noMessage = '400 -32600 ';
const tooLarge = '413 -32000 The body of this request is larger than 16777216 bytes';
const tooMuchHead = '431 -32000 The headers of this request are larger than this server accepts.';
const large = limits.httpBodyBytesMax + 1;

/** What is too much, or nothing at all. */
export const sizeRows: readonly KnockRow[] = [
  ['a large header', { headers: [`X-A: ${'a'.repeat(limits.httpHeaderBytesMax)}`] }, tooMuchHead],
  [
    'many headers',
    { headers: Array.from({ length: 2_000 }, (_, index) => `X-${index}: aaaaaaaa`) },
    tooMuchHead,
  ],
  ['a long address', { line: `GET /${'a'.repeat(20_000)} HTTP/1.1` }, tooMuchHead],
  ['a body that says it is large', { headers: [`Content-Length: ${large}`], body: '' }, tooLarge],
  [
    'the same by someone who waits to be asked for it',
    { headers: [`Content-Length: ${large}`, 'Expect: 100-continue'], body: '' },
    tooLarge,
  ],
  [
    'a body that turns out to be large',
    {
      headers: ['Transfer-Encoding: chunked'],
      body: `${large.toString(16)}\r\n${' '.repeat(large)}\r\n0\r\n\r\n`,
    },
    tooLarge,
  ],
  ['another expectation', { headers: ['Expect: gold'] }, '417 -32000 The only expectation'],
  ['a packed body', { headers: ['Content-Encoding: gzip'], body: '\x1f\x8b\b' }, noJson],
  ['no JSON', { body: '{"jsonrpc":"2.0"' }, noJson],
  ['no body', { headers: ['Content-Length: 0'], body: '' }, noJson],
  ['a number', { body: '7' }, `${noMessage}A message must be a JSON object.`],
  ['nothing', { body: 'null' }, `${noMessage}A message must be a JSON object.`],
  ['an empty batch', { body: [] }, `${noMessage}Bad Request: empty JSON-RPC batch`],
  [
    'a large batch',
    { body: Array(101).fill(ping) },
    `${noMessage}A batch must have between 1 and 100`,
  ],
  ['a session in a batch', { body: [ping, hello] }, `${noMessage}"initialize" must be sent alone`],
  [
    'a message that nests deep',
    {
      body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(150)}1${'}'.repeat(151)}`,
    },
    `${noMessage}The message nests too deep.`,
  ],
  [
    'one that nests deeper',
    { body: `${'['.repeat(100_000)}${']'.repeat(100_000)}` },
    `${noMessage}The JSON nests deeper than 200 levels.`,
  ],
  ['one that never ends to nest', { body: '['.repeat(8_000_000) }, noJson],
  [
    'one with many values',
    { body: `[${'[],'.repeat(limits.jsonValuesMax)}1]` },
    `${noMessage}The JSON has more than ${limits.jsonValuesMax} values; send less at once.`,
  ],
  ['a method that is none', { body: { ...ping, method: '__proto__' } }, '200 -32601'],
  ['an id that is none', { body: { ...ping, id: {} } }, noMessage],
  ['an accent that nobody speaks', { headers: ['Accept: image/png'] }, '406 -32000 The answer is'],
];
