import { setTimeout as pause } from 'node:timers/promises';
import { clusterLimits } from '../../base/door-limits.ts';
import { VaultError } from '../../base/vault-error.ts';
import {
  ownedVaults,
  type RegisteredVault,
  registeredVaults,
  registryVersion,
} from '../../postgres/nodes/vault-registry.ts';
import { forgetCalls } from '../../postgres/state/made-calls.ts';
import { ClusterVault, type ClusterVaultParts } from './cluster-vault.ts';
import { checkVaultPlace } from './vault-place.ts';

interface NodeVaultsParts extends Omit<ClusterVaultParts, 'makeRoom' | 'checkPlace'> {
  /** The folder of the vaults. */
  readonly root: string;
  readonly awakeMax: number;
  /** Called when vaults were added to the cluster or removed from it. */
  readonly onChanged: () => void;
}

/** How long a call waits for another vault to be closed. */
const roomWaitMs = 10_000;
const forgetEveryMs = 60_000;

/** All vaults of the cluster, as this node has them: owned or not, open or asleep. */
export class NodeVaults {
  readonly #parts: NodeVaultsParts;
  #vaults = new Map<number, ClusterVault>();
  #registered: readonly RegisteredVault[] = [];
  #version = '';
  #forgotMs = Number.NEGATIVE_INFINITY;

  constructor(parts: NodeVaultsParts) {
    this.#parts = parts;
  }

  /** All of them, by name. */
  get all(): readonly ClusterVault[] {
    return [...this.#vaults.values()];
  }

  /** The vault with this number; undefined when it is not in the registry. */
  byId(id: number): ClusterVault | undefined {
    return this.#vaults.get(id);
  }

  get owned(): number {
    return this.all.filter(({ epoch }) => epoch !== undefined).length;
  }

  get awake(): number {
    return this.all.filter(({ isAwake }) => isAwake).length;
  }

  get recovering(): number {
    return this.all.filter(({ isRecovering }) => isRecovering).length;
  }

  /** Reads the registry if it has changed. A vault that is not in it any more is closed. */
  async refresh(): Promise<void> {
    const { postgres, onChanged } = this.#parts;
    const version = await registryVersion(postgres);
    if (version === this.#version) return;
    const rows = await registeredVaults(postgres);
    this.#registered = rows;
    const before = this.#vaults;
    this.#vaults = new Map(rows.map((row) => [row.id, before.get(row.id) ?? this.#made(row)]));
    const isFirst = this.#version === '';
    this.#version = version;
    const removed = [...before.values()].filter(({ id }) => !this.#vaults.has(id));
    await Promise.all(removed.map((vault) => vault.lose()));
    if (!isFirst) onChanged();
  }

  /**
   * What is due from time to time: closes vaults that another node owns or was chosen for, or that this
   * one is to give away, lets those sleep that nobody
   * uses, reads the registry, and forgets old calls.
   */
  async tidy(): Promise<void> {
    const { postgres, node, clock } = this.#parts;
    const before = this.all.flatMap((vault) =>
      vault.epoch === undefined ? [] : [{ vault, epoch: vault.epoch }],
    );
    const owned = await ownedVaults(postgres, node().run);
    for (const { vault, epoch } of before) {
      const isSame = vault.epoch === epoch;
      const row = owned.get(vault.id);
      if (!isSame) continue;
      if (row?.epoch !== epoch) void vault.lose();
      else if (row.leaves || node().isDraining) void vault.release().catch(() => undefined);
    }
    const nowMs = clock.nowMs();
    for (const vault of this.all) {
      const { idleSinceMs } = vault;
      const isIdle =
        idleSinceMs !== undefined && nowMs - idleSinceMs > clusterLimits.clusterSleepMs;
      if (isIdle) void vault.sleep();
    }
    await this.refresh();
    if (nowMs - this.#forgotMs < forgetEveryMs) return;
    this.#forgotMs = nowMs;
    await forgetCalls(postgres);
  }

  /** Gives up all vaults, each as soon as its changes are made. */
  async releaseAll(): Promise<void> {
    await Promise.all(this.all.map((vault) => vault.release().catch(() => undefined)));
  }

  /** Closes all vaults, which others own by now. */
  async loseAll(): Promise<void> {
    await Promise.all(this.all.map((vault) => vault.lose()));
  }

  #made(registered: RegisteredVault): ClusterVault {
    const makeRoom = (id: number): Promise<void> => this.#makeRoom(id);
    const checkPlace = (vault: RegisteredVault): Promise<void> =>
      checkVaultPlace(vault, { root: this.#parts.root, others: this.#registered });
    return new ClusterVault(registered, { ...this.#parts, makeRoom, checkPlace });
  }

  /** Closes the vault that has been idle for longest, if as many are open as may be. */
  async #makeRoom(id: number): Promise<void> {
    const { awakeMax, clock } = this.#parts;
    const endMs = clock.nowMs() + roomWaitMs;
    for (;;) {
      const others = this.all.filter((vault) => vault.id !== id && vault.isAwake);
      if (others.length < awakeMax) return;
      const idle = others
        .flatMap((vault) => (vault.idleSinceMs === undefined ? [] : [vault]))
        .sort((a, b) => (a.idleSinceMs ?? 0) - (b.idleSinceMs ?? 0));
      if (idle[0] !== undefined) await idle[0].sleep();
      else if (clock.nowMs() > endMs) throw tooManyOpen(awakeMax);
      else await pause(clusterLimits.ownerPauseMs);
    }
  }
}

function tooManyOpen(awakeMax: number): VaultError {
  return new VaultError(
    'busy',
    `This machine has ${awakeMax} vaults open, and all of them are used; try again in a moment.`,
    { details: { retryAfterMs: clusterLimits.retryAfterMs } },
  );
}
