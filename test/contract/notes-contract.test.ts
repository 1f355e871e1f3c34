import { expect, it } from 'vitest';
import { notesCases } from './notes-cases.ts';
import { describeCases } from './run-case.ts';
import { serviceDoor } from './service-door.ts';

describeCases(serviceDoor, notesCases);

it('no two cases have one id', () => {
  const ids = notesCases.map((each) => each.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

it('every tool and every question of the seed has a case', () => {
  const ids = notesCases.map((each) => each.id);
  const numbers = (count: number): string[] =>
    Array.from({ length: count }, (_, n) => String(n + 1).padStart(2, '0'));
  const wanted = [
    ...numbers(16).map((number) => `N${number}`),
    ...numbers(16).map((number) => `NQ${number}`),
  ];
  expect(wanted.filter((id) => !ids.some((each) => each.startsWith(id)))).toEqual([]);
});
