import { limits } from '../../src/base/limits.ts';
import { frame } from '../support/remote-wire.ts';
import { answered, closes, question, type RemoteCase, says } from './remote-case.ts';

const size = Buffer.byteLength(question);
/** The question under these lines of a head. */
const under = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n${question}`;
const parseError = { id: 'null', error: -32700 };
const cap = 16_777_216;

/** Section 1.1: heads that are read, all of them before the same question. */
const readable: readonly [row: string, bytes: string][] = [
  ['frame: header lines, blank line, body of exactly N bytes', under(`Content-Length: ${size}`)],
  ['header name match: case-insensitive, lower', under(`content-length: ${size}`)],
  ['header name match: case-insensitive, upper', under(`CONTENT-LENGTH: ${size}`)],
  ['spaces around name and value trimmed', under(` Content-Length :   ${size}  `)],
  ['space after colon optional', under(`Content-Length:${size}`)],
  ['a bare LF is tolerated', `Content-Length: ${size}\n\n${question}`],
  ['a bare LF beside CRLF is tolerated', `A: b\nContent-Length: ${size}\r\n\n${question}`],
  [
    'unknown headers are ignored, before',
    under('Content-Type: application/vscode-jsonrpc; charset=utf-8', `Content-Length: ${size}`),
  ],
  ['unknown headers are ignored, after', under(`Content-Length: ${size}`, 'X-Other: a: b')],
  ['unknown headers are ignored, empty', under('X-Empty:', `Content-Length: ${size}`)],
  [
    'unknown headers are ignored, long',
    under(`X: ${'a'.repeat(4_000)}`, `Content-Length: ${size}`),
  ],
  ['repeated Content-Length: last one wins', under('Content-Length: 3', `Content-Length: ${size}`)],
  ['number syntax: decimal integer, zeros first', under(`Content-Length: 00${size}`)],
  ['number syntax: a leading + is accepted', under(`Content-Length: +${size}`)],
];

/** Section 1.1: fatal framing faults, which close silently. */
const fatal: readonly [row: string, bytes: string | Buffer][] = [
  ['line without colon', `Content-Length ${size}\r\n\r\n${question}`],
  ['line without colon after a good one', under(`Content-Length: ${size}`, 'nonsense')],
  ['missing Content-Length', under('Content-Type: text/plain')],
  ['negative Content-Length', under('Content-Length: -5')],
  ['non-numeric Content-Length', under('Content-Length: many')],
  ['number syntax: hex', under(`Content-Length: 0x${size.toString(16)}`)],
  ['number syntax: a fraction', under(`Content-Length: ${size}.0`)],
  ['number syntax: an exponent', under('Content-Length: 1e2')],
  ['number syntax: nothing', under('Content-Length:')],
  ['number syntax: two numbers', under(`Content-Length: ${size} ${size}`)],
  ['number syntax: more than any number holds', under(`Content-Length: ${'9'.repeat(40)}`)],
  ['blank line first', `\r\n${under(`Content-Length: ${size}`)}`],
  ['over-size: +1 closes at once without reading the body', `Content-Length: ${cap + 1}\r\n\r\n`],
  ['header length limit: endless line', 'a'.repeat(limits.remoteHeadBytesMax + 1)],
  ['header length limit: endless lines', 'a: b\r\n'.repeat(limits.remoteHeadBytesMax / 6 + 1)],
];

export const remoteFramingCases: readonly RemoteCase[] = [
  ...readable.map(([row, bytes]) => ({ row: `1.1 ${row}`, steps: [says([bytes], answered)] })),
  ...fatal.map(([row, bytes]) => ({
    row: `1.1 fatal framing faults close silently: ${row}`,
    steps: [closes([bytes])],
  })),
  {
    row: '1.1 fatal framing faults: complete frames before one are answered',
    steps: [closes([frame(question), 'nonsense\r\n\r\n'], answered)],
  },
  {
    row: '1.1 fatal framing faults close silently: before auth too',
    stranger: true,
    steps: [closes(['nonsense\r\n\r\n'])],
  },
  {
    row: '1.1 cap, inbound at server: equal is allowed',
    steps: [says([frame(question.padEnd(cap))], answered)],
  },
  {
    row: '1.1 zero-length body: ParseError with id null, connection continues',
    steps: [says([frame('')], parseError), says([frame(question)], answered)],
  },
  {
    row: '1.1 pipelining: several frames per write are fine',
    steps: [
      says(
        [1, 2, 3].map((id) => frame(question.replace('"id":1', `"id":${id}`))),
        ...['1', '2', '3'].map((id) => ({ ...answered, id })),
      ),
    ],
  },
  {
    row: '1.1 body counts bytes of UTF-8, not characters',
    files: { 'Übung 😀.md': 'x' },
    steps: [
      says(
        [frame('{"jsonrpc":"2.0","id":1,"method":"fs.exists","params":{"path":"Übung 😀.md"}}')],
        answered,
      ),
      says([frame(question)], answered),
    ],
  },
];
