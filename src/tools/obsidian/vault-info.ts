import { z } from 'zod';
import { folderInfo } from '../../engine/operations/list/list-folders.ts';
import { describeVault } from '../../engine/operations/vault/describe-vault.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';

export const vaultInfoTool = defineTool({
  name: 'obsidian_vault_info',
  title: 'Vault info',
  description: 'Show the name and path of the vault and what is in it, in numbers',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    name: z.string(),
    path: z.string(),
    files: z.number(),
    folders: z.number(),
    bytes: z.number(),
    notes: z.number(),
    tags: z.number(),
    properties: z.number(),
    unresolved: z.number(),
    orphans: z.number(),
  }),
  record: [],
  run: async (vault) => {
    const { name, location, files: counts, ...described } = await describeVault(vault);
    const { files, folders, bytes } = await folderInfo(vault, { folder: '' });
    const { tags, properties, unresolved, orphans } = described;
    const found = { notes: counts.note, tags, properties, unresolved, orphans };
    return { name, path: location, files, folders, bytes, ...found };
  },
});

/** Lists the vaults that are served: those that the caller can name. */
export function vaultsTool(names: readonly string[] | undefined): AnyTool {
  return defineTool({
    name: 'obsidian_vaults',
    title: 'List vaults',
    description: 'List the vaults that can be used here',
    effect: 'read',
    anyVault: true,
    input: z.object({}),
    output: z.object({ vaults: z.array(z.string()).readonly() }),
    record: [],
    run: async (vault) => ({ vaults: names ?? [vault.vault.parts.name] }),
  });
}
