import type { Version } from '../../base/version.ts';
import type { ChangeId } from '../../engine/ports/state-store.ts';
import { type Sql, sql } from '../connection/sql.ts';
import { releaseContents } from './contents.ts';
import type { OwnedVault } from './owned-vault.ts';

/**
 * What deletes changes, and the contents that no other change needs. `replaced` is a change whose needs
 * are replaced by these versions at the same time.
 */
export async function forgetChanges(
  vault: OwnedVault,
  ids: readonly ChangeId[],
  replaced?: { readonly id: ChangeId; readonly versions: readonly Version[] },
): Promise<readonly Sql[]> {
  if (ids.length === 0) return [];
  const { id, postgres } = vault;
  const without = replaced === undefined ? ids : [...ids, replaced.id];
  const dead = await postgres.all<{ version: Version }>(sql`
    SELECT DISTINCT version FROM need
    WHERE vault = ${id} AND change = ANY(${ids}::bigint[])
      AND version <> ALL(${replaced?.versions ?? []}::text[])
      AND NOT EXISTS (
        SELECT 1 FROM need AS other WHERE other.vault = ${id} AND other.version = need.version
          AND other.change <> ALL(${without}::bigint[]))`);
  return [
    sql`DELETE FROM need WHERE vault = ${id} AND change = ANY(${ids}::bigint[])`,
    sql`DELETE FROM touch WHERE vault = ${id} AND change = ANY(${ids}::bigint[])`,
    sql`DELETE FROM destroyed WHERE vault = ${id} AND change = ANY(${ids}::bigint[])`,
    sql`DELETE FROM change WHERE vault = ${id} AND id = ANY(${ids}::bigint[])`,
    ...(await releaseContents(
      vault,
      dead.map(({ version }) => version),
    )),
  ];
}
