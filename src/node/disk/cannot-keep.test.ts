import { expect, test } from 'vitest';
import { cannotKeep } from './cannot-keep.ts';

const words = { birth: /creation/, owner: /belong/, attributes: /attributes/ };

test.each([
  ['linux', 1000, 1000, ['birth', 'attributes']],
  ['linux', 1000, 1001, ['birth', 'owner', 'attributes']],
  ['linux', 0, 1001, ['birth', 'attributes']],
  ['darwin', 501, 501, ['attributes']],
  ['darwin', 501, 0, ['owner', 'attributes']],
  ['win32', undefined, undefined, ['birth', 'attributes']],
] as const)(
  'on %s user %s in a vault of %s cannot keep %j',
  (platform, uid, ownerUid, expected) => {
    const losses = cannotKeep({ platform, uid, ownerUid });
    expect(losses).toHaveLength(expected.length);
    // Only the Mac has a Finder.
    expect(losses.join().includes('Finder')).toBe(platform === 'darwin');
    for (const [i, word] of expected.entries()) expect(losses[i]).toMatch(words[word]);
  },
);
