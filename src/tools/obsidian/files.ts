import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { vaultFolder } from '../../base/vault-path.ts';
import { listFiles, listWithExtension } from '../../engine/operations/list/list-files.ts';
import { folderInfo, listFolders } from '../../engine/operations/list/list-folders.ts';
import { defineTool } from '../define/define-tool.ts';
import { countOr, filled, optionalText } from '../define/note-input.ts';
import { listPage, Offset, pageShape, restFrom } from './list-page.ts';

const kinds = ['note', 'canvas', 'base', 'attachment'] as const;

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
    const page = { folder: vaultFolder(within), limit, offset };
    const { total, items } =
      extension === undefined
        ? await listFiles(vault, { ...page, kinds, sort: 'path' })
        : await listWithExtension(vault, { ...page, extension });
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
