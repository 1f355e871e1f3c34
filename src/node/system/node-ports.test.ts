import { afterEach, expect, it, vi } from 'vitest';
import { nodeTimers } from './node-ports.ts';

afterEach(() => void vi.useRealTimers());

it('a timer for longer than the system can count is not over at once', () => {
  vi.useFakeTimers();
  const calls: string[] = [];
  const longMs = 2 ** 31 + 1_000;
  nodeTimers.after(longMs, () => calls.push('long'));
  nodeTimers.after(Number.POSITIVE_INFINITY, () => calls.push('never'));
  const cancel = nodeTimers.after(longMs, () => calls.push('cancelled'));
  vi.advanceTimersByTime(longMs - 1);
  expect(calls).toEqual([]);
  cancel();
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(['long']);
});
