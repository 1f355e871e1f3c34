import { VaultError } from '../../base/vault-error.ts';
import type { Postgres } from '../connection/postgres.ts';
import { sqlState } from '../connection/postgres-failure.ts';
import { sql } from '../connection/sql.ts';
import { areNested, registeredVaults } from './vault-registry.ts';

/** A node as `cluster status` shows it. */
interface NodeStatus {
  readonly node: string;
  readonly address: string;
  readonly version: string;
  /** Whether it has said that it lives within its lease. */
  readonly alive: boolean;
  /** Whether it gives its vaults away and takes no others. */
  readonly drains: boolean;
  /** How many vaults it owns, and how many of them are open. */
  readonly vaults: number;
  readonly awake: number;
}

/** A vault as `cluster status` shows it. */
interface VaultStatus {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** The living node that owns it; null when nobody does. */
  readonly owner: string | null;
  /** The only node that can see it; null when all can. */
  readonly pinned: string | null;
  /** The fence number. */
  readonly epoch: number;
  readonly changes: number;
  readonly historyBytes: number;
  /** Changes that are not finished; the next owner recovers them. */
  readonly open: number;
}

/** What `cluster status` shows. */
export interface ClusterStatus {
  readonly nodes: readonly NodeStatus[];
  readonly vaults: readonly VaultStatus[];
}

/** All nodes and vaults, by name. */
export async function clusterStatus(postgres: Postgres): Promise<ClusterStatus> {
  const [nodes, vaults] = await Promise.all([
    postgres.all<NodeStatus>(sql`
      SELECT id AS node, address, version, expires > clock_timestamp() AS alive, drains,
        (SELECT count(*) FROM vault
         WHERE vault.node = node.id AND vault.incarnation = node.incarnation) AS vaults,
        CASE WHEN expires > clock_timestamp() THEN awake ELSE 0 END AS awake
      FROM node ORDER BY id`),
    postgres.all<VaultStatus>(sql`
      SELECT vault.id, name, path, owner.id AS owner, pinned, epoch, last_change AS changes,
        history_bytes AS "historyBytes",
        (SELECT count(*) FROM change WHERE change.vault = vault.id AND state <> 'done') AS open
      FROM vault LEFT JOIN node AS owner ON owner.id = vault.node
        AND owner.incarnation = vault.incarnation AND owner.expires > clock_timestamp()
      ORDER BY name`),
  ]);
  return { nodes, vaults };
}

/** What PostgreSQL says when a name is taken. */
const uniqueViolation = '23505';

/** Fails with `already_exists` when a vault of the cluster has this folder, one above it or one in it. */
export async function checkPathIsFree(postgres: Postgres, path: string): Promise<void> {
  const taken = (await registeredVaults(postgres)).find((vault) => areNested(vault.path, path));
  if (taken === undefined) return;
  throw new VaultError(
    'already_exists',
    `The vault "${taken.name}" has the folder "${taken.path}" already; vaults may not lie in each other.`,
  );
}

/**
 * Adds a vault, and answers its number. Fails with `already_exists` when the name or the folder is taken.
 */
export async function addVault(
  postgres: Postgres,
  vault: { readonly name: string; readonly path: string; readonly pinned?: string },
): Promise<number> {
  await checkPathIsFree(postgres, vault.path);
  try {
    const row = await postgres.get<{ id: number }>(sql`
      INSERT INTO vault (name, path, pinned)
      VALUES (${vault.name}, ${vault.path}, ${vault.pinned ?? null}) RETURNING id`);
    return row?.id ?? 0;
  } catch (error) {
    throw isNameTaken(error) ? nameTaken(vault.name) : error;
  }
}

/** Whether a vault could not be added because there is one of its name. */
export function isNameTaken(error: unknown): boolean {
  return sqlState(error) === uniqueViolation;
}

/** That a vault of this name is in the cluster. */
export function nameTaken(name: string): VaultError {
  return new VaultError(
    'already_exists',
    `There is a vault "${name}" already; choose another name.`,
  );
}

/** The row of a vault. Fails with `vault_not_found`. */
export async function namedVault(
  postgres: Postgres,
  name: string,
): Promise<{ readonly id: number; readonly path: string; readonly epoch: number }> {
  const row = await postgres.get<{ id: number; path: string; epoch: number }>(
    sql`SELECT id, path, epoch FROM vault WHERE name = ${name}`,
  );
  if (row !== undefined) return row;
  throw new VaultError(
    'vault_not_found',
    `There is no vault "${name}" in the cluster; "vaultdoor cluster status" lists them.`,
  );
}

/**
 * Gives a vault to another node: its owner counts as gone, and the node is the first choice for the
 * next call. The owner may end what it has begun until then; the fence number keeps later writes out.
 */
export async function moveVault(
  postgres: Postgres,
  { vault, node }: { readonly vault: number; readonly node: string },
): Promise<void> {
  await checkNode(postgres, node);
  await postgres.all(sql`
    UPDATE vault SET wished = ${node}, node = NULL, incarnation = NULL
    WHERE id = ${vault} AND node IS DISTINCT FROM ${node}`);
}

/** Lets a node give all its vaults away; it takes no others until it is started again. */
export async function drainNode(postgres: Postgres, node: string): Promise<number> {
  await checkNode(postgres, node);
  const rows = await postgres.script<{ id: number }>([
    sql`UPDATE node SET drains = true WHERE id = ${node}`,
    sql`UPDATE vault SET node = NULL, incarnation = NULL WHERE node = ${node} RETURNING id`,
  ]);
  return rows.length;
}

async function checkNode(postgres: Postgres, node: string): Promise<void> {
  const row = await postgres.get<{ alive: boolean }>(
    sql`SELECT expires > clock_timestamp() AS alive FROM node WHERE id = ${node}`,
  );
  if (row?.alive === true) return;
  const state = row === undefined ? 'is not known' : 'is not running';
  throw new VaultError(
    'not_found',
    `The node "${node}" ${state}; "vaultdoor cluster status" lists the nodes.`,
  );
}

/** As which a command owns a vault, and for how long no node claims it. */
const exporter = 'vaultdoor cluster export';
const takenFor = '10 minutes';

/**
 * Takes a vault from its owner, for a command that copies it, and answers the new fence number. No node
 * claims the vault for ten minutes.
 */
export async function takeFromNodes(postgres: Postgres, vault: number): Promise<number> {
  const [row] = await postgres.script<{ epoch: number }>([
    sql`INSERT INTO node (id, incarnation, address, version, drains, expires)
        VALUES (${exporter}, 1, '', '', true, clock_timestamp() + ${takenFor}::interval)
        ON CONFLICT (id) DO UPDATE SET expires = excluded.expires`,
    sql`UPDATE vault SET node = ${exporter}, incarnation = 1, epoch = epoch + 1
        WHERE id = ${vault} RETURNING epoch`,
  ]);
  return row?.epoch ?? 0;
}

/** Ends what `takeFromNodes` has begun: nodes may claim the vault again, if it is still there. */
export async function giveToNodes(postgres: Postgres, vault: number): Promise<void> {
  await postgres.script([
    sql`UPDATE vault SET node = NULL, incarnation = NULL WHERE id = ${vault} AND node = ${exporter}`,
    sql`DELETE FROM node WHERE id = ${exporter}
          AND NOT EXISTS (SELECT 1 FROM vault WHERE vault.node = ${exporter})`,
  ]);
}

/** By how much `raiseEpochs` raises fence numbers: more than any node has raised them since a backup. */
const restoredBy = 1_000;

/**
 * Raises the fence numbers of all vaults after the tables were restored from a backup, so that they are
 * above those of every node that has run since. Answers the vaults. Fails with `conflict` while nodes run.
 */
export async function raiseEpochs(postgres: Postgres): Promise<
  readonly {
    readonly id: number;
    readonly name: string;
    readonly path: string;
    readonly epoch: number;
  }[]
> {
  const alive = (await clusterStatus(postgres)).nodes.filter((node) => node.alive);
  if (alive.length > 0) {
    const names = alive.map(({ node }) => node).join(', ');
    throw new VaultError(
      'conflict',
      `Nodes are running (${names}); stop them first, and give them 10 seconds.`,
    );
  }
  return postgres.all(sql`
    UPDATE vault SET epoch = epoch + ${restoredBy}, node = NULL, incarnation = NULL
    RETURNING id, name, path, epoch`);
}
