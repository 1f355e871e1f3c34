import { expect, it } from 'vitest';
import { commonScopes } from './common-scopes.ts';

const asked = { effects: ['read', 'write'], folders: [''], hide: ['a/**'] } as const;
const own = { effects: ['read'], folders: [''], hide: ['b/**'] } as const;
const rest = { effects: ['read'], folders: [''], hide: ['a/**', 'b/**'] };

it.each([
  ['nothing more is hidden where no node hides more', {}, {}, { hideTags: [], hideProperties: [] }],
  [
    'what either node hides is hidden, and the smaller brake holds',
    { hideTags: ['x'], hideProperties: ['secret=true'], brakeFiles: 20 },
    { hideTags: ['x', 'y'], hideProperties: ['draft=true'], brakeFiles: 5 },
    { hideTags: ['x', 'y'], hideProperties: ['secret=true', 'draft=true'], brakeFiles: 5 },
  ],
  [
    'what the owner of the vault alone was told holds for calls of other nodes',
    {},
    { hideTags: ['y'], hideProperties: ['draft=true'], brakeFiles: 5 },
    { hideTags: ['y'], hideProperties: ['draft=true'], brakeFiles: 5 },
  ],
] as const)('%s', (_, more, ownMore, expected) => {
  expect(commonScopes({ ...asked, ...more }, { ...own, ...ownMore })).toEqual({
    ...rest,
    ...expected,
  });
});
