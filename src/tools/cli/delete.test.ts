import { expect, it } from 'vitest';
import { paintFor } from '../../cli/shell/terminal.ts';
import { deleteTool } from './delete.ts';

it.each([
  ['local', '.trash/A.md', 'it is in the trash: .trash/A.md'],
  ['system', 'the trash of the system, as "A.md"', 'it is in the trash of the system, as "A.md"'],
  ['none', undefined, 'it is in no trash: only the history can bring it back'],
])('says where a deleted file is: %s', (trash, where, expected) => {
  const report = { change: 1, dryRun: false, files: [], kept: [], warnings: [] };
  const value = { path: 'A.md', trash, where, linkedFrom: [], unlinked: 0, left: [], ...report };
  expect(deleteTool.text?.(value, paintFor({ isTTY: false }, {})).split('\n')[0]).toBe(expected);
});
