import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { clusterLimits } from '../../base/door-limits.ts';
import { limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadJson } from '../../base/read-json.ts';
import { VaultError } from '../../base/vault-error.ts';
import { renewalLimits } from '../../cluster/owners/cluster-node.ts';
import { ClusterServer } from '../../cluster/service/cluster-server.ts';
import { consoleScopes } from '../../engine/decide/console-scopes.ts';
import type { HttpHandler } from '../../net/http-handler.ts';
import { type HttpListener, listenHttp } from '../../net/http-listener.ts';
import { noteNodeAddress } from '../../node/place/cluster-above.ts';
import { nodeClock, nodeTimers } from '../../node/system/node-ports.ts';
import { SharedThreads } from '../../node/threads/shared-threads.ts';
import { ThreadReader } from '../../node/workers/thread-reader.ts';
import { openClusterBooks } from '../../postgres/books/cluster-books.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import type { RegisteredVault } from '../../postgres/nodes/vault-registry.ts';
import { openPostgresReadLog } from '../../postgres/state/postgres-read-log.ts';
import { openPostgresState } from '../../postgres/state/postgres-state-store.ts';
import { consoleToolset } from '../../tools/console/console-toolset.ts';
import { createService } from '../../tools/service/service.ts';
import type { VaultChoice } from '../options/choose-vault.ts';
import type { ClusterServeOptions } from '../options/node-options.ts';
import type { ServeOptions } from '../options/serve-options.ts';
import { serverToolsets } from '../options/server-toolsets.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import type { Shell } from '../shell/shell.ts';
import { clusterSecrets } from '../vaults/cluster-secrets.ts';
import { openVault } from '../vaults/compose.ts';
import { openCluster, openClusterUnchecked } from '../vaults/open-cluster.ts';
import { readLogOf } from '../vaults/read-log-of.ts';
import { checkedSettleMs } from '../vaults/root-verdict.ts';
import { openAppViews } from './app-views.ts';
import { answerConsole, clusterVaults } from './cluster-console.ts';
import type { StatePaths } from './http-handler.ts';
import { type Server, serverScopes } from './run-server.ts';
import { runWithLog, warnOfGlobs } from './server-process.ts';

/** What a node adds to a server. */
export interface ServedNode {
  /** `/ready`, `/live` and `/health`. */
  readonly states: StatePaths;
  /** Refuses requests where PostgreSQL has been away for too long. */
  guard(handler: HttpHandler): HttpHandler;
  /** Says how many sessions are open, for the figures of the node. */
  countSessions(sessions: () => number): void;
  /** Gives the vaults to other nodes, before the server stops listening. */
  drain(): Promise<void>;
}

/**
 * Serves the vaults of a cluster through a door until `serve` is done, and leaves the cluster. Fails
 * before it has joined where the options, the secret or the tables are wrong.
 */
export async function runClusterServer(
  shell: Shell,
  options: ServeOptions & { readonly cluster: ClusterServeOptions },
  serve: (server: Server, node: ServedNode) => Promise<number>,
): Promise<number> {
  refuseOthers(options);
  const { cluster } = options;
  const secrets = clusterSecrets(resolve(shell.currentFolder, cluster.secretFile));
  const log = { level: options.logLevel, crashCode: exitCodes.internal };
  return runWithLog(shell, log, async (logger) => {
    warnOfGlobs(options, logger);
    const postgres = await openCluster(cluster.postgres, shell);
    const limitsOfRenewals = renewalLimits(cluster.leaseMs);
    const renewals = await openClusterUnchecked(cluster.postgres, shell, limitsOfRenewals);
    const closeBoth = async (): Promise<void> => {
      await Promise.all([postgres.close(), renewals.close()]);
    };
    const node = await openNode(shell, options, { postgres, renewals, secrets, logger }).catch(
      async (error: unknown) => {
        await closeBoth();
        throw error;
      },
    );
    const reader = new ThreadReader<ReadJson>({
      entryFile: shell.entryFile,
      format: 'json',
      timers: nodeTimers,
    });
    let listener: HttpListener | undefined;
    try {
      const host = cluster.address.hostname.replace(/^\[(.*)\]$/, '$1');
      listener = await listenHttp({ host, port: cluster.port, handler: node.handler, logger });
      const books = openClusterBooks({
        postgres,
        steady,
        clock: nodeClock,
        graceMs: cluster.graceMs,
      });
      const server: Server = {
        service: await node.service(options.toolsets),
        makeService: (toolsets, vaults) => node.service(toolsets, vaults),
        books,
        consoleVaults: clusterVaults({ node, postgres, books }),
        logger,
        scopes: scopesOf(options),
        deadlineMs: (tool = '') => options.toolDeadlinesMs.get(tool) ?? options.deadlineMs,
        get choices() {
          return servedBy(node);
        },
        vaults: [],
        readLarge: (bytes) => reader.read(bytes),
        views: openAppViews(shell.entryFile),
        started: (values) =>
          logger.log('info', 'start', {
            version: shell.version,
            node: node.node.run.node,
            vaults: servedBy(node).length,
            tools: options.toolsets.join(','),
            ...values,
          }),
        begin: () => undefined,
      };
      return await serve(server, servedNode(node));
    } finally {
      await node.close().catch(() => undefined); // What it owned is free when its lease ends.
      await listener?.close(limits.lastAnswersMs);
      await reader.close();
      await closeBoth();
      logger.log('info', 'end');
    }
  });
}

/** The vaults of the cluster as this node knows them now; sign-ins and tokens name them by their keys. */
function servedBy({ vaults }: ClusterServer): readonly VaultChoice[] {
  return vaults.all.map(({ name, key }) => ({ name, path: key }));
}

const steady = { nowMs: () => performance.now() };

async function openNode(
  shell: Shell,
  options: ServeOptions & { readonly cluster: ClusterServeOptions },
  {
    postgres,
    renewals,
    secrets,
    logger,
  }: {
    readonly postgres: Postgres;
    readonly renewals: Postgres;
    readonly secrets: readonly [string, ...string[]];
    readonly logger: Logger;
  },
): Promise<ClusterServer> {
  const { cluster } = options;
  const root = resolve(shell.currentFolder, cluster.vaultsRoot);
  const settleMs = cluster.readOnly ? 0 : await checkedSettleMs(postgres, root);
  if (!cluster.readOnly) await noteNodeAddress(root, publicAddress(options));
  const threads = new SharedThreads();
  const folderOf = ({ path }: RegisteredVault): string => resolve(root, path);
  return ClusterServer.open({
    postgres,
    renewals,
    node: cluster.node ?? hostname(),
    address: cluster.address.origin,
    version: shell.version,
    leaseMs: cluster.leaseMs,
    graceMs: cluster.graceMs,
    readOnly: cluster.readOnly,
    awakeMax: cluster.awakeMax,
    secrets,
    scopes: scopesOf(options),
    clock: nodeClock,
    logger,
    gateFolder: ({ id }) =>
      cluster.readOnly ? undefined : join(root, '.vaultdoor', 'gates', `${id}`),
    root,
    folderOf,
    settleMs,
    openVault: (vault, { epoch, lock, gate, onFenced, onDoubt }, { onWritten, onWalk }) => {
      const { id, name } = vault;
      const state = openPostgresState(postgres, { vault: id, epoch }, { onDoubt, onWritten });
      const logReads = readLogOf(options, logger);
      const reads = openPostgresReadLog({
        postgres,
        vault: id,
        clock: nodeClock,
        timers: nodeTimers,
        ...(logReads.logReads ?? {}),
      });
      return openVault(
        { name, path: folderOf(vault) },
        {
          entryFile: shell.entryFile,
          env: shell.env,
          threads,
          hasOthers: true,
          allowRoots: options.allowRoots,
          watch: true,
          poll: options.poll,
          sleepMs: clusterLimits.clusterSleepMs,
          ...logReads,
          ...(gate === undefined ? {} : { gate }),
          onFenced,
          onWalk,
          cluster: { state, lock, reads },
          onRecovered: ({ id: change, tool, outcome }) =>
            logger.log('warn', 'recovered', { vault: name, change, tool, outcome }),
          onProblem: (problem) => logger.log('warn', 'setting', { vault: name, problem }),
        },
      );
    },
    consoleScopes: consoleScopes(scopesOf(options)),
    askDesk: answerConsole,
    makeService: async (toolsets, vaults) => {
      if (toolsets.includes(consoleToolset.name)) {
        return createService(vaults, [consoleToolset], nodeTimers);
      }
      const chosen = options.toolsets.concat(options.otherToolsets ?? []);
      const named = [...new Set(chosen)].filter((each) => toolsets.includes(each));
      const names = vaults.map(({ name }) => name);
      const made = await serverToolsets({ ...options, toolsets: named }, names);
      return createService(vaults, made, nodeTimers);
    },
  });
}

/** Where apps reach this node, for programs that find its vaults on disk. */
function publicAddress({ publicUrls, host, port }: ServeOptions): string {
  return publicUrls[0] ?? `http://${host}:${port}`;
}

/** What callers may do at most: with `--cluster-read-only`, only read. */
function scopesOf(options: ServeOptions & { readonly cluster: ClusterServeOptions }) {
  const scopes = serverScopes(options, []);
  return options.cluster.readOnly ? { ...scopes, effects: ['read' as const] } : scopes;
}

function servedNode(server: ClusterServer): ServedNode {
  const { node, vaults } = server;
  const isReady = (): boolean => !node.isDraining && !node.isOutOfGrace;
  const body = (status: string): object => ({
    status,
    node: node.run.node,
    postgres: node.hasPostgres ? 'ok' : 'away',
    vaults: { owned: vaults.owned, awake: vaults.awake, recovering: vaults.recovering },
  });
  const ready = () => {
    const status = node.isDraining ? 'stopping' : isReady() ? 'ok' : 'postgres_away';
    return { status: isReady() ? 200 : 503, body: body(status) };
  };
  return {
    states: new Map([
      ['/live', () => ({ status: 200, body: { status: 'ok' } })],
      ['/ready', ready],
      ['/health', ready],
    ]),
    guard: (handler) => ({
      ...handler,
      admit: (head) =>
        node.isOutOfGrace && !statePaths.includes(head.path)
          ? handler.refuse(withoutPostgres, head.path)
          : handler.admit(head),
    }),
    countSessions: (sessions) =>
      server.metrics.gauge('sessions', 'How many MCP sessions are open here.', sessions),
    drain: () => server.drain(),
  };
}

const statePaths: readonly string[] = ['/live', '/ready', '/health'];
const withoutPostgres = {
  status: 503,
  message: 'The database of this server does not answer; try again in a few seconds.',
  headers: { 'Retry-After': '5' },
};

/** Refuses what only works where one machine has the vault. */
function refuseOthers(options: ServeOptions): void {
  const given = [
    ['--vault', options.vaults.length > 0],
    ['--sync', options.sync !== undefined],
    ['--adr-repo', options.publish !== undefined],
    ['--embed', options.embed !== undefined],
  ] as const;
  const wrong = given.find(([, isGiven]) => isGiven)?.[0];
  if (wrong === undefined) return;
  throw new VaultError('invalid_input', `"${wrong}" does not work with "--cluster".`);
}
