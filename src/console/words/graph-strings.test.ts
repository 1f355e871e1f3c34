import { expect, it } from 'vitest';
import { graphStrings } from './graph-strings.ts';

it.each<[files: { all: number; others?: number }, expected: string]>([
  [{ all: 44, others: 2 }, '42 notes, 2 canvases and bases in 3 folders.'],
  [{ all: 2, others: 1 }, '1 note, 1 canvas or base in 3 folders.'],
  [{ all: 42, others: 0 }, '42 notes in 3 folders.'],
  [{ all: 12_000 }, '12,000 notes, canvases and bases in 3 folders.'],
])('a graph of %j counts notes as Health does', (files, expected) => {
  expect(graphStrings.folders(3, files)).toContain(expected);
});
