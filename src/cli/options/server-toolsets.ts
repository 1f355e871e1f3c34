import { type ServedToolset, servedToolsets } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import { refusesUndescribed, tagPolicies } from '../../engine/decide/tag-policy.ts';
import type { Toolset } from '../../tools/define/toolset.ts';
import type { ServerOptions } from './server-options.ts';

/** The options of a server that its toolsets depend on. */
export type ToolsetOptions = Pick<
  ServerOptions,
  | 'toolsets'
  | 'otherToolsets'
  | 'tagPolicy'
  | 'history'
  | 'contextEveryMs'
  | 'contextPlace'
  | 'contextBodyTags'
  | 'toolDeadlinesMs'
  | 'sync'
  | 'publish'
  | 'attachFrom'
>;

/**
 * Loads the toolsets of a server, for vaults of these names. Fails with `invalid_input` when
 * `--timeout` names a tool that none of them has.
 */
export async function serverToolsets(
  options: ToolsetOptions,
  vaults: readonly string[],
): Promise<readonly Toolset[]> {
  const { otherToolsets = [], toolDeadlinesMs } = options;
  const make = (name: ServedToolset): Promise<Toolset> => makers[name](options, vaults);
  const toolsets = await Promise.all(options.toolsets.map(make));
  if (toolDeadlinesMs.size === 0) return toolsets;
  const all = [...toolsets, ...(await Promise.all(otherToolsets.map(make)))];
  const names = new Set(all.flatMap(({ tools }) => tools.map(({ name }) => name)));
  const unknown = [...toolDeadlinesMs.keys()].find((name) => !names.has(name));
  if (unknown === undefined) return toolsets;
  throw new VaultError(
    'invalid_input',
    `"--timeout" names "${unknown}", which is not a tool of this server.`,
  );
}

/**
 * Makes the toolset of a proposal, with the settings that were kept with it; undefined when there is
 * none of this name.
 */
export async function proposalToolset(
  name: string,
  { tagPolicy }: Readonly<Record<string, unknown>>,
): Promise<Toolset | undefined> {
  const known = servedToolsets.find((each) => each === name);
  if (known === undefined) return undefined;
  const options: ToolsetOptions = {
    toolsets: [known],
    tagPolicy: tagPolicies.find((policy) => policy === tagPolicy) ?? 'enforce',
    history: true,
    contextEveryMs: 0,
    contextPlace: 'off',
    contextBodyTags: false,
    toolDeadlinesMs: new Map(),
  };
  const [toolset] = await serverToolsets(options, []);
  return toolset;
}

type Maker = (options: ToolsetOptions, vaults: readonly string[]) => Promise<Toolset>;

// Loaded only when used: a toolset has the schemas of all its tools, and loading them takes time.
const makers: Readonly<Record<ServedToolset, Maker>> = {
  notes: async (options) => {
    const { notesToolset } = await import('../../tools/notes/notes-toolset.ts');
    const { attachFrom, ...others } = options;
    const toolset = notesToolset({ ...others, attachFrom: attachFrom !== undefined });
    return { ...toolset, settings: { tagPolicy: options.tagPolicy } };
  },
  obsidian: async ({ tagPolicy }, vaults) => {
    const { obsidianToolset } = await import('../../tools/obsidian/obsidian-toolset.ts');
    const toolset = obsidianToolset({ vaults, refusesUndescribed: refusesUndescribed(tagPolicy) });
    return { ...toolset, settings: { tagPolicy } };
  },
  agent: async ({ sync, publish, tagPolicy }) => {
    const { agentToolset } = await import('../../tools/agent/agent-toolset.ts');
    const toolset = agentToolset({
      sync: sync !== undefined,
      publish: publish !== undefined,
      refusesUndescribed: refusesUndescribed(tagPolicy),
    });
    return { ...toolset, settings: { tagPolicy } };
  },
};
