import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { syncVault } from '../../engine/operations/vault/sync-vault.ts';
import { defineTool } from '../define/define-tool.ts';

export const vaultSyncTool = defineTool({
  name: 'vault_sync',
  title: 'Sync the vault',
  description:
    'Bring the vault and its remote copy together with rclone, in the direction that the server is set up for: pull (newer remote files replace older ones here, of which the server keeps a copy), push (the reverse) or bisync (both; also carries deletions over). Only when the user asks for it, or notes are missing that should be here. It cannot be undone with the history. While a bisync runs, changes of notes wait.',
  effect: 'destroy',
  openWorld: true,
  deadlineMs: limits.syncMs,
  input: z.object({}),
  output: z.object({
    direction: z.enum(['pull', 'push', 'bisync']),
    transferred: z.int().describe('Files that were copied, either way'),
    deleted: z.int().describe('Files that were removed'),
    bytes: z.int().describe('Bytes that were copied'),
  }),
  record: [],
  run: (vault) => syncVault(vault),
});
