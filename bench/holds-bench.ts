import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  heavyAgentCalls,
  heavyFamilies,
  heavyNotesCalls,
  heavyObsidianCalls,
  heavyPath,
  heavyVault,
} from '../test/support/heavy-vaults.ts';
import type { HostileFamily } from '../test/support/hostile-notes.ts';
import { type Command, ServerClient } from './server-client.ts';
import { vaultdoorCommand } from './stdio-client.ts';

// `npm run bench:holds` gives the built server one hostile note of each family and calls every tool
// that looks into it. It prints how long the event loop of the server was held at most during each
// call, which is how long everybody else had to wait, next to the same figure of a process that does
// nothing. `-- --chars 1000000` sets the size of the note, `-- --family links` and `-- --tools agent`
// choose some, `-- --over 50` sets from how many milliseconds on a call is listed.

/** Runs in the measured process: answers the longest hold since the last question. */
const probe = `
  import { isMainThread } from 'node:worker_threads';
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  if (isMainThread) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    process.on('message', () => { process.send(delay.max / 1e6); delay.reset(); });
    process.channel.unref();
  }`;

/** The command with a probe in its main thread. */
export function probed(command: Command): Command {
  const address = `data:text/javascript,${encodeURIComponent(probe)}`;
  return { ...command, args: ['--import', address, ...command.args], ipc: true };
}

/** A client that can ask the measured process for its longest hold. */
export class ProbedClient extends ServerClient {
  async holdMs(): Promise<number> {
    const answer = once(this.child, 'message');
    this.child.send('hold');
    const [ms] = await answer;
    return Number(ms);
  }
}

interface Held {
  readonly family: string;
  readonly tool: string;
  readonly args: string;
  readonly holdMs: number;
  readonly emptyMs: number;
  readonly tookMs: number;
  readonly failure?: string | undefined;
}

const toolsets = {
  notes: heavyNotesCalls,
  agent: heavyAgentCalls,
  obsidian: heavyObsidianCalls,
} as const;

async function measure(
  family: HostileFamily,
  toolset: keyof typeof toolsets,
  chars: number,
): Promise<readonly Held[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vaultdoor-holds-'));
  const cache = mkdtempSync(join(tmpdir(), 'vaultdoor-holds-cache-'));
  for (const [path, text] of Object.entries(heavyVault(family, chars))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const server = new ProbedClient(probed(vaultdoorCommand(folder, cache, toolset)));
  const empty = new ProbedClient(
    probed({ file: process.execPath, args: ['-e', 'process.stdin.resume()'], env: process.env }),
  );
  const held: Held[] = [];
  try {
    await server.greet();
    await server.call(firstCall[toolset][0], firstCall[toolset][1]); // Waits until the note is indexed.
    const path = heavyPath(family);
    for (const [tool, args, connection] of toolsets[toolset](path)) {
      if (connection !== undefined) {
        appendFileSync(join(folder, path), 'Not seen.\n'); // What another one does.
        continue;
      }
      await Promise.all([server.holdMs(), empty.holdMs()]);
      const answer = await server.call(tool, args);
      const [holdMs, emptyMs] = await Promise.all([server.holdMs(), empty.holdMs()]);
      held.push({
        family: family.name,
        tool,
        args: JSON.stringify(args),
        holdMs,
        emptyMs,
        tookMs: answer.ms,
        failure: answer.late ? 'no answer within a minute' : answer.failure,
      });
      if (answer.late) break;
    }
  } finally {
    await Promise.all([server.kill(), empty.kill()]);
    for (const path of [folder, cache]) rmSync(path, { recursive: true, force: true });
  }
  return held;
}

/** A call that needs the index. */
const firstCall = {
  notes: ['search_notes', { query: 'word' }],
  agent: ['backlinks_search', { path: 'Other.md' }],
  obsidian: ['obsidian_search', { query: 'word' }],
} as const;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      chars: { type: 'string', default: '1000000' },
      family: { type: 'string', default: '' },
      tools: { type: 'string', default: 'notes,agent,obsidian' },
      over: { type: 'string', default: '50' },
    },
  });
  const over = Number(values.over);
  const all: Held[] = [];
  for (const family of heavyFamilies.filter(({ name }) => name.includes(values.family))) {
    for (const toolset of ['notes', 'agent', 'obsidian'] as const) {
      if (!values.tools.split(',').includes(toolset)) continue;
      const held = await measure(family, toolset, Number(values.chars));
      all.push(...held);
      const worst = held.toSorted((a, b) => b.holdMs - a.holdMs)[0];
      if (worst === undefined) continue;
      console.log(`${family.name}, ${toolset}: ${ms(worst.holdMs)} in ${worst.tool}`);
      for (const row of held.filter(({ holdMs }) => holdMs > over)) console.log(`  ${line(row)}`);
    }
  }
  const empty = Math.max(...all.map(({ emptyMs }) => emptyMs));
  const count = all.filter(({ holdMs }) => holdMs > over).length;
  console.log(`${all.length} calls on notes of ${values.chars} characters: ${count} held the loop`);
  console.log(`for more than ${over} ms. The empty loop was held for ${ms(empty)} at most.`);
}

function line({ tool, args, holdMs, emptyMs, tookMs, failure }: Held): string {
  const outcome = failure === undefined ? '' : `, failed: ${failure.slice(0, 60)}`;
  const loops = `${ms(holdMs)}, empty loop ${ms(emptyMs)}`;
  return `${tool} ${args.slice(0, 60)}: ${loops}, answered after ${ms(tookMs)}${outcome}`;
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
