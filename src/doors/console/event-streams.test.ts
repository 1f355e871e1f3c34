import { expect, it } from 'vitest';
import { limits } from '../../base/limits.ts';
import { Listeners } from '../../base/listeners.ts';
import { EventStreams } from './event-streams.ts';

const stream = { session: 'one', hearsCalls: false };

it('looks once a second whether sign-ins are over, also after a page was loaded again meanwhile', async () => {
  const waiting: { readonly ms: number; readonly call: () => void }[] = [];
  const answers: (() => void)[] = [];
  const streams = new EventStreams({
    news: { latest: async () => [], listen: () => () => undefined },
    sessions: {
      ended: new Listeners<string>(),
      list: () =>
        new Promise((resolve) => {
          answers.push(() => resolve([{ id: 'one', sinceMs: 0, usedMs: 0 }]));
        }),
    },
    timers: {
      after: (ms, call) => {
        const timer = { ms, call };
        waiting.push(timer);
        return () => {
          const at = waiting.indexOf(timer);
          if (at !== -1) waiting.splice(at, 1);
        };
      },
    },
    version: '1',
  });
  const looks = () => waiting.filter(({ ms }) => ms === limits.consoleLookMs);
  const fire = (): void => {
    const [timer] = looks();
    if (timer === undefined) return;
    waiting.splice(waiting.indexOf(timer), 1);
    timer.call();
  };
  const first = await streams.open(stream);
  fire();
  await first.body?.cancel();
  const second = await streams.open(stream);
  for (const answer of answers.splice(0)) answer();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(looks()).toHaveLength(1);
  fire();
  for (const answer of answers.splice(0)) answer();
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(looks()).toHaveLength(1);
  await second.body?.cancel();
  expect(waiting).toEqual([]);
});
