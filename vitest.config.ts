import { defineConfig } from 'vitest/config';

/**
 * Two projects: `unit` needs nothing but Node and is what `npm test` runs; `corpora` needs the
 * vaults and dumps in $VAULTDOOR_SHARED.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/corpora/**', 'node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'corpora',
          include: ['test/corpora/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
