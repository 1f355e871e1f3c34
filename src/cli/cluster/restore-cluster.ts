import { createHash } from 'node:crypto';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import type { ChangeStep, StoredChange } from '../../engine/ports/state-store.ts';
import { clusterGates } from '../../node/place/cluster-above.ts';
import { errnoOf } from '../../node/system/disk-error.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { raiseEpochs } from '../../postgres/nodes/cluster-admin.ts';
import { openPostgresState } from '../../postgres/state/postgres-state-store.ts';
import { counted } from '../../tools/cli/text.ts';
import type { Shell } from '../shell/shell.ts';
import type { ClusterAnswer } from './cluster-command.ts';

/**
 * `cluster restored`: makes tables that were restored from a backup safe to use. Raises all fence
 * numbers above those of nodes that ran after the backup, and settles changes that were open at its
 * time as the files show: they were made or not made long ago, so nothing is written to the files. A
 * change of which something lies in a gate stays open, because that can be the only copy of a note: its
 * next owner brings it back. What lies there and belongs to no open change is listed.
 */
export async function restoreCluster(
  postgres: Postgres,
  { currentFolder }: Shell,
  root = '.',
): Promise<ClusterAnswer> {
  const folder = resolve(currentFolder, root);
  const vaults = await raiseEpochs(postgres);
  let made = 0;
  let dropped = 0;
  let left = 0;
  const unseen: string[] = [];
  const leftovers: { vault: string; path: string }[] = [];
  for (const { id, name, path, epoch } of vaults) {
    const state = openPostgresState(postgres, { vault: id, epoch });
    const open = await state.unfinished();
    const inGates = await gateEntries(clusterGates(folder, id));
    const tokens = new Set(open.flatMap(tokensOf));
    for (const [token, file] of inGates) {
      if (!tokens.has(token)) leftovers.push({ vault: name, path: file });
    }
    if (open.length === 0) continue;
    const at = isAbsolute(path) ? path : join(folder, path);
    if (!(await isThere(at))) {
      unseen.push(name);
      continue;
    }
    for (const change of open) {
      if (tokensOf(change).some((token) => inGates.has(token))) {
        left += 1;
        continue;
      }
      const missing = await notMade(at, change);
      if (change.steps.length > 0 && missing.length === change.steps.length) {
        await state.drop(change.id);
        dropped += 1;
      } else {
        await state.finish(change.id, [...new Set(missing.map((step) => step.path))]);
        made += 1;
      }
    }
  }
  const lines = [
    `Raised the fence numbers of ${counted(vaults.length, 'vault')}.`,
    `Of the changes that were open, ${made} had been made and ${dropped} had not.`,
    ...(left === 0
      ? []
      : [
          `Left open for the next owner, because files of them are in a gate: ${counted(left, 'change')}.`,
        ]),
    ...unseen.map(
      (name) => `The folder of "${name}" is not here; its next owner settles its open changes.`,
    ),
    ...leftovers.map(
      ({ vault, path }) =>
        `In a gate of "${vault}", of no open change, perhaps the only copy of a note: ${path}`,
    ),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    value: { vaults: vaults.length, made, dropped, left, unseen, leftovers },
  };
}

/** What lies in the gates of a vault: the paths by their names, which are the tokens of steps. */
async function gateEntries(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = new Map<string, string>();
  for (const gate of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, gate))) {
      entries.set(name, join(folder, gate, name));
    }
  }
  return entries;
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}

function tokensOf({ steps }: StoredChange): readonly string[] {
  return steps.flatMap((step) => ('token' in step ? (step.token ?? []) : []));
}

/** The steps of a change that the files do not show. */
async function notMade(vault: string, { steps }: StoredChange): Promise<readonly ChangeStep[]> {
  const missing: ChangeStep[] = [];
  for (const step of steps) if (!(await isMade(vault, step))) missing.push(step);
  return missing;
}

async function isMade(vault: string, step: ChangeStep): Promise<boolean> {
  switch (step.do) {
    case 'write':
      return (await versionAt(join(vault, step.path))) === step.after;
    case 'delete':
    case 'dropFolder':
      return !(await isThere(join(vault, step.path)));
    case 'move':
    case 'moveFolder':
      return isThere(join(vault, step.to));
    default:
      return isThere(join(vault, step.path));
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function versionAt(path: string): Promise<string | undefined> {
  try {
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
