import { expect, it } from 'vitest';
import { fewAtOnce } from './few-at-once.ts';

it('runs at most so many at once, also when one that waits is given up', async () => {
  const inTurn = fewAtOnce(2);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const start = (name: string, signal?: AbortSignal) =>
    inTurn(async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
      return name;
    }, signal);
  const settled = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const leaving = new AbortController();
  const [a, b] = [start('a'), start('b')];
  const given = start('given up', leaving.signal);
  const [c, d] = [start('c'), start('d')];
  leaving.abort(new Error('out of sight'));
  await expect(given).rejects.toThrow('out of sight');
  await settled();
  expect(begun).toEqual(['a', 'b']);
  ends[0]?.();
  const late = start('late');
  await settled();
  expect([await a, begun]).toEqual(['a', ['a', 'b', 'c']]);
  for (let at = 1; at < 5; at++) {
    ends[at]?.();
    await settled();
  }
  expect(await Promise.all([b, c, d, late])).toEqual(['b', 'c', 'd', 'late']);
  await expect(start('x', leaving.signal)).rejects.toThrow('out of sight');
});
