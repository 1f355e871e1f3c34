import { describe, expect, it } from 'vitest';
import { FrameReader } from './frames.ts';

const max = { headBytes: 100, bodyBytes: 50 };

/** What a reader makes of bytes that come in chunks of this length, and how it ends. */
function read(text: string, chunkBytes: number): { bodies: string[]; end: string } {
  const reader = new FrameReader(max);
  const bytes = Buffer.from(text);
  const bodies: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    reader.push(bytes.subarray(at, at + chunkBytes));
    for (let body = reader.next(); body !== undefined; body = reader.next()) {
      bodies.push(body.toString());
    }
  }
  return { bodies, end: reader.fault ?? (reader.isInside ? 'inside' : 'between') };
}

const rows: readonly [what: string, text: string, bodies: readonly string[], end: string][] = [
  ['one frame', 'Content-Length: 2\r\n\r\n{}', ['{}'], 'between'],
  ['two frames', 'Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1', ['{}', '1'], 'between'],
  ['characters of several bytes', 'Content-Length: 4\r\n\r\n"é"', ['"é"'], 'between'],
  ['an empty body', 'Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n1', ['', '1'], 'between'],
  ['several carriage returns', 'Content-Length: 2\r\r\n\r\r\n{}', ['{}'], 'between'],
  ['bare line feeds', 'Content-Length: 2\n\n{}', ['{}'], 'between'],
  ['no space after the colon', 'Content-Length:2\r\n\r\n{}', ['{}'], 'between'],
  ['spaces around name and value', ' CONTENT-length \t:  2 \r\n\r\n{}', ['{}'], 'between'],
  ['other headers', 'A: b\r\nContent-Length: 2\r\nX-Y:\r\n\r\n{}', ['{}'], 'between'],
  ['a plus sign', 'Content-Length: +2\r\n\r\n{}', ['{}'], 'between'],
  ['zeros in front', 'Content-Length: 002\r\n\r\n{}', ['{}'], 'between'],
  ['two lengths', 'Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}', ['{}'], 'between'],
  [
    'a first length over the limit',
    'Content-Length: 99\r\nContent-Length: 1\r\n\r\n1',
    ['1'],
    'between',
  ],
  ['the longest body', `Content-Length: 50\r\n\r\n${'x'.repeat(50)}`, ['x'.repeat(50)], 'between'],
  ['a line feed as body', 'Content-Length: 1\r\n\r\n\n', ['\n'], 'between'],
  ['nothing', '', [], 'between'],
  ['half a head', 'Content-Le', [], 'inside'],
  ['a head alone', 'Content-Length: 2\r\n\r\n', [], 'inside'],
  ['half a body', 'Content-Length: 2\r\n\r\n{', [], 'inside'],
  ['a body over the limit', 'Content-Length: 51\r\n\r\n', [], 'body too long'],
  ['a length beyond numbers', `Content-Length: ${'9'.repeat(40)}\r\n\r\n`, [], 'body too long'],
  ['a line without a colon', 'Content-Length: 2\r\nhello\r\n', [], 'line without a colon'],
  ['spaces for a line', 'Content-Length: 2\r\n  \r\n{}', [], 'line without a colon'],
  ['no length', 'A: b\r\n\r\n', [], 'no length'],
  ['an empty line first', '\r\nContent-Length: 2\r\n\r\n{}', [], 'no length'],
  ['an empty length', 'Content-Length: \r\n', [], 'length is no number'],
  ['a negative length', 'Content-Length: -2\r\n\r\n{}', [], 'length is no number'],
  ['a hex length', 'Content-Length: 0x2\r\n\r\n{}', [], 'length is no number'],
  ['a fraction', 'Content-Length: 2.0\r\n\r\n{}', [], 'length is no number'],
  [
    'a wrong length before a right one',
    'Content-Length: x\r\nContent-Length: 2\r\n\r\n{}',
    [],
    'length is no number',
  ],
  ['a head without end', 'A'.repeat(101), [], 'head too long'],
  ['many headers', 'A: bcdefg\r\n'.repeat(10), [], 'head too long'],
  ['a fault after a frame', 'Content-Length: 2\r\n\r\n{}hello\n', ['{}'], 'line without a colon'],
  ['frames after a fault', 'hello\nContent-Length: 2\r\n\r\n{}', [], 'line without a colon'],
];

describe.each(rows)('%s', (_what, text, bodies, end) => {
  it.each([1, 2, 3, 7, 1_000])('is read the same in chunks of %i bytes', (chunkBytes) => {
    expect(read(text, chunkBytes)).toEqual({ bodies, end });
  });
});

it('counts what it has looked at, so that strangers can be held to a limit', () => {
  const reader = new FrameReader(max);
  reader.push(Buffer.from('Content-Length: 2\r\n\r\n{}Content-Length: 9\r\n\r\nabc'));
  reader.next();
  reader.next();
  expect(reader.bytesTaken).toBe(21 + 2 + 21 + 3);
});

it('takes no longer for carriage returns inside of a line', () => {
  const reader = new FrameReader({ headBytes: 1_000_000, bodyBytes: 1 });
  reader.push(Buffer.from(`A: ${'\r'.repeat(900_000)}b\nContent-Length: 1\n\n1`));
  const beginMs = performance.now();
  expect(reader.next()?.toString()).toBe('1');
  expect(performance.now() - beginMs).toBeLessThan(1_000); // A search from each of them takes minutes.
});

it('does not make a body whose bytes are yet to come out of those of another', () => {
  const reader = new FrameReader(max);
  const chunk = Buffer.from('Content-Length: 4\r\n\r\nab');
  reader.push(chunk);
  expect(reader.next()).toBeUndefined();
  chunk.fill(0); // A socket may use its buffer again.
  reader.push(Buffer.from('cd'));
  expect(reader.next()?.toString()).toBe('abcd');
});
