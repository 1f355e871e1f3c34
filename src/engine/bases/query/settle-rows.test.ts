import { expect, it } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { memoryFacts } from '../../../../test/support/memory-facts.ts';
import { MissingFacts } from '../values/world.ts';
import { LoadedWorld } from './loaded-world.ts';
import { Settler } from './settle-rows.ts';

it('facts that lead to ever more facts are refused', async () => {
  const world = new LoadedWorld({ nowMs: 0, random: () => 0, propertyTypes: new Map() });
  let count = 0;
  const endless = () => {
    throw new MissingFacts({ path: `${count++}.md` });
  };
  const error = await failureOf(new Settler(memoryFacts(new Map()), world).one(endless));
  expect(error.code).toBe('invalid_input');
});
