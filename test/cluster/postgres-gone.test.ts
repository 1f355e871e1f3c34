import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendNote } from '../../src/engine/operations/write/append-note.ts';
import type { StateStore } from '../../src/engine/ports/state-store.ts';
import type { Draft } from '../../src/engine/vault/draft.ts';
import { madeCall } from '../../src/postgres/state/made-calls.ts';
import { openPostgresState } from '../../src/postgres/state/postgres-state-store.ts';
import { clusterDatabase } from '../support/cluster-database.ts';
import { failureOf } from '../support/failure-of.ts';
import { pausedVault } from '../support/paused-changes.ts';
import { tempFolder, writeFiles } from '../support/temp-folder.ts';
import { openOwned, placesIn } from '../support/vault-owner.ts';

const database = clusterDatabase();

/**
 * An owner whose PostgreSQL is killed when it has carried out this call of the journal, before the owner
 * hears of it.
 */
async function ownerLosing(call: 'begin' | 'mark') {
  const root = tempFolder();
  const places = placesIn(root);
  writeFiles(places.folder, pausedVault);
  const vault = await database.newVault();
  let back: (() => Promise<void>) | undefined;
  const losing = <State>(state: State): State =>
    new Proxy(state as State & StateStore, {
      get(target, key) {
        const value = Reflect.get(target, key);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
        if (key !== call || back !== undefined) return method;
        return async (...args: unknown[]) => {
          await method(...args);
          back = await database.server().pause();
          return target.latest();
        };
      },
    });
  const owned = await openOwned(database.postgres(), { ...places, vault, epoch: 1 }, losing);
  const restart = async (): Promise<void> => {
    const start = back;
    back = async () => {};
    await start?.();
  };
  /** Starts PostgreSQL and recovers the vault; answers how many changes history has then. */
  const recovered = async (): Promise<number> => {
    await restart();
    await owned.whole.writer.recover(new AbortController().signal);
    const state = openPostgresState(database.postgres(), { vault, epoch: 1 });
    return (await state.changes({}, { limit: 9, offset: 0 })).total;
  };
  const text = (name: string): string => readFileSync(join(places.folder, name), 'utf8');
  return { vault, owned, restart, recovered, text };
}

it('a change whose mark was written is not known yet when PostgreSQL dies, and history shows it later', async () => {
  const { owned, recovered, text } = await ownerLosing('mark');
  const failure = await failureOf(
    owned.change(async (draft: Draft) => {
      await appendNote(draft, { name: 'A', text: 'more' });
      await appendNote(draft, { name: 'B', text: 'more' });
      return {};
    }, {}),
  );
  expect(failure).toMatchObject({ code: 'unavailable', details: { outcome: 'unknown' } });
  expect(failure.message).toContain('history will show it');
  expect(failure.message).not.toMatch(/nothing was changed|try again/i);
  expect(await recovered()).toBe(1);
  expect([text('A.md'), text('B.md')]).toEqual(['alpha\nmore\n', 'beta\nmore\n']);
});

it('a call whose change was only recorded when PostgreSQL died does not count as made', async () => {
  const { vault, owned, restart, recovered, text } = await ownerLosing('begin');
  const failure = await failureOf(
    owned.as({ callKey: 'key' }).change(appendNote, { name: 'A', text: 'more' }),
  );
  expect(failure.code).toBe('unavailable');
  await restart();
  const asked = { vault, call: 'key' };
  expect(await madeCall(database.postgres(), asked)).toMatchObject({ isOpen: true });
  expect(await recovered()).toBe(0);
  expect(await madeCall(database.postgres(), asked)).toBeUndefined();
  expect(text('A.md')).toBe('alpha\n');
});
