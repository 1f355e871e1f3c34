import { describe, expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

/** The lines that come out of these chunks; `!` stands for one that was too long. */
function split(chunks: readonly (string | Buffer)[], bytesMax = 10): string[] {
  const splitter = new LineSplitter(bytesMax);
  const lines = chunks.flatMap((chunk) => [...splitter.push(Buffer.from(chunk))]);
  return [...lines, ...splitter.end()].map((line) =>
    line.kind === 'overlong' ? '!' : line.bytes.toString(),
  );
}

describe('lines', () => {
  const euro = Buffer.from('a€b\n');
  const rows: [string, (string | Buffer)[], string[]][] = [
    ['are cut at newlines', ['a\nb\n'], ['a', 'b']],
    ['are joined over chunks', ['a', 'b\nc', 'd\n'], ['ab', 'cd']],
    ['may be empty', ['\n\na\n'], ['', '', 'a']],
    ['need no end at the end of the input', ['a\nb'], ['a', 'b']],
    ['keep their carriage return', ['a\r\n'], ['a\r']],
    [
      'keep characters whole',
      [euro.subarray(0, 2), euro.subarray(2, 3), euro.subarray(3)],
      ['a€b'],
    ],
    ['may be as long as the limit', ['1234567890\n'], ['1234567890']],
    ['are told of once when too long', ['12345678901', '2345', '6\nb\n'], ['!', 'b']],
    ['are skipped inside one chunk', ['a\n12345678901\nb\n'], ['a', '!', 'b']],
    ['that are too long may have no end', ['12345678901'], ['!']],
  ];
  it.each(rows)('%s', (_name, chunks, lines) => {
    expect(split(chunks)).toEqual(lines);
  });

  it('that are too long are told of before they end', () => {
    expect([...new LineSplitter(3).push(Buffer.from('1234'))]).toEqual([{ kind: 'overlong' }]);
  });
});
