import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { listAllFiles } from '../../engine/operations/list/list-files.ts';
import { folderInfo, listFolders } from '../../engine/operations/list/list-folders.ts';
import { measureVault } from '../../engine/operations/vault/describe-vault.ts';
import { type AnyTool, defineTool } from '../define/define-tool.ts';
import { countOr, filled, optionalText } from '../define/note-input.ts';
import { listPage, Offset, pageShape, restFrom } from './list-page.ts';

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
    const { totals, ...described } = await measureVault(vault);
    const { name, location, files, tags, properties, unresolved, orphans } = described;
    const found = { notes: files.note, tags, properties, unresolved, orphans };
    return { name, path: location, ...totals, ...found };
  },
});

/** The tool that lists the vaults of these names; without names, the vault of the call. */
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

export const filesTool = defineTool({
  name: 'obsidian_files',
  title: 'List files',
  description: 'List the files of the vault or a folder',
  effect: 'read',
  input: z.object({
    folder: optionalText('Only in this folder'),
    extension: optionalText('Such as md or png'),
    limit: countOr(100, 'At most this many', { min: 1, max: limits.resultsMax }),
    offset: Offset,
  }),
  output: z.object(pageShape('files', z.string())),
  record: ['folder', 'extension', 'limit', 'offset'],
  run: async (vault, { folder: within = '', extension, limit, offset = 0 }) => {
    const request = { folder: vaultFolder(within), extension, limit, offset };
    const { total, items } = await listAllFiles(vault, request);
    return listPage('files', { total, items: items.map(({ path }) => path), offset });
  },
});

export const foldersTool = defineTool({
  name: 'obsidian_folders',
  title: 'List folders',
  description: 'List the folders of the vault or of a folder',
  effect: 'read',
  input: z.object({ folder: optionalText('Only in this folder'), offset: Offset }),
  output: z.object(pageShape('folders', z.string())),
  record: ['folder', 'offset'],
  run: async (vault, { folder = '', offset = 0 }) => {
    const request = { folder: vaultFolder(folder), ...restFrom(offset) };
    const { total, folders } = await listFolders(vault, request);
    return listPage('folders', { total, items: folders, offset });
  },
});

export const folderInfoTool = defineTool({
  name: 'obsidian_folder_info',
  title: 'Folder info',
  description: 'Count the files, folders and bytes in a folder',
  effect: 'read',
  input: z.object({ folder: filled('Folder path; "/" is the vault') }),
  output: z.object({
    path: z.string(),
    files: z.number(),
    folders: z.number(),
    bytes: z.number(),
  }),
  record: ['folder'],
  run: (vault, { folder }) => folderInfo(vault, { folder: vaultFolder(folder) }),
});
