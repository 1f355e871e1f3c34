import { expect, it } from 'vitest';
import type { ShownProposalRow } from '../../doors/console/console-wire.ts';
import { lookOf, nameShown } from './proposal-look.ts';

const proposal: ShownProposalRow = {
  id: 'p12',
  state: 'open',
  timeMs: 1,
  expiresMs: 2,
  tool: 'append_note',
  args: {},
  asker: { door: 'mcp-stdio' },
  files: [{ path: 'A.md', did: 'changed' }],
  shownAs: 'p12@3f9a01',
  diff: '+0123456789',
};
const shown = lookOf({ proposal }, { charsMax: 100, before: undefined });
const folded = lookOf({ proposal }, { charsMax: 5, before: undefined });

it('a long diff is folded, and its plan is accepted all the same', () => {
  expect([shown.isFolded, folded.isFolded]).toEqual([false, true]);
  expect(folded.proposal.files).toEqual(proposal.files);
  expect(nameShown('p12', folded)).toBe('p12@3f9a01');
  expect(nameShown('p12', undefined)).toBe('p12');
});

it('a diff that is shown stays shown when the card looks again', () => {
  const again = { proposal: { ...proposal, shownAs: 'p12@000000' } };
  const now = lookOf(again, { charsMax: 5, before: shown });
  expect([now.isFolded, nameShown('p12', now)]).toEqual([false, 'p12@000000']);
  expect(lookOf(again, { charsMax: 5, before: folded }).isFolded).toBe(true);
});
