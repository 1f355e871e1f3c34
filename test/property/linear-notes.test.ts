import { describe, expect, it } from 'vitest';
import type { VaultError } from '../../src/base/vault-error.ts';
import { countSteps } from '../support/count-steps.ts';
import { counted, isQuick } from '../support/counts.ts';
import { type HostileFamily, hostileFamilies } from '../support/hostile-notes.ts';
import type { noteWork } from '../support/note-work.ts';

const { program, steps } = countSteps<{ readonly noteWork: typeof noteWork }>(
  new URL('../support/note-work.ts', import.meta.url),
);

/** The size of the smaller of two texts, in characters. */
const chars = counted({ quick: 1_200, full: 4_000, soak: 40_000 });

/** Twice the text may cost so much more: 2 is linear, 4 is the square. */
const growthMax = 2.3;

describe('twice the text costs at most 2.3 times the steps', () => {
  it.each(Object.entries(program.noteWork))('to %s', (name, work) => {
    const grew: string[] = [];
    for (const family of familiesFor(name)) {
      const [once, twice] = [chars, 2 * chars].map((size) => {
        const run = work(family.kind, family.make(size));
        return run && steps(() => refusing(run));
      });
      if (once === undefined || twice === undefined) continue;
      if (twice > growthMax * once) grew.push(`${family.name}: ${once} steps became ${twice}`);
    }
    expect(grew).toEqual([]);
  });

  it('counts loops, calls and what methods look at', () => {
    const square = (size: number) => () => {
      for (let i = 0; i < size; i++) 'a'.repeat(size).indexOf('b');
    };
    expect(steps(square(200))).toBeGreaterThan(3.9 * steps(square(100)));
  });
});

/**
 * Under `npm test` a third of the families for the scan, because everything begins with it, and a
 * twelfth for the rest, others for each kind of work.
 */
function familiesFor(name: string): readonly HostileFamily[] {
  const works = Object.keys(program.noteWork);
  const part = works.indexOf(name);
  const every = isQuick ? (part === 0 ? 3 : 12) : 1;
  return hostileFamilies.filter((_, i) => (i + part) % every === 0);
}

/** Runs a piece of work; that it refuses such a note is an answer too. */
function refusing(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    // The bundle has a class `VaultError` of its own.
    if ((error as VaultError).code === undefined) throw error;
  }
}
