import { describe, expect, it, onTestFinished } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import type { DestroyedFile, NewChange, StateStore } from '../../src/engine/ports/state-store.ts';
import { change, make, startMs, versionOf, write } from './change-records.ts';

/** What every `StateStore` adds up for the brake: `destroyedFiles` and `destroyingChanges`. */
export function describeDestroyed(name: string, open: () => Promise<StateStore>): void {
  describe(`the brake in ${name}`, () => {
    const opened = async () => {
      const state = await open();
      onTestFinished(() => state.close());
      return state;
    };

    /** A file whose text is replaced; without `after` it is deleted. */
    function lost(before: string | undefined, after?: string): DestroyedFile {
      return {
        ...(before === undefined ? {} : { before: versionOf(before) }),
        ...(after === undefined ? {} : { after: versionOf(after) }),
        files: 1,
      };
    }

    /** Makes a change that destroys these files, one millisecond after the change before it. */
    async function destroy(
      state: StateStore,
      files: readonly DestroyedFile[],
      more: Partial<NewChange> & { readonly asker?: string } = {},
    ): Promise<number> {
      const timeMs = startMs + (await state.latest()) + 1;
      const { asker = 'a', ...rest } = more;
      const steps = [write('x.md', 'before', `after ${timeMs}`)];
      return make(state, change(steps, { timeMs, destroys: { asker, files }, ...rest }));
    }

    const untilMs = Number.MAX_SAFE_INTEGER;
    const counted = (state: StateStore, asker = 'a') =>
      state.destroyedFiles(asker, { sinceMs: startMs, untilMs });

    describe('destroyed files', () => {
      it('count for one asker, from one time to another', async () => {
        const state = await opened();
        expect(await counted(state)).toBe(0);
        await destroy(state, [lost('1'), lost('2', 'x')]);
        await destroy(state, [lost(undefined), { files: 30 }]);
        await destroy(state, [lost('3')], { asker: 'b' });
        await make(state, change([write('y.md', 'y', 'z')]));
        expect([await counted(state), await counted(state, 'b')]).toEqual([33, 1]);
        expect(await state.destroyedFiles('a', { sinceMs: startMs + 2, untilMs })).toBe(31);
        expect(await state.destroyedFiles('a', { sinceMs: startMs + 3, untilMs })).toBe(0);
        const early = { sinceMs: startMs, untilMs: startMs + 1 };
        expect(await state.destroyedFiles('a', early)).toBe(2);
      });

      it('count when the change is finished', async () => {
        const state = await opened();
        const destroys = { asker: 'a', files: [lost('1')] };
        const id = await state.begin(change([], { destroys }), 'staging', []);
        expect(await counted(state)).toBe(0);
        await state.mark(id, []);
        expect(await counted(state)).toBe(0);
        await state.finish(id, []);
        expect(await counted(state)).toBe(1);
        const other = await state.begin(change([], { destroys }), 'staging', []);
        await state.drop(other);
        expect(await counted(state)).toBe(1);
      });

      it('do not count where an asker replaces its own text, which excuses one file', async () => {
        const state = await opened();
        await destroy(state, [lost('old', 'mine 1')]);
        await destroy(state, [lost('mine 1', 'mine 2')]);
        await destroy(state, [lost('mine 2')]);
        expect(await counted(state)).toBe(1);
        await destroy(state, [lost('mine 1')]);
        expect(await counted(state)).toBe(2);
        await destroy(state, [lost('theirs', 'same'), lost('others', 'same')]);
        await destroy(state, [lost('same'), lost('same'), lost('same')]);
        expect(await counted(state)).toBe(5);
        // Nor does the text of someone else, or of the same change.
        await destroy(state, [lost('q', 'new')], { asker: 'b' });
        await destroy(state, [lost('new', 'newer'), lost('newer')]);
        expect(await counted(state)).toBe(7);
        // Nor what is older than the window.
        await destroy(state, [lost('r', 'long ago')]);
        await destroy(state, [lost('long ago')], { timeMs: startMs + limits.brakeMs + 100 });
        expect(await counted(state)).toBe(9);
      });

      it('do not count while the change is undone, and then excuse nothing', async () => {
        const state = await opened();
        const first = await destroy(state, [lost('old', 'mine')]);
        const second = await destroy(state, [lost('mine')]);
        const undo = await make(state, change([], { undoes: [first] }));
        expect(await counted(state)).toBe(1); // The second.
        await make(state, change([], { undoes: [second] }));
        expect(await counted(state)).toBe(0);
        await make(state, change([], { undoes: [undo] }));
        expect(await counted(state)).toBe(1);
        // The text of the first can be replaced again.
        await destroy(state, [lost('mine')]);
        expect(await counted(state)).toBe(1);
      });

      it('are more than anyone allows when there are too many rows', async () => {
        const state = await opened();
        const many = Array.from({ length: limits.brakeRowsMax }, () => lost(undefined));
        await destroy(state, many.slice(1));
        expect(await counted(state)).toBe(limits.brakeRowsMax - 1);
        await destroy(state, many.slice(0, 1));
        expect(await counted(state)).toBe(Number.POSITIVE_INFINITY);
      });

      it('are forgotten with their change', async () => {
        const state = await opened();
        await destroy(state, [lost('old')]);
        const nowMs = startMs + 1_000;
        await state.prune({ nowMs, ageMaxMs: 0, bytesMax: 1e9, keepMs: 0 });
        expect(await state.latest()).toBe(0);
        expect(await counted(state)).toBe(0);
      });
    });

    describe('saves that are joined', () => {
      const save = (
        state: StateStore,
        [before, after]: readonly [string | undefined, string],
        whole: boolean,
      ) =>
        make(
          state,
          change([write('a.md', before, after)], {
            door: 'remote',
            client: 'x',
            fold: true,
            ...(whole ? { destroys: { asker: 'a', files: [lost(before, after)] } } : {}),
          }),
        );

      it.each<[string, [string | undefined, string], boolean, boolean, number]>([
        ['two saves', ['0', '1'], true, true, 1],
        ['a save and an appended line', ['0', '1'], true, false, 1],
        ['an appended line and a save', ['0', '1'], false, true, 1],
        ['appended lines', ['0', '1'], false, false, 0],
        ['a new file and a save', [undefined, '1'], false, true, 0],
      ])('%s', async (_, first, isFirstWhole, isSecondWhole, count) => {
        const state = await opened();
        await save(state, first, isFirstWhole);
        const second = await save(state, ['1', '2'], isSecondWhole);
        expect(await state.changes({}, { limit: 9, offset: 0 })).toMatchObject({ total: 1 });
        expect(await counted(state)).toBe(count);
        const span = { sinceMs: startMs, untilMs: startMs };
        const { ids } = await state.destroyingChanges('a', span, 9);
        expect(ids).toEqual(count === 0 ? [] : [second]);
        // The joined text is the asker's own.
        await make(state, change([], { destroys: { asker: 'a', files: [lost('2')] } }));
        expect(await counted(state)).toBe(Math.max(count, 1));
      });
    });

    it('the changes that destroyed files are listed, newest first, with those that replace own texts', async () => {
      const state = await opened();
      const first = await destroy(state, [lost('old', 'mine'), lost('other')]);
      const second = await destroy(state, [lost('mine', 'more')]);
      await destroy(state, [lost('old')], { asker: 'b' });
      const undone = await destroy(state, [lost('third')]);
      await make(state, change([], { undoes: [undone] }));
      const late = await destroy(state, [lost('late')]);
      const span = { sinceMs: startMs, untilMs: startMs + 100 };
      expect(await state.destroyingChanges('a', span, 9)).toEqual({
        total: 3,
        ids: [late, second, first],
      });
      expect(await state.destroyingChanges('a', span, 2)).toEqual({
        total: 3,
        ids: [late, second],
      });
      const until = { sinceMs: startMs + first + 1, untilMs: startMs + second };
      expect(await state.destroyingChanges('a', until, 9)).toEqual({ total: 1, ids: [second] });
    });
  });
}
