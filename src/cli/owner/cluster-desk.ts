import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import { abortReason, VaultError } from '../../base/vault-error.ts';
import { foldName } from '../../base/vault-path.ts';
import { ForwardFailed, forwardCall } from '../../cluster/wire/forward-call.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import {
  placeOfVault,
  type RegisteredVault,
  registeredVaults,
} from '../../postgres/nodes/vault-registry.ts';
import { type Desk, deskElsewhere } from './desk-message.ts';

/** How long to wait for a node that can answer. */
const waitMs = 3 * clusterLimits.leaseMs;

/** The owner's desk of a vault in a cluster: the node that has the vault answers. */
export function clusterDesk(
  { postgres, secret }: { readonly postgres: Postgres; readonly secret: string },
  vault: RegisteredVault,
  person: Caller,
): Desk {
  const silentMs = clusterLimits.forwardSilentMs;
  return deskElsewhere(async (args, owner = person) => {
    const call = { vault: vault.id, toolsets: [], method: 'desk' as const, args };
    const endMs = performance.now() + waitMs;
    for (;;) {
      if (owner.signal.aborted) throw abortReason(owner.signal);
      const { owner: has, next } = await placeOfVault(postgres, { vault: vault.id, self: '' });
      const target = has ?? next;
      if (target !== undefined) {
        try {
          return await forwardCall({ address: target.address, secret, silentMs }, call, owner);
        } catch (error) {
          if (!(error instanceof ForwardFailed)) throw error;
          if (error.why === 'lost') throw notKnown(vault.name);
        }
      }
      if (performance.now() > endMs) throw nobodyAnswers(vault.name);
      await pause(clusterLimits.ownerPauseMs);
    }
  });
}

/** The vault of this name, or the only one. Fails with `vault_not_found`, or `invalid_input`. */
export async function clusterVault(
  postgres: Postgres,
  name: string | undefined,
): Promise<RegisteredVault> {
  const all = await registeredVaults(postgres);
  const found = all.filter((each) => name === undefined || foldName(each.name) === foldName(name));
  const [only, more] = found;
  if (only !== undefined && more === undefined) return only;
  if (only === undefined) {
    throw new VaultError('vault_not_found', 'There is no such vault in the cluster.');
  }
  throw new VaultError(
    'invalid_input',
    'There are several vaults in the cluster; give the name of one: --vault <name>.',
  );
}

function nobodyAnswers(vault: string): VaultError {
  return new VaultError(
    'unavailable',
    `No machine of the cluster can serve "${vault}" now; "vaultdoor cluster status" shows which run. Nothing was changed.`,
  );
}

function notKnown(vault: string): VaultError {
  return new VaultError(
    'unavailable',
    `The machine that serves "${vault}" has not answered. It is not known whether it has done this: list what waits before you repeat it.`,
  );
}
