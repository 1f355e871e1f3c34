import fc from 'fast-check';
import { expect, it } from 'vitest';
import { counted } from '../../../../test/support/counts.ts';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { vaultFolder } from '../../../base/vault-path.ts';
import { openRipgrep } from './ripgrep.ts';

// Two ways to the same answer: on all cores and sorted here, or on one core in the program's own
// order. The names are few, and their order is easily got wrong: what is in `a` comes before `a!`
// and `a.md` although `!` and `.` come before `/`, and bytes are compared, not UTF-16.

const { env, platform } = process;
const part = fc.constantFrom('a', 'a', 'a!', 'a b', 'b', '-x', '\uff46', '😀', '.h');
const path = fc
  .tuple(fc.array(part, { maxLength: 2 }), part, fc.constantFrom('.md', '.md', '.canvas', '.txt'))
  .map(([folders, last, extension]) => [...folders, `${last}${extension}`].join('/'));
const text = fc
  .array(fc.constantFrom('needle', 'hay', 'needle in hay\r', 'two needles, one needle', '\0'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((lines) => lines.join('\n'));
const vault = fc.dictionary(path, text, { minKeys: 10, maxKeys: 20, noNullPrototype: true });
const request = fc.record({
  pattern: fc.constantFrom('needle', '^needle$', 'needles?|hay', 'nothing'),
  glob: fc.constantFrom('', '*', '*.md', 'a/**', '!*a*', '**/b*/**', '{a,b}*'),
  folders: fc.constantFrom([''], ['a', 'b'], ['b', 'a!', 'a', 'a/b', '😀', '\uff46']),
  linesMax: fc.nat({ max: 12 }),
  wanted: fc.constantFrom('', 'a', '.md'),
});

/** A vault and a request in which something is found, whatever the others are. */
const example = { 'a.md': 'needle', 'a/b.md': 'hay\nneedle in hay' };
const whole = { pattern: 'needle', glob: '', folders: [''], linesMax: 12, wanted: '' } as const;

const usual = {
  pattern: 'needle',
  folders: [vaultFolder('')],
  wants: () => true,
  linesMax: 100,
  lineCharsMax: 10,
  signal: new AbortController().signal,
  deadlineMs: 60_000,
};

it.each([0, 1024 * 1024])('sorts by name, then by line, with %i bytes held', async (held) => {
  const sorted = ['a/x.md', 'a!/x.md', 'a!.md', 'a.md', 'b.md', '\uff46.md', '😀.md'];
  const root = tempFolder(
    Object.fromEntries(sorted.toReversed().map((each) => [each, 'needle\nneedle'])),
  );
  const search = openRipgrep({ root, env, platform, unsortedBytesMax: held });
  const { lines } = await search.search(usual);
  expect(lines.map(({ path, line }) => `${path}:${line}`)).toEqual(
    sorted.flatMap((each) => [`${each}:1`, `${each}:2`]),
  );
});

it('finds the same lines on all cores as on one', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(vault, request, async (files, { wanted, folders, ...rest }) => {
      const root = tempFolder(files);
      const find = (unsortedBytesMax: number) =>
        openRipgrep({ root, env, platform, unsortedBytesMax }).search({
          ...usual,
          ...rest,
          folders: folders.map(vaultFolder),
          wants: (each) => each.includes(wanted),
        });
      const onAllCores = await find(1024 * 1024);
      const onOne = await find(0);
      expect(onAllCores.lines).toEqual(onOne.lines);
      expect(onAllCores.more).toBe(onOne.more);
      found += onOne.lines.length;
    }),
    { numRuns: counted({ quick: 8, full: 20, soak: 500 }), examples: [[example, whole]] },
  );
  expect(found).toBeGreaterThan(0);
});
