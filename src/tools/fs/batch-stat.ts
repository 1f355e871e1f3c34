import { z } from 'zod';
import { limits } from '../../base/limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import { seenFiles } from '../../engine/operations/raw/seen-files.ts';
import type { BoundVault } from '../../engine/vault/bound-vault.ts';
import { defineTool } from '../define/define-tool.ts';
import { fsPath } from '../define/fs-path.ts';
import { Stat } from './schemas.ts';
import { wireStat } from './wire-stat.ts';

const Failed = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
const BatchEntry = z.union([Stat, Failed]).nullable();

/** After so many others have their turn: a stat of a local disk does not wait for anything. */
const statsAtOnce = 250;

export const batchStatTool = defineTool({
  name: 'fs.batchStat',
  title: 'Stat many',
  description: `What up to ${limits.batchStatMax} paths are, in order: each as fs.stat says it, or {"error":{"code","message"}} where that fails; the code is a word such as "outside_vault".`,
  effect: 'read',
  raw: true,
  input: z.object({
    paths: z
      .array(z.string())
      .max(limits.batchStatMax, `it has at most ${limits.batchStatMax} paths`)
      .describe('The paths.'),
  }),
  output: z.object({ stats: z.array(BatchEntry) }),
  record: [],
  run: async (vault, { paths }) => {
    const stats: z.output<typeof BatchEntry>[] = [];
    for (const path of paths) {
      if (stats.length % statsAtOnce === statsAtOnce - 1) await letOthers(vault);
      stats.push(await statOf(vault, path));
    }
    return { stats };
  },
});

async function statOf(vault: BoundVault, path: string): Promise<z.output<typeof BatchEntry>> {
  try {
    const stat = await seenFiles(vault).stat(fsPath(path));
    return stat === undefined ? null : wireStat(stat);
  } catch (error) {
    // While the vault is away, nothing can be said of any path.
    if (!(error instanceof VaultError) || error.code === 'vault_not_found') throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function letOthers({ caller, vault }: BoundVault): Promise<void> {
  if (caller.signal.aborted) throw new VaultError('cancelled', 'The call was cancelled.');
  return new Promise((resolve) => {
    vault.parts.timers.after(0, resolve);
  });
}
