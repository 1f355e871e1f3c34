import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { publishAdr } from '../../engine/operations/vault/publish-adr.ts';
import { syncVault } from '../../engine/operations/vault/sync-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { filled } from '../define/note-input.ts';

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

export const adrPublishTool = defineTool({
  name: 'adr_publish',
  title: 'Publish an ADR',
  description:
    'Write a decision record of adr/ (such as adr/ADR-001-some-slug.md) into docs/adr/ of the project\'s git repository and commit it there; where the server is set up for it, push it or open a pull request. Only when the user asks for it. Publishing again after an edit updates it. It cannot be undone from here. "notes" says what was not done, and why.',
  effect: 'write',
  openWorld: true,
  deadlineMs: limits.publishMs,
  input: z.object({
    path: filled('Path from the root of the vault, e.g. "adr/ADR-001-some-slug.md"'),
  }),
  output: z.object({
    file: z.string().describe('Where it is in the repository'),
    commit: z.string().optional(),
    branch: z.string().optional(),
    pushed: z.boolean(),
    pull_request: z.string().optional(),
    notes: z.array(z.string()).readonly(),
  }),
  existing: 'path',
  record: ['path'],
  run: async (vault, { path }) => {
    const { pullRequest, ...published } = await publishAdr(vault, { path });
    return { ...published, ...(pullRequest === undefined ? {} : { pull_request: pullRequest }) };
  },
});
