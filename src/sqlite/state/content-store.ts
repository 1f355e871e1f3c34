import { VaultError } from '../../base/vault-error.ts';
import type { Version, VersionStart } from '../../base/version.ts';
import type { ContentPut } from '../../engine/ports/state-store.ts';
import type { Connection } from '../connection/connection.ts';
import {
  type ContentRow,
  depthMax,
  restoredContent,
  type StoredContent,
  storedContent,
} from '../rows/content-row.ts';

/** Stores contents, each once, as a difference from its base if that saves half. */
export function putContents(connection: Connection, contents: readonly ContentPut[]): void {
  const given = new Map(contents.map(({ version, bytes }) => [version, bytes]));
  const bytesOf = (version: Version) => given.get(version) ?? readContent(connection, version);
  const whole = contents.filter(({ base }) => base === undefined);
  // Contents without a base first, since they may be the bases of the others.
  for (const content of [...whole, ...contents.filter(({ base }) => base !== undefined)]) {
    if (depthOf(connection, content.version) !== undefined) continue;
    connection.run(
      `INSERT INTO content (base, depth, prefix, suffix, packed, bytes, version)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...stored(connection, content, bytesOf),
    );
  }
}

/** The bytes of a version; undefined when they are not stored. Fails with `io_failed` when damaged. */
export function readContent(connection: Connection, version: Version): Uint8Array | undefined {
  const rows: ContentRow[] = [];
  for (let at: Version | null | undefined = version; at != null && rows.length <= depthMax + 1; ) {
    const row = rowOf(connection, at);
    if (row === undefined) break;
    rows.push(row);
    at = row.base;
  }
  return restoredContent(version, rows);
}

/** The versions of contents that begin with these digits, at most `max` of them. */
export function keptVersions(
  connection: Connection,
  start: VersionStart,
  max: number,
): readonly Version[] {
  // "g" comes after every hex digit.
  const sql = 'SELECT version FROM content WHERE version >= ? AND version < ? LIMIT ?';
  const rows = connection.all<{ version: Version }>(sql, start, `${start}g`, max);
  return rows.map(({ version }) => version);
}

/**
 * Deletes those of the contents that no change needs any more. A content that is stored as a
 * difference from a deleted one is stored again with another base.
 */
export function releaseContents(connection: Connection, versions: Iterable<Version>): void {
  const dead = new Set<Version>(); // The contents to delete.
  for (const version of versions) {
    if (connection.count('SELECT count(*) AS n FROM need WHERE version = ?', version) > 0) continue;
    if (depthOf(connection, version) !== undefined) dead.add(version);
  }
  for (const version of dead) {
    // A content that is stored as a difference and cannot be read stays, and its base with it: the
    // deletion of other contents must not fail.
    if (!rebaseFrom(connection, version, dead)) dead.delete(version);
  }
  for (const version of dead) connection.run('DELETE FROM content WHERE version = ?', version);
}

/** How many bytes all stored contents take. */
export function contentBytes(connection: Connection): number {
  return connection.count('SELECT bytes AS n FROM total');
}

/**
 * Stores all contents that are differences from `version` with another base, since `version` is about
 * to be deleted. Returns false when one of them cannot be read.
 */
function rebaseFrom(connection: Connection, version: Version, dead: ReadonlySet<Version>): boolean {
  const children = connection
    .all<{ version: Version }>('SELECT version FROM content WHERE base = ?', version)
    .filter((child) => !dead.has(child.version));
  if (children.length === 0) return true;
  let base = baseOf(connection, version);
  while (base !== undefined && dead.has(base)) base = baseOf(connection, base);
  const bytesOf = (wanted: Version) => readContent(connection, wanted);
  for (const child of children) {
    const bytes = unlessDamaged(() => bytesOf(child.version));
    if (bytes === undefined) return false;
    const content = { version: child.version, bytes, ...(base === undefined ? {} : { base }) };
    connection.run(
      `UPDATE content SET base = ?, depth = ?, prefix = ?, suffix = ?, packed = ?, bytes = ?
       WHERE version = ?`,
      ...stored(connection, content, bytesOf),
    );
  }
  return true;
}

function unlessDamaged(read: () => Uint8Array | undefined): Uint8Array | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof VaultError) return undefined;
    throw error;
  }
}

/** The columns for a content: as a difference if it has a base and that saves half, else whole. */
function stored(
  connection: Connection,
  content: ContentPut,
  bytesOf: (version: Version) => Uint8Array | undefined,
): StoredContent {
  const { base } = content;
  const depth = base === undefined ? undefined : depthOf(connection, base);
  if (base === undefined || depth === undefined || depth >= depthMax) return storedContent(content);
  const bytes = unlessDamaged(() => bytesOf(base));
  return storedContent(content, bytes && { version: base, depth, bytes });
}

function rowOf(connection: Connection, version: Version): ContentRow | undefined {
  const columns = 'base, prefix, suffix, packed, bytes';
  return connection.get<ContentRow>(`SELECT ${columns} FROM content WHERE version = ?`, version);
}

/** How many bases a version is stored on; undefined when it is not stored. */
function depthOf(connection: Connection, version: Version): number | undefined {
  return connection.get<{ depth: number }>('SELECT depth FROM content WHERE version = ?', version)
    ?.depth;
}

function baseOf(connection: Connection, version: Version): Version | undefined {
  const sql = 'SELECT base FROM content WHERE version = ?';
  return connection.get<{ base: Version | null }>(sql, version)?.base ?? undefined;
}
