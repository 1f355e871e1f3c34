import type { Readable } from 'node:stream';
import { introduction } from '../../doors/mcp/server/introduction.ts';
import { greeting } from '../../doors/mcp/stdio/greeting.ts';
import { agentIntroduction } from '../../tools/agent/instructions.ts';
import type { Introduction } from '../../tools/define/toolset.ts';
import { notesIntroduction } from '../../tools/notes/instructions.ts';
import { obsidianIntroduction } from '../../tools/obsidian/introduction.ts';
import { introduce } from '../../tools/service/introduce.ts';
import { effectsOf, type ServerOptions, type ServerToolset } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { checkVaultQuickly } from '../vaults/check-vault-quickly.ts';
import { vaultsToServe } from '../vaults/vaults-to-serve.ts';

/** A client that has not spoken by then is served as ever; what that needs is loaded meanwhile. */
const greetAfterMs = 50;

/**
 * Answers a client's "initialize" before all that serves it is loaded, which takes as long as Node
 * takes to start, and leaves the input as it was. Answers whether it did: it does so only where it is
 * certain what the answer is, and that the vaults can be served.
 */
export async function greetClient(shell: Shell, options: ServerOptions): Promise<boolean> {
  // Whether the tools are there that these are for, nobody knows yet.
  if (options.toolDeadlinesMs.size > 0) return false;
  const line = await firstLine(shell.stdin);
  if (line === undefined) return false;
  const vaults = namesOf(shell, options);
  if (vaults === undefined) return false;
  const service = introduce(
    vaults,
    options.toolsets.map((name) => introductions[name](options)),
  );
  const { version } = shell;
  const answer = greeting(line, introduction(service, { version, effects: effectsOf(options) }));
  if (answer === undefined) return false;
  shell.stdout.write(answer);
  return true;
}

const introductions: Readonly<Record<ServerToolset, (options: ServerOptions) => Introduction>> = {
  notes: notesIntroduction,
  obsidian: () => obsidianIntroduction,
  agent: () => agentIntroduction,
};

/** The names of the vaults; undefined where they cannot be served: whoever serves says why. */
function namesOf(shell: Shell, options: ServerOptions): readonly string[] | undefined {
  try {
    return vaultsToServe(shell, options, checkVaultQuickly).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

/** The first line, if it is there, without taking it out of the input. */
async function firstLine(input: Readable): Promise<Buffer | undefined> {
  await spoken(input);
  const chunk: unknown = input.read();
  if (!Buffer.isBuffer(chunk)) return undefined;
  input.unshift(chunk);
  const end = chunk.indexOf('\n');
  return end === -1 ? undefined : chunk.subarray(0, end);
}

/** Resolves when something is there to read, nothing ever will be, or the time is over. */
function spoken(input: Readable): Promise<void> {
  // Whoever reads on sees that it broke; until then, nobody else listens, which would end us.
  input.on('error', () => undefined);
  const events = ['readable', 'end', 'error'];
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const event of events) input.off(event, done);
      resolve();
    };
    const timer = setTimeout(done, greetAfterMs);
    for (const event of events) input.on(event, done);
  });
}
