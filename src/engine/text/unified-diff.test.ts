import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('');

const rows: readonly [
  behaviour: string,
  file: Parameters<typeof unifiedDiff>[0],
  diff: readonly string[],
][] = [
  ['is empty when nothing changed', { from: 'a.md', to: 'a.md', before: 'x\n', after: 'x\n' }, []],
  [
    'shows changed lines with three lines around them',
    {
      from: 'F/a b.md',
      to: 'F/a b.md',
      before: numbers(1, 9),
      after: numbers(1, 4) + numbers(6, 9),
    },
    [
      'diff --git a/F/a b.md b/F/a b.md',
      '--- a/F/a b.md',
      '+++ b/F/a b.md',
      '@@ -2,7 +2,6 @@',
      ' 2',
      ' 3',
      ' 4',
      '-5',
      ' 6',
      ' 7',
      ' 8',
    ],
  ],
  [
    'shows a new file',
    { to: 'a.md', after: 'x\ny\n' },
    [
      'diff --git a/a.md b/a.md',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/a.md',
      '@@ -0,0 +1,2 @@',
      '+x',
      '+y',
    ],
  ],
  [
    'shows a new empty file',
    { to: 'a.md', after: '' },
    ['diff --git a/a.md b/a.md', 'new file mode 100644'],
  ],
  [
    'shows a file that is gone',
    { from: 'a.md', before: 'x\n' },
    [
      'diff --git a/a.md b/a.md',
      'deleted file mode 100644',
      '--- a/a.md',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
    ],
  ],
  [
    'shows a move',
    { from: 'a.png', to: 'F/b.png' },
    ['diff --git a/a.png b/F/b.png', 'rename from a.png', 'rename to F/b.png'],
  ],
  [
    'shows a move with a change',
    { from: 'a.md', to: 'b.md', before: 'x\n', after: 'y\n' },
    [
      'diff --git a/a.md b/b.md',
      'rename from a.md',
      'rename to b.md',
      '--- a/a.md',
      '+++ b/b.md',
      '@@ -1 +1 @@',
      '-x',
      '+y',
    ],
  ],
  [
    'says where the final line end is missing',
    { from: 'a.md', to: 'a.md', before: 'x', after: 'x\ny' },
    [
      'diff --git a/a.md b/a.md',
      '--- a/a.md',
      '+++ b/a.md',
      '@@ -1 +1,2 @@',
      '-x',
      '\\ No newline at end of file',
      '+x',
      '+y',
      '\\ No newline at end of file',
    ],
  ],
  [
    'shows line ends as they are',
    { from: 'a.md', to: 'a.md', before: 'x\r\ny\n', after: 'x\ny\n' },
    ['diff --git a/a.md b/a.md', '--- a/a.md', '+++ b/a.md', '@@ -1,2 +1,2 @@', '-x\r', '+x', ' y'],
  ],
  [
    'shows a BOM as a change of the first line',
    { from: 'a.md', to: 'a.md', before: bytes(0xef, 0xbb, 0xbf, 0x78), after: 'x' },
    [
      'diff --git a/a.md b/a.md',
      '--- a/a.md',
      '+++ b/a.md',
      '@@ -1 +1 @@',
      '-\ufeffx',
      '\\ No newline at end of file',
      '+x',
      '\\ No newline at end of file',
    ],
  ],
  [
    'does not show what is not text',
    { from: 'a.png', to: 'a.png', before: bytes(0x89, 0), after: bytes(0x89, 1) },
    ['diff --git a/a.png b/a.png', 'Binary files a/a.png and b/a.png differ'],
  ],
  [
    'shows the text of a note that has a NUL',
    { from: 'a.md', to: 'a.md', before: bytes(0x61, 10), after: bytes(0x61, 0, 10) },
    ['diff --git a/a.md b/a.md', '--- a/a.md', '+++ b/a.md', '@@ -1 +1 @@', '-a', '+a\0'],
  ],
  [
    'does not show bytes that are not UTF-8',
    { to: 'a.md', after: bytes(0xff) },
    [
      'diff --git a/a.md b/a.md',
      'new file mode 100644',
      'Binary files /dev/null and b/a.md differ',
    ],
  ],
  [
    'is empty for the same bytes that are not text',
    { from: 'a.png', to: 'a.png', before: bytes(0x89, 0), after: bytes(0x89, 0) },
    [],
  ],
  [
    'says that contents are lost',
    { from: 'a.md', to: 'a.md', lost: true },
    ['diff --git a/a.md b/a.md', 'The contents are not kept any more.'],
  ],
  [
    'quotes a name with a quote, and no other',
    { from: 'a "b".md', to: 'и.md' },
    ['diff --git "a/a \\"b\\".md" b/и.md', 'rename from "a \\"b\\".md"', 'rename to и.md'],
  ],
];

describe('unifiedDiff', () => {
  it.each(rows)('%s', (_, file, diff) => {
    expect(unifiedDiff(file)).toBe(diff.map((line) => `${line}\n`).join(''));
  });

  it('shows changes that are near as one hunk, and those that are far as two', () => {
    const changed = (lines: string): string => lines.replace('10\n', '').replace('20\n', '');
    const hunks = (before: string): number =>
      unifiedDiff({ from: 'a', to: 'a', before, after: changed(before) }).split('\n@@ ').length - 1;
    expect(hunks(numbers(1, 30))).toBe(2);
    expect(hunks(numbers(1, 12) + numbers(17, 30))).toBe(1);
  });

  it('can be applied', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\r\n', '+\n', '-- x\n', '@@\n');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'end', 'a'))
      .map(([lines, end]) => lines.join('') + end);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff({ from: 'a.md', to: 'a.md', before, after });
        if (before === after) expect(diff).toBe('');
        else expect(applyPatch(before, diff, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: 300 },
    );
  });
});
