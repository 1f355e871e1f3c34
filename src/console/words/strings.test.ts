import { expect, it } from 'vitest';
import { describeChange } from '../../tools/wording/describe-change.ts';
import { strings } from './strings.ts';

it('a planned change is worded as a request', () => {
  const { sentence } = describeChange({
    tool: 'rename_note',
    args: {},
    files: [{ path: 'B.md', did: 'moved', from: 'A.md' }],
  });
  expect(strings.planned(sentence)).toEqual(['Rename ', { name: 'A' }, ' to ', { name: 'B' }]);
});
