import type { Readable } from 'node:stream';
import type { ServedToolset } from '../../base/caller.ts';
import { introduction } from '../../doors/mcp/server/introduction.ts';
import { greeting } from '../../doors/mcp/stdio/greeting.ts';
import { agentIntroduction } from '../../tools/agent/instructions.ts';
import type { Introduction } from '../../tools/define/toolset.ts';
import { notesIntroduction } from '../../tools/notes/instructions.ts';
import { obsidianIntroduction } from '../../tools/obsidian/introduction.ts';
import { introduce } from '../../tools/service/introduce.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { checkVaultQuickly } from '../vaults/check-vault-quickly.ts';
import { vaultsToServe } from '../vaults/vaults-to-serve.ts';

/** If the client has sent nothing after this time, the server starts without greeting it. */
const greetAfterMs = 50;

/**
 * Answers a client's "initialize" before the rest of the server is loaded, which takes as long as
 * starting Node. Answers whether it did so: only when it is certain what the server would answer, and
 * that the vaults can be served. The line stays in the input either way.
 */
export async function greetClient(shell: Shell, options: ServerOptions): Promise<boolean> {
  // Whether the tools with deadlines exist is known only when the toolsets are loaded.
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
  const answer = greeting(line, introduction(service, { version, effects: options.rights }));
  if (answer === undefined) return false;
  shell.stdout.write(answer);
  return true;
}

const introductions: Readonly<Record<ServedToolset, (options: ServerOptions) => Introduction>> = {
  notes: notesIntroduction,
  obsidian: () => obsidianIntroduction,
  agent: () => agentIntroduction,
};

/** The names of the vaults; undefined when they cannot be served, which the server then reports. */
function namesOf(shell: Shell, options: ServerOptions): readonly string[] | undefined {
  try {
    return vaultsToServe(shell, options, checkVaultQuickly).map(({ name }) => name);
  } catch {
    return undefined;
  }
}

/** The first line, which stays in the input; undefined when no whole line has come. */
async function firstLine(input: Readable): Promise<Buffer | undefined> {
  await firstInput(input);
  const chunk: unknown = input.read();
  if (!Buffer.isBuffer(chunk)) return undefined;
  input.unshift(chunk);
  const end = chunk.indexOf('\n');
  return end === -1 ? undefined : chunk.subarray(0, end);
}

/** Resolves when there is something to read, when the input has ended, or after `greetAfterMs`. */
function firstInput(input: Readable): Promise<void> {
  // Without a listener an error would end the process. The server, which reads next, sees it again.
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
