import fc from 'fast-check';
import { expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { collated, compareCollated } from './collated-text.ts';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const runs = counted({ quick: 2_000, full: 20_000, soak: 500_000 });

const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'z', '0', '1', '9', ' ', '-', '_', '.', '/') }),
  fc.string({ unit: fc.constantFrom('a', 'é', 'ß', '0', '7', '中', ' ', "'"), maxLength: 6 }),
  fc.bigInt({ min: 0n, max: 10n ** 120n }).map(String),
);

it('keys have the order of the collator', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareCollated(collated(a), collated(b)))).toBe(
        Math.sign(collator.compare(a, b)),
      );
    }),
    { numRuns: runs },
  );
});
