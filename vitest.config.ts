import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import type { Extent } from './test/support/counts.ts';

/**
 * Nine projects: `unit`, `faults`, `doors` (the built program, spoken to by its clients) and `console`
 * (its web page, over real sockets) and `media` (many damaged files) need nothing but Node; `sign-in`
 * (attacks on the authorization server over real sockets) needs openssl; `cluster` (the state of vaults
 * in PostgreSQL) needs Debian's PostgreSQL and PgBouncer; `corpora` and `bases` (the language of bases,
 * and real ones) need the vaults and dumps in $VAULTDOOR_SHARED.
 *
 * How much they do is said by the mode (`test/support/counts.ts`): without one they are quick, which
 * is `npm test`; `--mode full` has the full counts; `--mode rest` has the full counts of those files
 * alone that are shortened when they are quick, so that `.ci/run` repeats nothing else. SOAK=1 has
 * the largest counts of all.
 */
export default defineConfig(({ mode }) => {
  const isFull = mode === 'full' || mode === 'rest';
  const extent: Extent = process.env['SOAK'] ? 'soak' : isFull ? 'full' : 'quick';
  const left = mode === 'rest' ? testFiles().filter((file) => !isShortened(file)) : [];

  const project = (
    name: string,
    files: { readonly include: string[]; readonly exclude?: string[] },
    {
      pollTimeout = 20_000,
      ...limits
    }: {
      readonly testTimeout: number;
      readonly hookTimeout: number;
      readonly pollTimeout?: number;
    },
  ): TestProjectInlineConfiguration => ({
    test: {
      name,
      include: files.include,
      exclude: [...(files.exclude ?? []), ...left, 'node_modules/**'],
      // Files of tests share what they import: loading it anew for each would take most of the
      // time, and there is no global state that one could leave to another.
      isolate: false,
      // On a busy machine, what a test polls for may take seconds (by default vitest waits one).
      expect: { poll: { timeout: pollTimeout } },
      provide: { extent },
      ...limits,
    },
  });

  // With the counts of SOAK=1, a test takes as many hours as otherwise minutes.
  const minute = (extent === 'soak' ? 60 : 1) * 60_000;
  return {
    test: {
      // Many tests wait for processes and disks of their own: one worker would wait with them.
      maxWorkers: 3,
      projects: [
        project(
          'unit',
          {
            include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
            exclude: [
              ...[
                'corpora',
                'bases',
                'faults',
                'doors',
                'sign-in',
                'console',
                'media',
                'cluster',
              ].map((each) => `test/${each}/**`),
              // The daemon, and the nodes of a cluster, need Linux or macOS.
              ...(process.platform === 'win32' ? [...ofDaemon, ...ofNodes] : []),
            ],
          },
          { testTimeout: 2 * minute, hookTimeout: 2 * minute },
        ),
        project(
          'faults',
          { include: ['test/faults/**/*.test.ts'] },
          { testTimeout: 5 * minute, hookTimeout: 2 * minute },
        ),
        project(
          'doors',
          { include: ['test/doors/**/*.test.ts'] },
          { testTimeout: minute, hookTimeout: minute },
        ),
        project(
          'sign-in',
          { include: ['test/sign-in/**/*.test.ts'] },
          { testTimeout: minute, hookTimeout: minute },
        ),
        project(
          'console',
          { include: ['test/console/**/*.test.ts'] },
          { testTimeout: minute, hookTimeout: minute },
        ),
        project(
          'cluster',
          { include: ['test/cluster/**/*.test.ts'] },
          // Its tests start many programs; while a vault moves, they wait for all of them.
          { testTimeout: 5 * minute, hookTimeout: 5 * minute, pollTimeout: minute },
        ),
        project(
          'bases',
          { include: ['test/bases/**/*.test.ts'] },
          { testTimeout: minute, hookTimeout: minute },
        ),
        project(
          'media',
          { include: ['test/media/**/*.test.ts'] },
          { testTimeout: 5 * minute, hookTimeout: minute },
        ),
        project(
          'corpora',
          { include: ['test/corpora/**/*.test.ts'] },
          { testTimeout: 5 * minute, hookTimeout: 2 * minute },
        ),
      ],
    },
  };
});

/** The tests of what the daemon alone uses. */
const ofDaemon = [
  'src/cli/options/daemon-options.test.ts',
  'src/engine/watch/tree-*.test.ts',
  'src/node/raw/**',
  'src/node/server/daemon-token.test.ts',
  'src/tools/fs/**',
  'src/tools/service/service-watch.test.ts',
];

/** The tests of what the nodes of a cluster alone use. */
const ofNodes = ['src/node/gate/**'];

function testFiles(): string[] {
  return ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.test.ts')),
  );
}

/** Whether a file of tests does more in full than when it is quick. */
function isShortened(file: string): boolean {
  return /\/counts\.ts'/.test(readFileSync(file, 'utf8'));
}
