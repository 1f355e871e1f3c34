import { allScopes, type Caller } from '../../base/caller.ts';
import { clusterLimits } from '../../base/door-limits.ts';
import { limits } from '../../base/limits.ts';
import type { ClusterVault } from '../../cluster/owners/cluster-vault.ts';
import type { ClusterServer } from '../../cluster/service/cluster-server.ts';
import type { ConsoleNews } from '../../doors/console/console-parts.ts';
import type { ConsoleEvent } from '../../doors/console/console-wire.ts';
import type { Vault } from '../../engine/open/vault.ts';
import type { VaultSource } from '../../engine/open/vault-source.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import type { ClusterBooks } from '../../postgres/books/cluster-books.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { openPostgresReadLog } from '../../postgres/state/postgres-read-log.ts';
import { type VaultStanding, vaultStandings } from '../../postgres/state/vault-standings.ts';
import { consoleToolset } from '../../tools/console/console-toolset.ts';
import { answerDesk, deskElsewhere } from '../owner/desk-message.ts';
import { namesInBooks } from '../vaults/token-names.ts';
import { tellingNew } from './console-news.ts';
import { readPicture } from './console-picture.ts';
import { type ConsoleVaults, vaultMeant } from './console-vaults.ts';

interface ClusterConsoleParts {
  readonly node: ClusterServer;
  readonly postgres: Postgres;
  readonly books: Pick<ClusterBooks, 'tokens' | 'oauth'>;
}

/** What the owner of a vault says about its index and files. */
interface IndexStanding {
  readonly index: { readonly stage: string; readonly done: number; readonly total?: number };
  /** Grows when the index has looked at files again. */
  readonly looks: number;
}

/**
 * How the console of a node reaches the vaults of the cluster. What needs a vault is asked of the node that
 * owns it; what PostgreSQL knows is asked there, so that a list of vaults opens none.
 */
export function clusterVaults(parts: ClusterConsoleParts): ConsoleVaults {
  const { node, postgres, books } = parts;
  const { vaults } = node;
  const news = new ClusterNews(parts);
  const meant = (caller: Caller): ClusterVault => {
    const vault = vaultMeant(vaults.all, caller);
    news.asked(vault);
    return vault;
  };
  return {
    list: () => vaults.all.map(({ name, folder: path }) => ({ name, path })),
    async service() {
      const service = await node.service([consoleToolset.name]);
      return {
        list: (effects) => service.list(effects),
        disconnected: (connection) => service.disconnected(connection),
        call: (name, args, caller) => {
          const vault = vaults.all.find((each) => each.name === caller.vault) ?? vaults.all[0];
          if (vault !== undefined) news.asked(vault);
          return service.call(name, args, caller);
        },
      };
    },
    desk: (caller) => {
      const vault = meant(caller);
      return {
        desk: deskElsewhere((args, owner = caller) => node.ask(vault, args, owner)),
        latest: async () => (await node.ask(vault, ['latest'], caller)) as number,
      };
    },
    async picture(path, caller) {
      const found = await node.ask(meant(caller), ['picture', path], caller);
      const { type, bytes } = found as { readonly type: string; readonly bytes: string };
      return { type, bytes: Buffer.from(bytes, 'base64') };
    },
    reads: (caller) =>
      openPostgresReadLog({
        postgres,
        vault: vaultMeant(vaults.all, caller).id,
        clock: nodeClock,
        timers: nodeTimers,
      }),
    names: () => namesInBooks(books, { ended: true }),
    news,
    async waiting() {
      const all = await vaultStandings(postgres, nodeClock.nowMs());
      return all.reduce((sum, { open, proposals }) => sum + open + proposals, 0);
    },
    // Each node keeps the sizes of the vaults that it has open.
    counted: () => vaults.all.filter(({ epoch, isAwake }) => epoch !== undefined && isAwake),
  };
}

/** Answers what the owner asks of a vault of this node, from here or from another one. */
export async function answerConsole(
  source: VaultSource,
  args: readonly unknown[],
  owner: Caller,
): Promise<unknown> {
  const [what, path] = args;
  if (what === 'picture') {
    const { type, bytes } = await readPicture(source, path as string, owner);
    return { type, bytes: Buffer.from(bytes).toString('base64') };
  }
  return what === 'index' ? indexOf(await source.open()) : answerDesk(source, args, owner);
}

/** How often the index of each open vault has looked at files since somebody asked first. */
const looked = new WeakMap<Vault, { looks: number }>();

function indexOf(vault: Vault): IndexStanding {
  const { keeper } = vault.parts;
  const count = looked.get(vault) ?? { looks: 0 };
  if (!looked.has(vault)) {
    looked.set(vault, count);
    keeper.onLooked(() => {
      count.looks++;
    });
  }
  const { stage, done, total } = keeper.progress;
  return { index: { stage, done, ...(total > 0 ? { total } : {}) }, looks: count.looks };
}

/**
 * What happens in the vaults of the cluster. While a page listens, PostgreSQL is asked once a second how all
 * vaults stand. The owners of those that were asked for lately say how far their index is.
 */
class ClusterNews implements ConsoleNews {
  readonly #parts: ClusterConsoleParts;
  /** When the console last asked something of a vault. */
  readonly #askedMs = new Map<number, number>();

  constructor(parts: ClusterConsoleParts) {
    this.#parts = parts;
  }

  /** Notes that the console has asked something of a vault. */
  asked({ id }: ClusterVault): void {
    this.#askedMs.set(id, nodeClock.nowMs());
  }

  async latest(): ReturnType<ConsoleNews['latest']> {
    return (await this.#standings()).map(({ name, at }) => ({ vault: name, at }));
  }

  listen(tell: (event: ConsoleEvent) => void): () => void {
    const tellNew = tellingNew(tell);
    let isOver = false;
    let cancel = (): void => undefined;
    const look = async (): Promise<void> => {
      const events = await this.#look().catch(() => []); // PostgreSQL may be away for a while.
      if (isOver) return;
      for (const event of events) tellNew(event);
      cancel = nodeTimers.after(limits.consoleLookMs, () => void look());
    };
    void look();
    return () => {
      isOver = true;
      cancel();
    };
  }

  #standings(): Promise<readonly VaultStanding[]> {
    return vaultStandings(this.#parts.postgres, nodeClock.nowMs());
  }

  async #look(): Promise<readonly ConsoleEvent[]> {
    const [standings, indexes] = await Promise.all([this.#standings(), this.#indexes()]);
    return [
      ...standings.flatMap(({ name: vault, at, open, proposals, here }): ConsoleEvent[] => [
        { event: 'vault', data: { vault, here } },
        { event: 'change', data: { vault, at } },
        { event: 'question', data: { vault, open, proposals } },
      ]),
      ...indexes,
    ];
  }

  async #indexes(): Promise<readonly ConsoleEvent[]> {
    const sinceMs = nodeClock.nowMs() - clusterLimits.clusterSleepMs;
    const { node } = this.#parts;
    const shown = node.vaults.all.filter(({ id }) => (this.#askedMs.get(id) ?? 0) > sinceMs);
    const signal = AbortSignal.timeout(indexWaitMs);
    const scopes = { ...allScopes, effects: ['read' as const] };
    const caller = { door: 'console', scopes, signal, deadlineMs: indexWaitMs } as const;
    const asked = shown.map(async (vault): Promise<ConsoleEvent[]> => {
      const { index, looks } = (await node.ask(vault, ['index'], caller)) as IndexStanding;
      const about = { vault: vault.name };
      return [
        { event: 'index', data: { ...about, ...index } },
        ...(looks > 0 ? [{ event: 'files' as const, data: { ...about, looks } }] : []),
      ];
    });
    // While a vault moves to another node, nothing is told about its index.
    return (await Promise.all(asked.map((each) => each.catch(() => [])))).flat();
  }
}

/** How long a look waits for the owners of vaults. */
const indexWaitMs = 5_000;
