import { Session } from 'node:inspector/promises';
import { paintFor } from '../../src/cli/shell/terminal.ts';
import { nodeTimers } from '../../src/node/system/node-ports.ts';
import { agentToolset } from '../../src/tools/agent/agent-toolset.ts';
import { cliToolset } from '../../src/tools/cli/cli-toolset.ts';
import type { Toolset } from '../../src/tools/define/toolset.ts';
import { notesToolset } from '../../src/tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../../src/tools/obsidian/obsidian-toolset.ts';
import { createService } from '../../src/tools/service/service.ts';
import {
  heavyAgentCalls,
  heavyCliCalls,
  heavyFamilies,
  heavyNotesCalls,
  heavyObsidianCalls,
  heavyPath,
  heavyVault,
} from './heavy-vaults.ts';
import type { HostileFamily } from './hostile-notes.ts';
import { openWrittenVault, testCaller } from './written-vault.ts';

// A program of its own (`heavy-notes.test.ts` runs it), because a process whose steps are counted is
// slow, and because everything that it has loaded is counted. Prints, as JSON, the steps of each
// call on notes of the given sizes: `node scripts/run-ts.mjs test/support/count-call-steps.ts 20000,40000
// "links on a line" properties`.

const { context: _, ...notes } = notesToolset({
  tagPolicy: 'warn',
  history: true,
  contextEveryMs: 0,
});
const toolsets: readonly (readonly [Toolset, typeof heavyNotesCalls])[] = [
  [notes, heavyNotesCalls],
  [agentToolset({ sync: false, publish: false }), heavyAgentCalls],
  [obsidianToolset(), heavyObsidianCalls],
  [cliToolset(paintFor({ isTTY: false }, {})), heavyCliCalls],
];

/** The steps of one call on a note of each size. */
export interface CountedCall {
  readonly family: string;
  readonly call: string;
  readonly steps: readonly number[];
}

/** How many blocks of the source ran since the last question, which V8 itself counts. */
async function stepsSince(session: Session): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const { url, functions } of result) {
    // All of our source is in one bundle; SQLite and Node are not.
    if (!url.endsWith('/entry.mjs')) continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}

/** The steps of each call, in the order of the calls. */
async function stepsOf(
  session: Session,
  family: HostileFamily,
  chars: number,
): Promise<ReadonlyMap<string, number>> {
  const steps = new Map<string, number>();
  for (const [toolset, calls] of toolsets) {
    const opened = await openWrittenVault(heavyVault(family, chars));
    const service = createService(opened.whole, [toolset], nodeTimers);
    await stepsSince(session);
    const name = heavyPath(family);
    const by = (connection = 'c') => testCaller({ door: 'mcp-stdio', connection });
    for (const [tool, args, connection] of calls(name)) {
      await service.call(tool, args, by(connection));
      steps.set(`${tool} ${JSON.stringify(args)}`, await stepsSince(session));
    }
    if (toolset === notes) {
      const section = { prompt: 'note', argument: 'section', value: 'e', given: { name } };
      await service.complete({ of: 'prompt', ...section }, by());
      steps.set('the completion of a heading', await stepsSince(session));
    }
    await opened.close();
  }
  return steps;
}

export async function main([sizes = '', ...names]: readonly string[]): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const found: CountedCall[] = [];
  for (const family of heavyFamilies.filter(({ name }) => names.includes(name))) {
    const counts: ReadonlyMap<string, number>[] = [];
    for (const size of sizes.split(',')) counts.push(await stepsOf(session, family, Number(size)));
    for (const call of counts[0]?.keys() ?? []) {
      const steps = counts.map((each) => each.get(call) ?? 0);
      found.push({ family: family.name, call, steps });
    }
  }
  process.stdout.write(JSON.stringify(found));
}
