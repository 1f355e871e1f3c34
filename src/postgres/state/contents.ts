import { VaultError } from '../../base/vault-error.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import type { ContentPut } from '../../engine/ports/state-store.ts';
import {
  type ContentRow,
  depthMax,
  restoredContent,
  type StoredContent,
  storedContent,
} from '../../sqlite/rows/content-row.ts';
import { type Sql, sql } from '../connection/sql.ts';
import type { OwnedVault } from './owned-vault.ts';

/** The bytes of a version; undefined when they are not stored. Fails with `io_failed` when damaged. */
export async function readContent(
  { postgres, id }: OwnedVault,
  version: Version,
): Promise<Uint8Array | undefined> {
  const rows = await postgres.all<ContentRow>(sql`
    WITH RECURSIVE chain AS (
      SELECT base, prefix, suffix, packed, bytes, 0 AS at FROM content
      WHERE vault = ${id} AND version = ${version}
      UNION ALL
      SELECT content.base, content.prefix, content.suffix, content.packed, content.bytes, at + 1
      FROM chain JOIN content ON content.vault = ${id} AND content.version = chain.base
      WHERE at <= ${depthMax})
    SELECT * FROM chain ORDER BY at`);
  return restoredContent(version, rows);
}

/** The versions of contents that begin with these digits, at most `max` of them. */
export async function keptVersions(
  { postgres, id }: OwnedVault,
  start: VersionStart,
  max: number,
): Promise<readonly Version[]> {
  // "g" comes after every hex digit.
  const rows = await postgres.all<{ version: Version }>(sql`
    SELECT version FROM content
    WHERE vault = ${id} AND version >= ${start} AND version < ${`${start}g`}
    ORDER BY version LIMIT ${max}`);
  return rows.map(({ version }) => version);
}

/** How contents that are not stored yet are to be stored: as differences where that saves half. */
export async function newContents(
  vault: OwnedVault,
  contents: readonly ContentPut[],
): Promise<readonly StoredContent[]> {
  if (contents.length === 0) return [];
  const given = new Map(contents.map(({ version, bytes }) => [version, bytes]));
  const depths = await depthsOf(
    vault,
    contents.flatMap(({ version, base }) => (base === undefined ? [version] : [version, base])),
  );
  const stored: StoredContent[] = [];
  const whole = contents.filter(({ base }) => base === undefined);
  // Contents without a base first, since they may be the bases of the others.
  for (const content of [...whole, ...contents.filter(({ base }) => base !== undefined)]) {
    if (depths.has(content.version)) continue;
    const row = await storedOn(content, {
      depth: content.base && depths.get(content.base),
      read: async (base) => given.get(base) ?? (await readContent(vault, base)),
    });
    depths.set(content.version, row[1]);
    stored.push(row);
  }
  return stored;
}

/**
 * A table of contents as SQL: their columns as JSON, and all their bytes as one value, of which each
 * takes its part. So a statement has two values for any number of contents.
 */
export function contentsTable(contents: readonly StoredContent[]): Sql {
  let at = 1;
  const rows = contents.map(([base, depth, prefix, suffix, packed, bytes, version]) => {
    const row = { base, depth, prefix, suffix, packed, version, at, size: bytes.length };
    at += bytes.length;
    return row;
  });
  const bytes = Buffer.concat(contents.map((row) => row[5]));
  return sql`(
    SELECT version, base, depth, prefix, suffix, packed,
      substring(${bytes}::bytea FROM at FOR size) AS bytes
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (
      version text, base text, depth int, prefix bigint, suffix bigint, packed int, at int, size int))`;
}

/**
 * What deletes those of the contents that are `dead`: no change needs them any more. A content that is
 * stored as a difference from a deleted one is stored again with another base; if it cannot be read, it
 * stays, and its base with it: the deletion of other contents must not fail.
 */
export async function releaseContents(
  vault: OwnedVault,
  versions: readonly Version[],
): Promise<readonly Sql[]> {
  if (versions.length === 0) return [];
  const rows = await vault.postgres.all<{ version: Version; base: Version | null }>(sql`
    SELECT version, base FROM content
    WHERE vault = ${vault.id} AND (version = ANY(${versions}::text[]) OR base = ANY(${versions}::text[]))`);
  const bases = new Map(rows.map(({ version, base }) => [version, base]));
  const asked = new Set<string>(versions);
  const dead = new Set(rows.map(({ version }) => version).filter((version) => asked.has(version)));
  const rebased: StoredContent[] = [];
  for (const version of dead) {
    const children = rows.filter(
      ({ version: child, base }) => base === version && !dead.has(child),
    );
    const moved = await rebasedFrom(vault, { version, children, bases, dead });
    if (moved === undefined) dead.delete(version);
    else rebased.push(...moved);
  }
  return [
    ...(rebased.length === 0
      ? []
      : [
          sql`UPDATE content SET base = given.base, depth = given.depth, prefix = given.prefix,
                suffix = given.suffix, packed = given.packed, bytes = given.bytes
              FROM ${contentsTable(rebased)} AS given
              WHERE vault = ${vault.id} AND content.version = given.version`,
        ]),
    sql`DELETE FROM content WHERE vault = ${vault.id} AND version = ANY(${[...dead]}::text[])`,
  ];
}

/** How the differences from a content are stored on its own base instead; undefined if one is damaged. */
async function rebasedFrom(
  vault: OwnedVault,
  {
    version,
    children,
    bases,
    dead,
  }: {
    readonly version: Version;
    readonly children: readonly { readonly version: Version }[];
    readonly bases: ReadonlyMap<Version, Version | null>;
    readonly dead: ReadonlySet<Version>;
  },
): Promise<readonly StoredContent[] | undefined> {
  if (children.length === 0) return [];
  let base = bases.get(version) ?? undefined;
  while (base !== undefined && dead.has(base)) base = bases.get(base) ?? undefined;
  const depth = base && (await depthsOf(vault, [base])).get(base);
  const moved: StoredContent[] = [];
  for (const child of children) {
    const bytes = await unlessDamaged(() => readContent(vault, child.version));
    if (bytes === undefined) return undefined;
    const content = { version: child.version, bytes, ...(base === undefined ? {} : { base }) };
    moved.push(await storedOn(content, { depth, read: (wanted) => readContent(vault, wanted) }));
  }
  return moved;
}

/** The columns for a content, on its base if that has this depth and can be read. */
async function storedOn(
  content: ContentPut,
  {
    depth,
    read,
  }: {
    readonly depth: number | undefined;
    readonly read: (base: Version) => Promise<Uint8Array | undefined>;
  },
): Promise<StoredContent> {
  const { base } = content;
  if (base === undefined || depth === undefined || depth >= depthMax) return storedContent(content);
  const bytes = await unlessDamaged(() => read(base));
  return storedContent(content, bytes && { version: base, depth, bytes });
}

/** How many bases each of the versions is stored on; those that are not stored are left out. */
async function depthsOf(
  { postgres, id }: OwnedVault,
  versions: readonly Version[],
): Promise<Map<Version, number>> {
  const rows = await postgres.all<{ version: Version; depth: number }>(sql`
    SELECT version, depth FROM content WHERE vault = ${id} AND version = ANY(${versions}::text[])`);
  return new Map(rows.map(({ version, depth }) => [version, depth]));
}

async function unlessDamaged(
  read: () => Promise<Uint8Array | undefined>,
): Promise<Uint8Array | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof VaultError && error.code === 'io_failed') return undefined;
    throw error;
  }
}
