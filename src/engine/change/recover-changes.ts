import type { VaultPath } from '../../base/vault-path.ts';
import type { StoredChange } from '../ports/state-store.ts';
import type { Recovered } from '../vault/vault-parts.ts';
import { finishMarked } from './commit-change.ts';
import { rollBack, settleSingle } from './finish-change.ts';
import type { ChangePorts } from './take-back-step.ts';

/**
 * Finishes or takes back every change that is still open. Only whoever holds the commit lock may
 * call it; then whoever made those changes is gone.
 */
export async function recoverChanges(ports: ChangePorts): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const change of await ports.state.unfinished()) {
    recovered.push({
      id: change.id,
      tool: change.tool,
      ...(await recover(ports, change)),
      paths: pathsOf(change),
    });
  }
  return recovered;
}

async function recover(
  ports: ChangePorts,
  change: StoredChange,
): Promise<Pick<Recovered, 'outcome' | 'kept'>> {
  const { disk, state } = ports;
  if (change.state === 'marked') {
    const kept = await finishMarked(ports, change).catch(async (error: unknown) => {
      // Where the disk does not let it be finished it is taken back; else it stays open.
      const open = await state.unfinished();
      if (open.some(({ id }) => id === change.id)) throw error;
      return undefined;
    });
    if (kept === undefined) return { outcome: 'undone', kept: [] };
    await state.finish(change.id, kept);
    return { outcome: 'finished', kept };
  }
  if (change.state === 'single' && (await settleSingle(disk, change))) {
    await state.finish(change.id, []);
    return { outcome: 'finished', kept: [] };
  }
  if (change.state !== 'single') await rollBack(ports, change);
  await state.drop(change.id);
  return { outcome: 'undone', kept: [] };
}

/** Every path that a change names. */
export function pathsOf({ steps }: Pick<StoredChange, 'steps'>): VaultPath[] {
  const paths = new Set<VaultPath>();
  for (const step of steps) {
    paths.add(step.path);
    if ('to' in step) paths.add(step.to);
  }
  return Array.from(paths);
}
