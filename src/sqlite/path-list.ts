import type { VaultPath } from '../base/vault-path.ts';
import { foldName } from '../base/vault-path.ts';
import type { Connection } from './connection.ts';

/** Every file of the vault by its path, in path order. */
export interface PathList {
  readonly paths: readonly VaultPath[];
  /** The same paths folded. */
  readonly folded: readonly string[];
}

/**
 * All paths, for questions that have to look at each. They come as one text and are folded as one:
 * a hundred thousand rows would take many times as long.
 */
export function pathList(connection: Connection): PathList {
  const row = connection.get<{ paths: string | null }>(
    'SELECT group_concat(path, char(10)) AS paths FROM (SELECT path FROM file ORDER BY path)',
  );
  const text = row?.paths ?? '';
  if (text === '') return { paths: [], folded: [] };
  // No path has a line end in it.
  return { paths: text.split('\n') as VaultPath[], folded: foldName(text).split('\n') };
}

/** All aliases as `[path, alias]`, in path order and as each note lists them. */
export function aliasList(connection: Connection): readonly (readonly [VaultPath, string])[] {
  const row = connection.get<{ aliases: string }>(
    `SELECT json_group_array(json_array(path, alias)) AS aliases
     FROM (SELECT f.path, a.alias FROM alias a CROSS JOIN file f ON f.id = a.file
       ORDER BY f.path, a.seq)`,
  );
  return JSON.parse(row?.aliases ?? '[]') as [VaultPath, string][];
}
