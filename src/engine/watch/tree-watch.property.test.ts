import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { counted, soakTime } from '../../../test/support/counts.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { rawDiskOf, watchFolder } from '../../../test/support/watched-folder.ts';
import type { FileEvent } from '../ports/raw-disk.ts';

// Whoever applies what it is told, event by event, knows the vault as it is.

const path = fc
  .array(fc.constantFrom('a', 'b', 'c', '.d'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('write' as const), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('make' as const), path }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), path }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('rename' as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('link' as const), path, to: path }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('look' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('a client that applies the events has what is on disk', {
  timeout: soakTime(240_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const root = tempFolder({ 'a/b/c': 'one', b: 'two', '.d/a': 'three' });
      const { told, close } = await watchFolder(root);
      const known = await entriesOf(root);
      for (const [i, each] of steps.entries()) {
        if (each.do === 'look') apply(await told(), known);
        else act(root, each, i);
      }
      apply(await told(), known);
      expect(withoutFolderTimes(root, known)).toEqual(await entriesOf(root));
      await close();
    }),
    { numRuns: counted({ quick: 30, full: 100, soak: 2_000 }) },
  );
});

/** Applies events as a client would that trusts them: nothing twice, nothing without its folder. */
function apply(events: readonly FileEvent[], known: Map<string, number>): void {
  for (const event of events) {
    const { path } = event;
    expect(known.has(path), `${event.event} ${path}`).toBe(event.event !== 'created');
    if (event.event === 'deleted') {
      expect([...known.keys()].filter((other) => other.startsWith(`${path}/`))).toEqual([]);
      known.delete(path);
      continue;
    }
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    expect(folder === '' || known.has(folder), `the folder of ${path}`).toBe(true);
    known.set(path, event.mtimeMs);
  }
}

/** What is in the vault, with the times of what is no folder: those of folders nobody tells. */
async function entriesOf(root: string): Promise<Map<string, number>> {
  const { entries } = await rawDiskOf(root).walk('', { recursive: true, entriesMax: 10_000 });
  return new Map(entries.map(({ path, kind, mtimeMs }) => [path, kind === 'folder' ? 0 : mtimeMs]));
}

function withoutFolderTimes(root: string, known: ReadonlyMap<string, number>): Map<string, number> {
  const isFolder = (path: string): boolean =>
    lstatSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
  return new Map(Array.from(known, ([path, mtimeMs]) => [path, isFolder(path) ? 0 : mtimeMs]));
}

/** Does what is possible of a step; the rest is of no interest. */
function act(root: string, each: Exclude<Step, { do: 'look' }>, number: number): void {
  const at = join(root, each.path);
  try {
    if (each.do === 'write') writeFileSync(at, `${number}`.repeat(number + 1));
    else if (each.do === 'make') mkdirSync(at, { recursive: true });
    else if (each.do === 'remove') rmSync(at, { recursive: true });
    else if (each.do === 'rename') renameSync(at, join(root, each.to));
    else symlinkSync(join(root, each.to), at);
  } catch (error) {
    expect(error).toHaveProperty('code'); // The system's refusal.
  }
}
