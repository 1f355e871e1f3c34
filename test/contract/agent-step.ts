import type { Arguments, Expected, Step } from './contract-case.ts';

/** What every case of the agent toolset is opened with. */
export const agent = { toolset: 'agent' } as const;

/** A call of a tool and what it must answer. */
export function call(tool: string, args: Arguments, expect: Expected): Step {
  return { call: tool, args, expect };
}
