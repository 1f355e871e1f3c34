import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallOrder, type OrderedCall } from './call-order.ts';

interface Named extends OrderedCall {
  readonly name: string;
}

/** `W` changes, `R` is a large read, `s` a small one: "W:a/b" is a change of a/b. */
function call(name: string): Named {
  const [kind = '', paths = ''] = name.split(':');
  const kinds = { W: 'changing', R: 'large', s: 'small' } as const;
  return { name, kind: kinds[kind[0] as keyof typeof kinds], paths: paths.split(',') };
}

/** Adds calls and ends some ("-W:a"); the answer is who has begun, in order. */
function begun(steps: readonly string[]): string[] {
  const calls = new Map<string, Named>();
  const names: string[] = [];
  let mayBegin = true;
  const order = new CallOrder<Named>({
    atOnce: { small: 3, large: 2 },
    mayBegin: () => mayBegin,
    begin: ({ name }) => names.push(name),
  });
  for (const step of steps) {
    const ended = calls.get(step.slice(1));
    if (step === 'hold') mayBegin = false;
    else if (step === 'go') {
      mayBegin = true;
      order.advance();
    } else if (step === 'clear') names.push(`${order.clear()} cleared`);
    else if (step.startsWith('-') && ended !== undefined) order.ended(ended);
    else {
      const added = call(step);
      calls.set(step, added);
      order.add(added);
    }
  }
  return names;
}

describe('who begins', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['reads at once', ['s1:a', 's2:a', 'R1:a'], ['s1:a', 's2:a', 'R1:a']],
    ['so many large reads', ['R1:a', 'R2:b', 'R3:c'], ['R1:a', 'R2:b']],
    ['the next of them when one ends', ['R1:a', 'R2:b', 'R3:c', '-R2:b'], ['R1:a', 'R2:b', 'R3:c']],
    ['small reads beside large ones', ['R1:a', 'R2:b', 'R3:c', 's1:d'], ['R1:a', 'R2:b', 's1:d']],
    [
      'so many small reads',
      ['s1:a', 's2:a', 's3:a', 's4:a', '-s1:a', 's5:a'],
      ['s1:a', 's2:a', 's3:a', 's4:a'],
    ],
    ['one change', ['W1:a', 'W2:b'], ['W1:a']],
    ['changes in order', ['W1:a', 'W2:b', 'W3:c', '-W1:a', '-W2:b'], ['W1:a', 'W2:b', 'W3:c']],
    ['a read of another file', ['W1:a', 's1:b'], ['W1:a', 's1:b']],
    ['no read of a changing file', ['W1:a', 's1:a'], ['W1:a']],
    ['no read in a changing folder', ['W1:a', 's1:a/b', 'R1:a/c'], ['W1:a']],
    ['no read of a folder with a change', ['W1:a/b', 'R1:a', 'R2:'], ['W1:a/b']],
    ['the read after the change', ['W1:a', 's1:a', '-W1:a'], ['W1:a', 's1:a']],
    [
      'a read after all changes before it',
      ['W1:a', 'W2:b', 'W3:a', 's1:a', '-W1:a', '-W2:b', '-W3:a'],
      ['W1:a', 'W2:b', 'W3:a', 's1:a'],
    ],
    ['a read before the changes after it', ['W1:a', 's1:b', 'W2:b'], ['W1:a', 's1:b']],
    ['a read of either path of a rename', ['W1:a,b', 's1:b', '-W1:a,b'], ['W1:a,b', 's1:b']],
    ['a change beside a read', ['R1:a', 'W1:a'], ['R1:a', 'W1:a']],
    ['nobody while it is held', ['hold', 's1:a', 'W1:a', 'R1:b'], []],
    ['all when it goes on', ['hold', 's1:b', 'W1:a', 'R1:b', 'go'], ['W1:a', 's1:b', 'R1:b']],
    [
      'nobody who is forgotten',
      ['W1:a', 'W2:b', 's1:a', 'R1:c', 'R2:c', 'R3:c', 'clear', '-W1:a', '-R1:c'],
      ['W1:a', 'R1:c', 'R2:c', '3 cleared'],
    ],
  ])('%s', (_what, steps, expected) => {
    expect(begun(steps)).toEqual(expected);
  });
});

it('begins every call once, whatever order they end in', () => {
  const kinds = fc.constantFrom('W', 'R', 's');
  const paths = fc.constantFrom('a', 'a/b', 'b', '', 'a,b');
  fc.assert(
    fc.property(fc.array(fc.tuple(kinds, paths)), fc.infiniteStream(fc.nat()), (rows, picks) => {
      const calls = rows.map(([kind, path], n) => call(`${kind}${n}:${path}`));
      const running: Named[] = [];
      const names: string[] = [];
      const order = new CallOrder<Named>({
        atOnce: { small: 3, large: 2 },
        mayBegin: () => true,
        begin: (next) => {
          running.push(next);
          names.push(next.name);
        },
      });
      for (const each of calls) order.add(each);
      while (running.length > 0) {
        const [ended] = running.splice((picks.next().value ?? 0) % running.length, 1);
        if (ended !== undefined) order.ended(ended);
      }
      expect([...names].sort()).toEqual(calls.map(({ name }) => name).sort());
    }),
    { numRuns: 200 },
  );
});
