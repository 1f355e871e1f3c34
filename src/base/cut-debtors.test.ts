import { expect, it } from 'vitest';
import { cutDebtors } from './cut-debtors.ts';

it.each<[readonly number[], number, readonly number[]]>([
  [[], 0, []],
  [[5, 5], 10, []],
  [[5, 6], 10, [6]],
  [[1, 9, 2, 8], 10, [9, 8]],
  [[1, 9, 2, 8], 0, [9, 8, 2, 1]],
  [[0, 0, 3], 2, [3]],
])('of clients who owe %j, %i bytes may be owed: cuts those who owe %j', (owed, bytesMax, cut) => {
  const gone: number[] = [];
  const clients = owed.map((unreadBytes) => ({ unreadBytes }));
  cutDebtors(clients, { bytesMax, cutOff: ({ unreadBytes }) => gone.push(unreadBytes) });
  expect(gone).toEqual(cut);
});
