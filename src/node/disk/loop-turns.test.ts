import { expect, it } from 'vitest';
import { LoopTurns } from './loop-turns.ts';

it('lets work begin in order, the first at once, and the event loop turn in between', async () => {
  const turns = new LoopTurns();
  const begun: string[] = [];
  let loops = 0;
  let isOver = false;
  const count = (): void => {
    loops += 1;
    if (!isOver) setImmediate(count);
  };
  const work = ['a', 'b', 'c'].map(async (name) => {
    await turns.next();
    begun.push(`${name} ${loops > 0 ? 'later' : 'at once'}`);
    loops = 0;
  });
  setImmediate(count);
  await Promise.all(work);
  isOver = true;
  expect(begun).toEqual(['a at once', 'b later', 'c later']);
});
