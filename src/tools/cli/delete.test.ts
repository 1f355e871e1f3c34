import { expect, it } from 'vitest';
import { paintFor } from '../../cli/shell/terminal.ts';
import { deleteTool } from './delete.ts';

it('says how many links are lost, also before it happens', () => {
  const report = { change: 1, files: [], kept: [], warnings: [], diff: '' };
  const linkedFrom = [
    { path: 'B.md', line: 3 },
    { path: 'C.md', line: 1 },
  ];
  const value = { path: 'A.md', trash: 'none', linkedFrom, unlinked: 0, left: [], ...report };
  const text = (dryRun: boolean) =>
    deleteTool.text?.({ ...value, dryRun }, paintFor({ isTTY: false }, {}));
  expect(text(false)).toContain('2 links to it lead nowhere now:\n  B.md:3\n  C.md:1\n');
  expect(text(true)).toMatch(/^2 links to it would lead nowhere\n/);
});

it.each([
  ['local', '.trash/A.md', 'it is in the trash: .trash/A.md'],
  ['system', 'the trash of the system, as "A.md"', 'it is in the trash of the system, as "A.md"'],
  ['none', undefined, 'it is in no trash: only the history can bring it back'],
])('says where a deleted file is: %s', (trash, where, expected) => {
  const report = { change: 1, dryRun: false, files: [], kept: [], warnings: [] };
  const value = { path: 'A.md', trash, where, linkedFrom: [], unlinked: 0, left: [], ...report };
  expect(deleteTool.text?.(value, paintFor({ isTTY: false }, {})).split('\n')[0]).toBe(expected);
});
