import { expect, it } from 'vitest';
import { scanNote } from '../../markdown/scan/scan-note.ts';
import { noteFacts } from './scan-file.ts';

it('the facts of the last two texts are remembered, and are those of a scan', () => {
  const [one, two, three] = ['#one', '# Two', '[[three]]'];
  const first = noteFacts(one);
  expect(first).toEqual(scanNote(one));
  noteFacts(two);
  expect(noteFacts(['#', 'one'].join(''))).toBe(first);
  noteFacts(three);
  expect(noteFacts(one)).not.toBe(first);
  expect(noteFacts(one)).toEqual(first);
});

it('a long text is not remembered', () => {
  const text = 'x'.repeat(100_000);
  expect(noteFacts(text)).not.toBe(noteFacts(text));
});
