import { expect, it } from 'vitest';
import { matchingLines } from './matching-lines.ts';
import { parseQuery } from './parse-query.ts';

function found(text: string, query: string): [number, string][] {
  return matchingLines(text, parseQuery(query), { max: 2 }).map(({ line, text: shown }) => [
    line,
    shown,
  ]);
}

it('shows the lines that hold most of the words, in their order', () => {
  expect(found('one\n  red\nblue red\nred\nblue', 'red blue')).toEqual([
    [1, 'red'],
    [2, 'blue red'],
  ]);
});

it('folds as the index does', () => {
  expect(found('x\r\nCRÈME\r\n我是大学生', 'creme')).toEqual([[1, 'CRÈME']]);
  expect(found('x\r\nCRÈME\r\n我是大学生', '大学')).toEqual([[2, '我是大学生']]);
  expect(found('我是大学生', '学')).toEqual([[0, '我是大学生']]);
});

it('leaves excluded words alone and cuts long lines', () => {
  expect(found('a b', 'a -b')).toEqual([[0, 'a b']]);
  expect(found(`word ${'x'.repeat(500)}`, 'word')[0]?.[1]).toHaveLength(201);
});
