import type { Postgres } from '../connection/postgres.ts';
import { type Sql, sql } from '../connection/sql.ts';
import type { NodeRun } from './node-lease.ts';

/** A vault of the cluster. */
export interface RegisteredVault {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}

/**
 * What tokens and sign-ins say of the vaults that they are for. A later vault of the same name has another
 * key, so they do not open it. A name has no slashes.
 */
export function vaultKey({ id, name }: Pick<RegisteredVault, 'id' | 'name'>): string {
  return `${id}/${name}`;
}

/** Whether two folders are the same, or one lies in the other. */
export function areNested(some: string, other: string): boolean {
  return `${some}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${some}/`);
}

/** The vaults of the cluster, by name. */
export function registeredVaults(postgres: Postgres): Promise<readonly RegisteredVault[]> {
  return postgres.all<RegisteredVault>(sql`SELECT id, name, path FROM vault ORDER BY name`);
}

/** A text that changes when vaults are added, removed, renamed or have another folder. */
export async function registryVersion(postgres: Postgres): Promise<string> {
  const row = await postgres.get<{ version: string | null }>(
    sql`SELECT md5(string_agg(concat_ws('/', id, name, path), ',' ORDER BY id)) AS version FROM vault`,
  );
  return row?.version ?? '';
}

/** A living node and where it is reached. */
export interface LivingNode extends NodeRun {
  readonly address: string;
}

/** Who may answer for a vault. */
export interface VaultPlace {
  /** The living node that owns it; absent when nobody does. */
  readonly owner?: LivingNode;
  /** The node that should own it next: the one that was chosen, or else that with the fewest open vaults. Nodes that only read come last. */
  readonly next?: LivingNode;
}

interface PlaceRow {
  readonly role: 'owner' | 'next';
  readonly node: string;
  readonly incarnation: number;
  readonly address: string;
}

/** Asks who owns a vault and who should own it next. Of equal nodes, `self` is preferred. */
export async function placeOfVault(
  postgres: Postgres,
  { vault, self }: { readonly vault: number; readonly self: string },
): Promise<VaultPlace> {
  const rows = await postgres.all<PlaceRow>(sql`
    WITH v AS (SELECT node, incarnation, pinned, wished FROM vault WHERE id = ${vault}),
    alive AS (SELECT * FROM node WHERE expires > clock_timestamp())
    SELECT 'owner' AS role, alive.id AS node, alive.incarnation, address
    FROM alive, v WHERE alive.id = v.node AND alive.incarnation = v.incarnation
    UNION ALL (
      SELECT 'next', alive.id, alive.incarnation, address
      FROM alive, v WHERE NOT drains AND (v.pinned IS NULL OR v.pinned = alive.id)
      ORDER BY read_only, alive.id IS DISTINCT FROM v.wished,
        awake, alive.id <> ${self}, alive.id LIMIT 1)`);
  const found = (role: PlaceRow['role']) => {
    const row = rows.find((each) => each.role === role);
    if (row === undefined) return {};
    const { node, incarnation, address } = row;
    return { [role]: { node, incarnation, address } };
  };
  return { ...found('owner'), ...found('next') };
}

/**
 * Raises the fence number of a vault above one that was found on disk: the tables were restored from a
 * backup. Answers the new number; undefined when the vault has another owner by now.
 */
export async function raiseEpoch(
  postgres: Postgres,
  {
    vault,
    epoch,
    above,
  }: { readonly vault: number; readonly epoch: number; readonly above: number },
): Promise<number | undefined> {
  const row = await postgres.get<{ epoch: number }>(sql`
    UPDATE vault SET epoch = ${above + 1} WHERE id = ${vault} AND epoch = ${epoch} RETURNING epoch`);
  return row?.epoch;
}

/**
 * Whether a node only reads while another one is alive that could write to a vault: then it leaves the
 * vault to that one. A writing node that refuses connections (`dead`) does not count.
 */
export function leavesToWriter(node: string, dead?: NodeRun): Sql {
  return sql`EXISTS (
    SELECT 1 FROM node AS self, node AS writer
    WHERE self.id = ${node} AND self.read_only AND NOT writer.read_only AND NOT writer.drains
      AND writer.expires > clock_timestamp() AND (vault.pinned IS NULL OR vault.pinned = writer.id)
      AND (writer.id <> ${dead?.node ?? ''} OR writer.incarnation <> ${dead?.incarnation ?? 0}))`;
}

/** A vault that a node owns. */
interface OwnedRow {
  readonly epoch: number;
  /** Whether another living node was chosen for it, or this one only reads and another could write. */
  readonly leaves: boolean;
}

/** The vaults that a run of a node owns, by their numbers. */
export async function ownedVaults(
  postgres: Postgres,
  { node, incarnation }: NodeRun,
): Promise<ReadonlyMap<number, OwnedRow>> {
  const rows = await postgres.all<OwnedRow & { readonly id: number }>(sql`
    SELECT id, epoch, EXISTS (
      SELECT 1 FROM node AS chosen WHERE chosen.id = vault.wished AND chosen.id <> ${node}
        AND NOT chosen.drains AND NOT chosen.read_only AND chosen.expires > clock_timestamp()
    ) OR ${leavesToWriter(node)} AS leaves
    FROM vault WHERE node = ${node} AND incarnation = ${incarnation}`);
  return new Map(rows.map(({ id, epoch, leaves }) => [id, { epoch, leaves }]));
}
