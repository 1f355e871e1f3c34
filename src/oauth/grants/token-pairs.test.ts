import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted } from '../../../test/support/counts.ts';
import { limits } from '../../base/limits.ts';
import type { TokenPair } from '../ports/oauth-book.ts';
import { isAccessLive, refreshPairs, withPair, withUse } from './token-pairs.ts';

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const grace = limits.refreshGraceMs;
const startMs = 1_000 * day;

/** A pair with the tokens `a<name>` and `r<name>`. */
function pair(name: string, madeMs: number, more: Partial<TokenPair> = {}): TokenPair {
  return { access: `a${name}`, refresh: `r${name}`, madeMs, accessEndsMs: madeMs + day, ...more };
}

/** What a client does, one step after the other: it shows a token, or lets time pass. */
type Step =
  | { readonly refresh: string; readonly get: string }
  | { readonly use: string }
  | { readonly waitMs: number };

/** One client with the pair of its code, `0`. Answers how each refresh went, and what is kept then. */
function run(steps: readonly Step[]) {
  let pairs: readonly TokenPair[] = [pair('0', startMs)];
  let nowMs = startMs;
  const how: string[] = [];
  for (const step of steps) {
    if ('waitMs' in step) nowMs += step.waitMs;
    else if ('use' in step) {
      const used = pairs.find(({ access }) => access === `a${step.use}`);
      if (used !== undefined) pairs = withUse(pairs, used, nowMs);
    } else {
      const made = pair(step.get, nowMs);
      const refreshed = refreshPairs(pairs, { refresh: `r${step.refresh}`, made, nowMs });
      how.push(refreshed.how);
      if ('pairs' in refreshed) pairs = refreshed.pairs;
    }
  }
  const live = pairs.filter((one) => isAccessLive(one, nowMs)).map(({ access }) => access.slice(1));
  return { how, live, pairs, nowMs };
}

/** Whether one of its tokens can still be used. */
const isLive = (one: TokenPair, nowMs: number): boolean =>
  isAccessLive(one, nowMs) || (one.spentMs ?? one.droppedMs) === undefined;

const exchange = (refresh: string, get: string): Step => ({ refresh, get });
const use = (name: string): Step => ({ use: name });
const wait = (waitMs: number): Step => ({ waitMs });

describe('a refresh token', () => {
  it.each<[string, readonly Step[], readonly string[], readonly string[]]>([
    ['is exchanged', [exchange('0', '1')], ['first'], ['0', '1']],
    ['is unknown', [exchange('x', '1')], ['refused'], ['0']],
    [
      'is exchanged four times at once, and all four pairs hold',
      [exchange('0', '1'), exchange('0', '2'), exchange('0', '3'), exchange('0', '4')],
      ['first', 'parallel', 'parallel', 'parallel'],
      ['0', '1', '2', '3', '4'],
    ],
    [
      'is exchanged at the end of the grace, although the winner uses its pair',
      [exchange('0', '1'), use('1'), wait(grace), exchange('0', '2'), use('2')],
      ['first', 'parallel'],
      ['0', '1', '2'],
    ],
    [
      'does not have its grace prolonged',
      [exchange('0', '1'), use('1'), wait(grace), exchange('0', '2'), wait(1), exchange('0', '3')],
      ['first', 'parallel', 'replayed'],
      ['0', '1', '2'],
    ],
    [
      'is exchanged by each of the parallel ones afterwards',
      [
        exchange('0', '1'),
        exchange('0', '2'),
        wait(hour),
        exchange('1', '3'),
        wait(hour),
        exchange('2', '4'),
      ],
      ['first', 'parallel', 'first', 'first'],
      ['0', '1', '2', '3', '4'],
    ],
    [
      'is shown again after a lost answer, and what was lost is dropped',
      [exchange('0', '1'), wait(grace + 1), exchange('0', '2'), exchange('1', '3')],
      ['first', 'lost', 'refused'],
      ['0', '2'],
    ],
    [
      'is shown again when several answers were lost',
      [
        exchange('0', '1'),
        exchange('0', '2'),
        wait(hour),
        exchange('0', '3'),
        wait(hour),
        exchange('0', '4'),
        wait(30 * day),
        exchange('0', '5'),
        exchange('5', '6'),
      ],
      ['first', 'parallel', 'lost', 'lost', 'lost', 'first'],
      ['5', '6'],
    ],
    [
      'has its grace again after a lost answer',
      [exchange('0', '1'), wait(hour), exchange('0', '2'), wait(grace), exchange('0', '3')],
      ['first', 'lost', 'parallel'],
      ['0', '2', '3'],
    ],
    [
      'is replayed after the access token of its pair was used',
      [exchange('0', '1'), use('1'), wait(grace + 1), exchange('0', '2')],
      ['first', 'replayed'],
      ['0', '1'],
    ],
    [
      'is replayed after the refresh token of its pair was used',
      [exchange('0', '1'), exchange('1', '2'), wait(grace + 1), exchange('0', '3')],
      ['first', 'first', 'replayed'],
      ['0', '1', '2'],
    ],
    [
      'is replayed although the last answer was lost',
      [
        exchange('0', '1'),
        exchange('1', '2'),
        wait(grace + 1),
        exchange('1', '3'),
        exchange('0', '4'),
      ],
      ['first', 'first', 'lost', 'replayed'],
      ['0', '1', '3'],
    ],
    [
      'is replayed when one of several pairs was used',
      [exchange('0', '1'), exchange('0', '2'), use('2'), wait(grace + 1), exchange('0', '3')],
      ['first', 'parallel', 'replayed'],
      ['0', '1', '2'],
    ],
    [
      'is not replayed when only its own access token was used',
      [use('0'), exchange('0', '1'), use('0'), wait(hour), exchange('0', '2')],
      ['first', 'lost'],
      ['0', '2'],
    ],
    ['is too old', [wait(limits.grantIdleMs), exchange('0', '1')], ['refused'], []],
    [
      'is too old to have been lost',
      [exchange('0', '1'), wait(limits.grantIdleMs), exchange('0', '2')],
      ['first', 'refused'],
      [],
    ],
    [
      'is not parallel when the clock was set back far',
      [exchange('0', '1'), use('1'), wait(-hour), exchange('0', '2')],
      ['first', 'replayed'],
      ['0', '1'],
    ],
  ])('%s', (_, steps, how, live) => {
    const ran = run(steps);
    expect(ran.how).toEqual(how);
    expect(ran.live).toEqual(live);
  });
});

describe('an access token', () => {
  it.each<[string, TokenPair, number, boolean]>([
    ['holds', pair('0', startMs), startMs + day - 1, true],
    ['ends', pair('0', startMs), startMs + day, false],
    ['ends when it is dropped', pair('0', startMs, { droppedMs: startMs }), startMs + 1, false],
    ['holds when it was spent', pair('0', startMs, { spentMs: startMs }), startMs + 1, true],
    ['holds when the clock is set back a little', pair('0', startMs), startMs - hour, true],
    ['ends when the clock is set back far', pair('0', startMs), startMs - day, false],
  ])('%s', (_, one, nowMs, holds) => {
    expect(isAccessLive(one, nowMs)).toBe(holds);
  });
});

describe('many pairs', () => {
  it('are dropped when there are too many: refreshed ones first, and the oldest first', () => {
    const nowMs = startMs + hour;
    let pairs: readonly TokenPair[] = Array.from({ length: limits.livePairsMax }, (_, at) =>
      pair(`${at}`, startMs + at, {
        ...(at === 5 || at === 7 ? { spentMs: startMs } : {}),
        ...(at === 6 ? { spentMs: nowMs } : {}),
      }),
    );
    for (const name of ['a', 'b', 'c', 'd']) pairs = withPair(pairs, pair(name, nowMs), nowMs);
    const dropped = pairs.filter(({ droppedMs }) => droppedMs !== undefined);
    expect(dropped.map(({ access }) => access)).toEqual(['a0', 'a1', 'a5', 'a7']);
    expect(pairs).toHaveLength(limits.livePairsMax + 4);
  });

  it('at once from one token all succeed, and the newest hold', () => {
    const burst = Array.from({ length: 50 }, (_, at) => exchange('0', `${at + 1}`));
    const { how, live } = run(burst);
    expect(new Set(how.slice(1))).toEqual(new Set(['parallel']));
    expect(live).toEqual(Array.from({ length: limits.livePairsMax }, (_, at) => `${at + 31}`));
  });

  it('are forgotten a week after they ended, and before that when there are too many', () => {
    const steps = Array.from({ length: 1_000 }, (_, at) => [
      exchange(`${at}`, `${at + 1}`),
      wait(at < 500 ? 60 * second : 12 * hour),
    ]).flat();
    expect(run(steps.slice(0, 900)).pairs.length).toBe(limits.livePairsMax + limits.endedPairsMax);
    expect(run(steps).pairs.length).toBeLessThan(30);
  });

  it('do not grow when every answer is lost', () => {
    const steps = Array.from({ length: 1_000 }, (_, at) => [
      wait(hour),
      exchange('0', `${at + 1}`),
    ]);
    const { how, pairs } = run(steps.flat());
    expect(new Set(how.slice(1))).toEqual(new Set(['lost']));
    expect(pairs.length).toBeLessThanOrEqual(limits.livePairsMax + limits.endedPairsMax);
  });
});

// A client and a thief of one of its tokens do what they like. The model keeps the whole family.
describe('whatever a client does', () => {
  interface Member {
    readonly name: string;
    readonly from?: string;
    readonly madeMs: number;
    spentMs?: number;
    isUsed: boolean;
    isDropped: boolean;
  }
  const stepOf = fc.oneof(
    { weight: 5, arbitrary: fc.record({ refresh: fc.nat(40) }) },
    { weight: 3, arbitrary: fc.record({ use: fc.nat(40) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        waitMs: fc.constantFrom(1, 60 * second, grace, grace + 1, hour, day),
      }),
    },
  );

  it('the rules of the family hold', () => {
    fc.assert(
      fc.property(fc.array(stepOf, { maxLength: 60 }), (steps) => {
        const family: Member[] = [{ name: '0', madeMs: startMs, isUsed: false, isDropped: false }];
        const heirs = (name: string): Member[] =>
          family
            .filter(({ from }) => from === name)
            .flatMap((child) => [child, ...heirs(child.name)]);
        let pairs: readonly TokenPair[] = [pair('0', startMs)];
        let nowMs = startMs;
        for (const step of steps) {
          if ('waitMs' in step) {
            nowMs += step.waitMs;
            continue;
          }
          const [at] = 'use' in step ? [step.use] : [step.refresh];
          const member = family[family.length - 1 - (at % family.length)] as Member;
          const kept = pairs.find(({ refresh }) => refresh === `r${member.name}`);
          // Which pairs must make room is looked at above: the model takes it as it is.
          if (kept === undefined) continue;
          if (kept.droppedMs !== undefined) member.isDropped = true;
          if ('use' in step) {
            if (!isAccessLive(kept, nowMs)) continue;
            member.isUsed = true;
            pairs = withUse(pairs, kept, nowMs);
            continue;
          }
          const isSpent = member.spentMs !== undefined;
          const expected = !isSpent
            ? member.isDropped
              ? 'refused'
              : 'first'
            : nowMs - (member.spentMs ?? 0) <= grace
              ? 'parallel'
              : heirs(member.name).some(({ isUsed }) => isUsed)
                ? 'replayed'
                : 'lost';
          const made = pair(`${family.length}`, nowMs);
          const { refresh } = kept;
          const refreshed = refreshPairs(pairs, { refresh, made, nowMs });
          expect(refreshed.how).toBe(expected);
          if (!('pairs' in refreshed)) {
            if (refreshed.how === 'replayed') return; // The grant has ended.
            continue;
          }
          if (expected === 'lost') for (const heir of heirs(member.name)) heir.isDropped = true;
          if (expected !== 'parallel') member.spentMs = nowMs;
          member.isUsed = true;
          family.push({
            name: `${family.length}`,
            from: member.name,
            madeMs: nowMs,
            isUsed: false,
            isDropped: false,
          });
          pairs = refreshed.pairs;
          const live = pairs.filter((one) => isLive(one, nowMs));
          expect(live.length).toBeLessThanOrEqual(limits.livePairsMax);
          expect(pairs.length - live.length).toBeLessThanOrEqual(limits.endedPairsMax);
          expect(live.at(-1)).toEqual({ ...made, from: refresh });
        }
      }),
      { numRuns: counted({ quick: 300, full: 5_000 }) },
    );
  });
});
