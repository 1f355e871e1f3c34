import { defineConfig } from 'vitest/config';

/**
 * Four projects: `unit`, `faults` and `doors` (the built program, spoken to by its clients) need
 * nothing but Node and are what `npm test` runs; `corpora` needs the vaults and dumps in
 * $VAULTDOOR_SHARED. Files of tests share what they import: loading it anew for each would take
 * most of the time, and there is no global state that one could leave to another.
 */
export default defineConfig({
  test: {
    // Many tests wait for processes and disks of their own: one worker would wait with them.
    maxWorkers: 2,
    projects: [
      {
        test: {
          isolate: false,
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['test/corpora/**', 'test/faults/**', 'test/doors/**', 'node_modules/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          isolate: false,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          isolate: false,
          name: 'doors',
          include: ['test/doors/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          isolate: false,
          name: 'corpora',
          include: ['test/corpora/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
