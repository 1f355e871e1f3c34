import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeOverflowAlarm } from './overflow-alarm.ts';

/** How many events may come at once before the alarm, for a queue of this length. */
function safeEvents(readQueueLength: () => string): number {
  let isOverflow = false;
  const alarm = makeOverflowAlarm(
    () => {
      isOverflow = true;
    },
    { readQueueLength },
  );
  let events = 0;
  while (!isOverflow) {
    alarm.heard();
    events += 1;
  }
  return events - 1;
}

test.each([
  ['16384\n', 8_192],
  ['1000\n', 500],
  ['1000000\n', 8_192],
  ['nothing', 8_192],
])('of a queue of %j events, %i may come at once', (text, expected) => {
  expect(safeEvents(() => text)).toBe(expected);
});

test('where nobody says how long the queue is, it is as long as usual', () => {
  const unreadable = (): string => {
    throw new Error('no such file');
  };
  expect(safeEvents(unreadable)).toBe(8_192);
});

test('many events at once are an overflow, and many more one turn after the other are none', async () => {
  let alarms = 0;
  const alarm = makeOverflowAlarm(
    () => {
      alarms += 1;
    },
    { readQueueLength: () => '20' },
  );
  for (let turn = 0; turn < 5; turn++) {
    for (let i = 0; i < 10; i++) alarm.heard();
    await setImmediate();
  }
  expect(alarms).toBe(0);
  for (let i = 0; i < 11; i++) alarm.heard();
  expect(alarms).toBe(1);
});
