import { VaultError } from '../base/vault-error.ts';
import { agentToolset } from '../tools/agent/agent-toolset.ts';
import { notesToolset } from '../tools/notes/notes-toolset.ts';
import { obsidianToolset } from '../tools/obsidian/obsidian-toolset.ts';
import type { Toolset } from '../tools/toolset.ts';
import type { ServerOptions, ServerToolset } from './server-options.ts';

/** What the toolsets have to know of the options of a server. */
export type ToolsetOptions = Pick<
  ServerOptions,
  | 'toolsets'
  | 'otherToolsets'
  | 'tagPolicy'
  | 'history'
  | 'contextEveryMs'
  | 'toolDeadlinesMs'
  | 'sync'
  | 'publish'
>;

/**
 * The toolsets that the options of a server ask for, for vaults of these names. Fails with
 * `invalid_input` when a deadline is for a tool that none of them has.
 */
export function serverToolsets(
  options: ToolsetOptions,
  vaults: readonly string[],
): readonly Toolset[] {
  const { otherToolsets = [], tagPolicy, history, contextEveryMs, sync, publish } = options;
  const make: Readonly<Record<ServerToolset, () => Toolset>> = {
    notes: () => notesToolset({ tagPolicy, history, contextEveryMs }),
    obsidian: () => obsidianToolset({ vaults }),
    agent: () => agentToolset({ sync: sync !== undefined, publish: publish !== undefined }),
  };
  const toolsets = options.toolsets.map((name) => make[name]());
  const all = [...toolsets, ...otherToolsets.map((name) => make[name]())];
  const names = new Set(all.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const unknown = [...options.toolDeadlinesMs.keys()].find((name) => !names.has(name));
  if (unknown === undefined) return toolsets;
  throw new VaultError(
    'invalid_input',
    `"--timeout" names "${unknown}", and no tool has that name.`,
  );
}
