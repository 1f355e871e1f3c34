import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { diskError } from '../../node/system/disk-error.ts';
import { makeFolders, replacePrivateFile } from '../../node/system/private-files.ts';
import type { Postgres } from '../../postgres/connection/postgres.ts';
import { migrateCluster } from '../../postgres/schema/migrate.ts';
import type { Shell } from '../shell/shell.ts';
import type { ClusterAnswer } from './cluster-command.ts';

const secretBytes = 32;

/** Makes the tables and the file with the first secret. What is there already stays as it is. */
export async function initCluster(
  postgres: Postgres,
  { currentFolder }: Shell,
  secretFile?: string,
): Promise<ClusterAnswer> {
  const { text, value } = await migrateTables(postgres);
  if (secretFile === undefined) return { text, value };
  const file = resolve(currentFolder, secretFile);
  const isNew = !existsSync(file);
  if (isNew) await writeSecret(file);
  const said = isNew
    ? `Made the secret "${file}". Copy it to every node: it must be the same on all of them.`
    : `The secret "${file}" is there already and was left as it is.`;
  return { text: `${text}${said}\n`, value: { ...value, secretFile: file, secretMade: isNew } };
}

/** Brings the tables to the version of this program. */
export async function migrateTables(postgres: Postgres): Promise<ClusterAnswer> {
  const { from, to } = await migrateCluster(postgres);
  const text =
    from === to
      ? `The tables are up to date (version ${to}).\n`
      : from === 0
        ? `Made the tables (version ${to}).\n`
        : `Brought the tables from version ${from} to ${to}.\n`;
  return { text, value: { from, to } };
}

/** A secret is one line of base64url. Nodes sign with the first line and also accept the second. */
async function writeSecret(file: string): Promise<void> {
  try {
    await makeFolders(dirname(file));
    await replacePrivateFile(file, `${randomBytes(secretBytes).toString('base64url')}\n`);
  } catch (error) {
    throw diskError(file, error, 'write');
  }
}
