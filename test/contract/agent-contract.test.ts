import { expect, it } from 'vitest';
import { agentCases } from './agent-cases.ts';
import { describeCases } from './run-case.ts';
import { serviceDoor } from './service-door.ts';

describeCases(serviceDoor, agentCases);

it('no two cases have one id', () => {
  const ids = agentCases.map((each) => each.id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});
