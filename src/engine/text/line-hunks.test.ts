import fc from 'fast-check';
import { expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { lineHunks, splitLines } from './line-hunks.ts';

const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n');
const lines = fc.array(line, { maxLength: 12 });

it('splits a text into lines that are the text when joined', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('x', '\n', '\r', '\r\n', 'é')), (parts) => {
      const text = parts.join('');
      const split = splitLines(text);
      expect(split.join('')).toBe(text);
      expect(split.slice(0, -1).every((one) => /^[^\n]*\n$/.test(one))).toBe(true);
    }),
  );
});

it('gives hunks that turn one text into the other, an equal line between any two', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const made: string[] = [];
      let done = { before: 0, after: 0 };
      for (const hunk of lineHunks(before, after)) {
        const kept = before.slice(done.before, hunk.before.start);
        expect(kept).toEqual(after.slice(done.after, hunk.after.start));
        expect(done.before === 0 || kept.length > 0).toBe(true);
        made.push(...kept, ...after.slice(hunk.after.start, hunk.after.end));
        done = { before: hunk.before.end, after: hunk.after.end };
      }
      expect([...made, ...before.slice(done.before)]).toEqual(after);
    }),
  );
});

it('changes as few lines as possible', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const kept = before.length - count(lineHunks(before, after).map((hunk) => hunk.before));
      expect(kept).toBe(longestCommon(before, after));
    }),
  );
});

it('finds each of many thousand rewritten lines, and gives up on as many shuffled ones', () => {
  const before = Array.from({ length: 30_000 }, (_, i) => `${i}\n`);
  const rewritten = before.map((text, i) => (i % 2 === 0 ? text : `new ${text}`));
  expect(lineHunks(before, rewritten)).toHaveLength(15_000);
  const shuffled = before.toSorted();
  const [hunk, ...others] = lineHunks(before, [...shuffled, 'end\n']);
  expect(others).toEqual([]);
  expect(hunk?.before.end).toBe(30_000);
  expect(30_000).toBeGreaterThan(limits.diffEditsMax);
});

function count(ranges: readonly { start: number; end: number }[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The textbook table: how many lines two texts have in common, in order. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = b.map(() => 0);
  for (const one of a) {
    const next: number[] = [];
    b.forEach((other, i) => {
      const above = row[i] ?? 0;
      const corner = i === 0 ? 0 : (row[i - 1] ?? 0);
      next.push(one === other ? corner + 1 : Math.max(above, next[i - 1] ?? 0));
    });
    row = next;
  }
  return row.at(-1) ?? 0;
}
