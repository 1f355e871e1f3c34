import { toVaultError, VaultError } from '../../base/vault-error.ts';
import type { StoredChange } from '../ports/state-store.ts';
import type { Recovered } from '../vault/vault-parts.ts';
import { pathsOf } from './change-report.ts';
import { finishMarked } from './commit-change.ts';
import { rollBack, settleSingle } from './finish-change.ts';
import type { ChangePorts } from './take-back-step.ts';

/**
 * Finishes or takes back every change that is still unfinished. The caller must hold the commit
 * lock: then the processes that began those changes are gone, or have given up on them. What is
 * done depends on `ChangeState`: `marked` changes are finished, for a `single` one the disk shows
 * whether it happened, `staging` and `undoing` ones are taken back. When that fails, the error says
 * which change is open and why; nothing may be written before it is settled.
 */
export async function recoverChanges(ports: ChangePorts): Promise<Recovered[]> {
  const recovered: Recovered[] = [];
  for (const change of await ports.state.unfinished()) {
    recovered.push({
      id: change.id,
      tool: change.tool,
      ...(await recover(ports, change).catch((error: unknown) => {
        throw stillOpen(change, error);
      })),
      paths: pathsOf(change),
    });
  }
  return recovered;
}

async function recover(
  ports: ChangePorts,
  change: StoredChange,
): Promise<Pick<Recovered, 'outcome' | 'kept'>> {
  const { state } = ports;
  switch (change.state) {
    case 'marked': {
      const kept = await finishMarked(ports, change).catch(async (error: unknown) => {
        // If the change is no longer unfinished, `finishMarked` has taken it back. Otherwise
        // nothing is settled.
        const open = await state.unfinished();
        if (open.some(({ id }) => id === change.id)) throw error;
        return undefined;
      });
      if (kept === undefined) return { outcome: 'undone', kept: [] };
      await state.finish(change.id, kept);
      return { outcome: 'finished', kept };
    }
    case 'single': {
      const { happened, kept } = await settleSingle(ports, change);
      if (happened) {
        await state.finish(change.id, kept);
        return { outcome: 'finished', kept };
      }
      break;
    }
    default:
      await rollBack(ports, change);
  }
  await state.drop(change.id);
  return { outcome: 'undone', kept: [] };
}

function stillOpen({ id, tool }: StoredChange, cause: unknown): VaultError {
  const { code, message, details } = toVaultError(cause);
  return new VaultError(
    code,
    `Nothing can be written: change ${id} (${tool}) was interrupted and has to be finished or taken back first, and that failed. ${message}`,
    { cause, details },
  );
}
