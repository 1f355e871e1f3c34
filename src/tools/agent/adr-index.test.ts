import { expect, it } from 'vitest';
import { indexAddition } from './adr-index.ts';

const decision = {
  note: 'ADR-002-b',
  title: 'Either | or',
  status: 'accepted',
  date: '2026-02-20',
  project: 'vaultdoor',
};
const row = '| [[ADR-002-b]] | Either \\| or | accepted | 2026-02-20 | vaultdoor |';
const table = '| ADR | Title | Status | Date | Project |\n| --- | --- | --- | --- | --- |';

it.each([
  ['a table that is open gets the row alone', `# X\n\n${table}\n| a | b | c | d | e |`, row],
  ['a table without rows, too', table, row],
  ['below a blank line the row brings the header along', `${table}\n| a |\n`, `${table}\n${row}`],
  ['so it does below a text', '# Decisions\n', `${table}\n${row}`],
  ['with a blank line before it where there is none', 'Text', `\n${table}\n${row}`],
  [
    'columns are filled by what they are called',
    '| date | # | who | Decision |\n|:--|--|--|--:|',
    '| 2026-02-20 | [[ADR-002-b]] |  | Either \\| or |',
  ],
  ['a table with lines as on Windows is one', `${table}\n| a |`.replaceAll('\n', '\r\n'), row],
  ['of several tables the last counts', '| A |\n|---|\n\n| Title |\n|---|', '| Either \\| or |'],
])('%s', (_name, index, expected) => {
  expect(indexAddition(index, decision)).toBe(expected);
});
