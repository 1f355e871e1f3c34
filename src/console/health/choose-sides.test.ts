import { expect, it } from 'vitest';
import { readSides } from '../../engine/operations/conflicts/read-sides.ts';
import { type Choices, chooseText, chosenCount, type Side } from './choose-sides.ts';

const choices = (each: Readonly<Record<number, Side>>, others?: Side): Choices => ({
  each: new Map(Object.entries(each).map(([number, side]) => [Number(number), side])),
  ...(others === undefined ? {} : { others }),
});
const conflict = (total: number, shown: number) => ({
  how: 'lines' as const,
  total,
  choices: Array.from({ length: shown }, (_, at) => ({
    ...{ number: at + 1, line: 1, original: '', copy: '' },
  })),
});

it.each<[chosen: Choices, text: string]>([
  [choices({}), ''],
  [choices({ 2: 'copy', 1: 'both' }), '1=both,2=copy'],
  [choices({ 10: 'copy', 9: 'original' }, 'both'), 'both,9=original,10=copy'],
  [choices({}, 'original'), 'original'],
])('%j is sent as "%s", which the server reads alike', (chosen, text) => {
  expect(chooseText(chosen)).toBe(text);
  if (text === '') return;
  const read = readSides(text);
  expect(read.all).toBe(chosen.others);
  expect(new Map(read.each)).toEqual(chosen.each);
});

it.each<[total: number, shown: number, chosen: Choices, count: number]>([
  [0, 0, choices({}), 0],
  [3, 3, choices({ 1: 'copy' }), 1],
  [30, 20, choices({ 1: 'copy' }, 'both'), 11],
  [1, 0, choices({}, 'copy'), 1],
])('of %i differences, %i shown, %j chooses %i', (total, shown, chosen, count) => {
  expect(chosenCount(conflict(total, shown), chosen)).toBe(count);
});
