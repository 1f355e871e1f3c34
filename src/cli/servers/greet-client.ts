import type { ServedToolset } from '../../base/caller.ts';
import { introduction } from '../../doors/mcp/server/introduction.ts';
import { greeting, isInitialized, listing } from '../../doors/mcp/stdio/greeting.ts';
import { agentIntroduction } from '../../tools/agent/instructions.ts';
import type { Introduction } from '../../tools/define/toolset.ts';
import { notesIntroduction } from '../../tools/notes/instructions.ts';
import { obsidianIntroduction } from '../../tools/obsidian/introduction.ts';
import { introduce } from '../../tools/service/introduce.ts';
import type { ServerOptions } from '../options/server-options.ts';
import type { Shell } from '../shell/shell.ts';
import { checkVaultQuickly } from '../vaults/check-vault-quickly.ts';
import { vaultsToServe } from '../vaults/vaults-to-serve.ts';
import { FirstLines } from './first-lines.ts';
import { listKey, readKeptList } from './kept-list.ts';

/** If the client has sent nothing after this time, the server starts without greeting it. */
const greetAfterMs = 50;

/** How long the rest of the server waits to be loaded for the client to ask for its tools. */
const listAfterMs = 25;

/**
 * Answers a client's "initialize", and the "tools/list" that follows it, before the rest of the server
 * is loaded, which takes as long as starting Node. Answers how many requests it has answered: only
 * those of which it is certain what the server would answer, and only when the vaults can be served.
 * All lines stay in the input.
 */
export async function greetClient(shell: Shell, options: ServerOptions): Promise<number> {
  // Whether the tools with deadlines exist is known only when the toolsets are loaded.
  if (options.toolDeadlinesMs.size > 0) return 0;
  const lines = new FirstLines(shell.stdin);
  const first = await lines.next(greetAfterMs);
  if (first === undefined) return 0;
  const vaults = namesOf(shell, options);
  if (vaults === undefined) return 0;
  const service = introduce(
    vaults,
    options.toolsets.map((name) => introductions[name](options)),
  );
  const { version } = shell;
  const hello = greeting(first, introduction(service, { version, effects: options.rights }));
  if (hello === undefined) return 0;
  shell.stdout.write(hello.answer);
  const { capabilities } = hello;
  const list = readKeptList(shell, listKey(shell, options, { vaults, capabilities }));
  if (list === undefined) return 1;
  let line = await lines.next(listAfterMs);
  if (line !== undefined && isInitialized(line)) line = await lines.next(listAfterMs);
  const answer = line === undefined ? undefined : listing(line, list);
  if (answer === undefined) return 1;
  shell.stdout.write(answer);
  return 2;
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
