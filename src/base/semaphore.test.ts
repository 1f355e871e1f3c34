import { expect, it } from 'vitest';
import { Semaphore } from './semaphore.ts';
import { VaultError } from './vault-error.ts';

/** Works that end when the test says so, and the order in which they began. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<void> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

it('lets so many work at once, and the others in order of arrival', async () => {
  const turns = new Semaphore(2);
  const { begun, work, end } = works();
  const all = ['a', 'b', 'c', 'd'].map((name) => turns.run(work(name)));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  await all[0];
  end('c');
  await all[2];
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  await Promise.all(all);
});

it('passes the turn on after a failure', async () => {
  const turns = new Semaphore(1);
  await expect(turns.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run(async () => 'done')).toBe('done');
});

it('forgets who was called off while waiting, and says why', async () => {
  const turns = new Semaphore(1);
  const { begun, work, end } = works();
  const first = turns.run(work('first'));
  const ending = new VaultError('timeout', 'The call took too long.');
  const controller = new AbortController();
  const given = turns.run(work('given up'), controller.signal);
  const last = turns.run(work('last'));
  controller.abort(ending);
  await expect(given).rejects.toBe(ending);
  await expect(turns.run(work('too late'), controller.signal)).rejects.toBe(ending);
  end('first');
  await first;
  await expect.poll(() => begun).toEqual(['first', 'last']);
  end('last');
  await last;
});
