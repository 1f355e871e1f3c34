import { describe, expect, it } from 'vitest';
import { commonRights, type Effect, type Right, rights, rightTo } from './caller.ts';

const effects: readonly Effect[] = ['read', 'write', 'destroy'];

/** Every set of rights, in the order in which `rights` names them. */
const sets: readonly (readonly Right[])[] = Array.from({ length: 2 ** rights.length }, (_, bits) =>
  rights.filter((_, at) => (bits >> at) % 2 === 1),
);

describe('rightTo', () => {
  it.each<[rights: readonly Right[], read: unknown, write: unknown, destroy: unknown]>([
    [[], undefined, undefined, undefined],
    [['read'], 'do', undefined, undefined],
    [['read', 'write'], 'do', 'do', undefined],
    [['read', 'write', 'destroy'], 'do', 'do', 'do'],
    [['read', 'propose'], 'do', 'propose', 'propose'],
    [['read', 'write', 'propose'], 'do', 'do', 'propose'],
    [['read', 'destroy', 'propose'], 'do', 'propose', 'do'],
    [['read', 'write', 'destroy', 'propose'], 'do', 'do', 'do'],
    [['propose'], undefined, 'propose', 'propose'],
  ])('%j', (rights, read, write, destroy) => {
    expect(effects.map((effect) => rightTo(effect, rights))).toEqual([read, write, destroy]);
  });
});

describe('commonRights', () => {
  it.each<[some: readonly Right[], others: readonly Right[], common: readonly Right[]]>([
    [[], ['read', 'write', 'destroy', 'propose'], []],
    [
      ['read', 'write', 'destroy'],
      ['read', 'write', 'destroy'],
      ['read', 'write', 'destroy'],
    ],
    [['read', 'write', 'destroy'], ['read'], ['read']],
    [
      ['read', 'write', 'destroy'],
      ['read', 'propose'],
      ['read', 'propose'],
    ],
    [
      ['read', 'write', 'destroy'],
      ['read', 'write', 'propose'],
      ['read', 'write', 'propose'],
    ],
    [
      ['read', 'propose'],
      ['read', 'propose'],
      ['read', 'propose'],
    ],
    [['read', 'propose'], ['read'], ['read']],
    [
      ['read', 'write', 'propose'],
      ['read', 'propose'],
      ['read', 'propose'],
    ],
    // The first may not even propose to delete, and both may write.
    [
      ['read', 'write', 'propose'],
      ['read', 'write'],
      ['read', 'write'],
    ],
    // Writing is proposed; that deleting is not cannot be said.
    [
      ['read', 'propose'],
      ['read', 'write'],
      ['read', 'propose'],
    ],
  ])('%j and %j are %j', (some, others, common) => {
    expect(commonRights(some, others)).toEqual(common);
    expect(commonRights(others, some)).toEqual(common);
  });

  it('never let anyone do or read what one of both may not', () => {
    for (const some of sets) {
      for (const others of sets) {
        const common = commonRights(some, others);
        const both = effects.map((effect) => [rightTo(effect, some), rightTo(effect, others)]);
        const got = effects.map((effect) => rightTo(effect, common));
        const lesser = both.map((pair) =>
          pair.includes(undefined) ? undefined : pair.includes('propose') ? 'propose' : 'do',
        );
        // The one thing that cannot be said: one kind of change is proposed, the other is not.
        const isUnsaid = lesser.includes('propose') && lesser.slice(1).includes(undefined);
        const said = lesser.map((right, at) => (at > 0 && isUnsaid ? (right ?? 'propose') : right));
        expect({ some, others, got }).toEqual({ some, others, got: said });
      }
    }
  });
});
