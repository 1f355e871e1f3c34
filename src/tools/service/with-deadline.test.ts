import { describe, expect, it } from 'vitest';
import { manualTimers } from '../../../test/support/manual-timers.ts';
import { memoryDisk } from '../../../test/support/memory-disk.ts';
import { wrapDisk } from '../../../test/support/wrap-disk.ts';
import { openWrittenVault, testCaller } from '../../../test/support/written-vault.ts';
import type { Caller } from '../../base/caller.ts';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { appendNote } from '../../engine/operations/write/append-note.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { withDeadline } from './with-deadline.ts';

const deadlineMs = 1_000;

/** A note to append to, on a disk on which something happens when the note is put in its place. */
async function appending(options: {
  readonly atPlace?: (race: {
    readonly end: () => void;
    readonly save: () => void;
    readonly waitGrace: () => void;
  }) => Promise<void> | undefined;
  readonly cancels?: true;
  readonly after?: (vault: BoundVault) => Promise<unknown>;
}) {
  const disk = memoryDisk({ 'a.md': 'a\n' });
  const timers = manualTimers();
  const controller = new AbortController();
  let placed = 0;
  const racing = wrapDisk(disk, async (call, run) => {
    if (call.method === 'place' && placed++ === 0) {
      await options.atPlace?.({
        end: () => (options.cancels ? controller.abort() : timers.advance(deadlineMs)),
        save: () => disk.write('a.md', 'theirs\n'),
        waitGrace: () => timers.advance(limits.commitGraceMs),
      });
    }
    return run();
  });
  const vault = await openWrittenVault(disk);
  Object.assign(vault.whole.parts, { disk: racing });
  const caller = testCaller({ deadlineMs, signal: controller.signal });
  const outcome = withDeadline(caller, { timers, writes: true }, async (bound) => {
    const own = vault.whole.bind(bound);
    const { change } = await own.change(appendNote, { name: 'a.md', text: 'mine' });
    await options.after?.(own);
    return `change ${change}`;
  });
  const said = await outcome.catch((error: VaultError) => error);
  return { said, text: () => disk.text('a.md') };
}

describe('a change whose deadline passes', () => {
  it('at the step that makes it, is finished and answers as if in time', async () => {
    const { said, text } = await appending({
      atPlace: ({ end }) => {
        end();
        return undefined;
      },
    });
    expect(said).toBe('change 1');
    expect(text()).toBe('a\nmine\n');
  });

  it.each([
    [
      'timeout',
      undefined,
      /^The call took longer than 1000 ms; ask for less\. Nothing was changed\.$/,
    ],
    ['cancelled', true, /^The call was cancelled\. Nothing was changed\.$/],
  ] as const)(
    'while someone else saves the note, is not made and does not say so (%s)',
    async (code, cancels, message) => {
      const { said, text } = await appending({
        ...(cancels ? { cancels } : {}),
        atPlace: ({ end, save }) => {
          end();
          save();
          return undefined;
        },
      });
      expect(said).toMatchObject({ code, message: expect.stringMatching(message) });
      expect((said as VaultError).details).not.toHaveProperty('change');
      expect(text()).toBe('theirs\n');
    },
  );

  it('on a disk that hangs, says which change it is', async () => {
    const { said } = await appending({
      atPlace: ({ end, waitGrace }) => {
        end();
        waitGrace();
        return new Promise(() => undefined);
      },
    });
    expect(said).toMatchObject({ code: 'timeout', details: { change: 1 } });
    expect((said as VaultError).message).toMatch(/can no longer be stopped.*it is change 1\.$/);
  });

  it('after it was made, says which change it is', async () => {
    const { said, text } = await appending({
      atPlace: ({ end }) => {
        end();
        return undefined;
      },
      after: async ({ caller }) => {
        if (caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
      },
    });
    expect(said).toMatchObject({ code: 'timeout', details: { change: 1 } });
    expect((said as VaultError).message).toMatch(/The change was made; it is change 1\.$/);
    expect(text()).toBe('a\nmine\n');
  });

  it.each([
    new VaultError('io_failed', 'The disk is gone.'),
    new VaultError('timeout', 'Half of it was done.', {
      cause: new VaultError('timeout', 'Late.'),
    }),
  ])('does not hide a failure of what came after it: $message', async (failure) => {
    const { said } = await appending({
      atPlace: ({ end }) => {
        end();
        return undefined;
      },
      after: () => Promise.reject(failure),
    });
    expect(said).toBe(failure);
  });
});

it('a call that another program was asked to carry out does not say that nothing was changed', async () => {
  const timers = manualTimers();
  const failure = new VaultError('timeout', 'Who knows.', { details: { outcome: 'unknown' } });
  const asking = withDeadline(
    testCaller({ deadlineMs }),
    { timers, writes: true },
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(failure));
      }),
  );
  timers.advance(deadlineMs);
  await expect(asking).rejects.toBe(failure);
});

describe('a call that only reads', () => {
  const timers = manualTimers();
  const read = (caller: Partial<Caller>, run: (caller: Caller) => Promise<unknown>) =>
    withDeadline(testCaller(caller), { timers, writes: false }, run);

  it('ends at its deadline, without a word about changes', async () => {
    const never = read({ deadlineMs }, () => new Promise(() => undefined));
    timers.advance(deadlineMs);
    await expect(never).rejects.toThrow(/^The call took longer than 1000 ms; ask for less\.$/);
  });

  it('may take longer while the vault is new, unless its deadline is short', async () => {
    const { callDeadlineMs, newVaultMs } = limits;
    let isNew = true;
    const ended = (deadline: number): Promise<string> =>
      withDeadline(
        testCaller({ deadlineMs: deadline }),
        { timers, writes: false, isNew: () => isNew },
        () => new Promise<string>(() => undefined),
      ).catch((error: Error) => error.message);
    const usual = ended(callDeadlineMs);
    const short = ended(deadlineMs);
    timers.advance(callDeadlineMs);
    expect(await short).toContain('1000 ms');
    timers.advance(newVaultMs - callDeadlineMs - 1);
    expect(await Promise.race([usual, Promise.resolve('running')])).toBe('running');
    timers.advance(1);
    expect(await usual).toContain('60000 ms');
    isNew = false;
    const known = ended(callDeadlineMs);
    timers.advance(callDeadlineMs);
    expect(await known).toContain('30000 ms');
  });

  it.each([
    [30_000, undefined, limits.indexWaitMs],
    [1_000, undefined, 800],
    [20_000, 60_000, 16_000],
    [limits.callDeadlineMaxMs, 60_000, 60_000],
  ])(
    'of %i ms leaves itself time to say how far the index is',
    async (deadline, wait, expected) => {
      const { indexWaitMs: _, ...caller } = testCaller({ deadlineMs: deadline });
      const asked = wait === undefined ? caller : { ...caller, indexWaitMs: wait };
      const options = { timers, writes: false };
      const waits = await withDeadline(asked, options, async ({ indexWaitMs }) => indexWaitMs);
      expect(waits).toBe(expected);
    },
  );
});
