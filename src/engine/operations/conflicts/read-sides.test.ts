import { describe, expect, it } from 'vitest';
import type { VaultError } from '../../../base/vault-error.ts';
import { checkSides, readSides } from './read-sides.ts';

describe('readSides', () => {
  it.each([
    ['both', { all: 'both', each: new Map() }],
    [
      '1=copy, 2 = Original',
      {
        each: new Map([
          [1, 'copy'],
          [2, 'original'],
        ]),
      },
    ],
    ['theirs;3:ours', { all: 'copy', each: new Map([[3, 'original']]) }],
  ])('reads %s', (choose, sides) => {
    expect(readSides(choose)).toEqual(sides);
  });

  it.each([
    ['1=mine', '"1=mine" is no choice'],
    ['constructor', '"constructor" is no choice'],
    ['both,copy', 'two choices for all'],
    ['1=copy,1=both', 'Place 1 is chosen twice'],
    [' , ', 'Nothing is chosen'],
    ['3=copy', 'There is no place 3: the last one is 2'],
    ['0=copy', 'There is no place 0'],
    ['1=copy', 'No side is chosen for place 2'],
  ])('refuses %j for two places', (choose, says) => {
    let error: VaultError | undefined;
    try {
      checkSides(readSides(choose), 2);
    } catch (caught) {
      error = caught as VaultError;
    }
    expect(error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(says),
      details: { choose: expect.anything() },
    });
  });
});
