import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import type { Progress } from '../../../base/caller.ts';
import { progressOf } from './report-progress.ts';

/** What a client is told of these steps, each at its time. */
function told(steps: readonly (readonly [number, Progress | 'end'])[]): unknown[] {
  const sent: unknown[] = [];
  let now = 0;
  const notify = async ({ params }: { params: unknown }): Promise<void> => void sent.push(params);
  const mcpReq = { _meta: { progressToken: 't' }, notify } as unknown as ServerContext['mcpReq'];
  const report = progressOf({ mcpReq }, () => now);
  for (const [ms, step] of steps) {
    now = ms;
    if (step === 'end') report?.end();
    else report?.tell(step);
  }
  return sent;
}

const at = (done: number, total?: number): Progress => ({
  done,
  message: `${done}`,
  ...(total === undefined ? {} : { total }),
});

it('progress is told with its token, at most ten times a second', () => {
  expect(
    told([
      [0, at(0, 9)],
      [50, at(1, 9)],
      [100, at(2, 9)],
    ]),
  ).toEqual([
    { progressToken: 't', progress: 0, total: 9, message: '0' },
    { progressToken: 't', progress: 2, total: 9, message: '2' },
  ]);
});

it('progress only grows, over several rounds too', () => {
  const steps = [
    [0, at(5, 9)],
    [200, at(5, 9)],
    [400, at(9, 9)],
    [600, at(1, 3)],
    [800, at(3, 3)],
  ] as const;
  expect(told(steps)).toEqual([
    { progressToken: 't', progress: 5, total: 9, message: '5' },
    { progressToken: 't', progress: 9, total: 9, message: '9' },
    { progressToken: 't', progress: 10, message: '1' },
    { progressToken: 't', progress: 12, message: '3' },
  ]);
});

it('nothing is told after the answer', () => {
  expect(
    told([
      [0, 'end'],
      [100, at(1)],
    ]),
  ).toEqual([]);
});

it('nothing is told to a client that did not ask', () => {
  expect(progressOf({ mcpReq: {} as ServerContext['mcpReq'] }, () => 0)).toBeUndefined();
});
