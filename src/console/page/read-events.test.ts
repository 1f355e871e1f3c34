import { describe, expect, it } from 'vitest';
import { EventReader } from './read-events.ts';

describe('EventReader', () => {
  it.each<[pieces: string[], expected: string[]]>([
    [['event: a\ndata: 1\n\n'], ['a 1']],
    [
      ['event: a\nda', 'ta: 1\n', '\nevent: b\ndata:2\n\n'],
      ['a 1', 'b 2'],
    ],
    [['id: 3\r\nevent: a\r\ndata: 1\r\n\r\n'], ['a 1']],
    [[': sign of life\n\n', 'data: x\ndata: y\n\n'], [' x\ny']],
    [['event: a\n\n', 'data\n\n'], [' ']],
  ])('%j', (pieces, expected) => {
    const reader = new EventReader();
    const found = pieces.flatMap((piece) => reader.take(piece));
    expect(found.map(({ event, data }) => `${event} ${data}`)).toEqual(expected);
  });

  it('refuses an event without end', () => {
    const reader = new EventReader();
    expect(() => reader.take('x'.repeat(70_000))).toThrow(RangeError);
  });
});
